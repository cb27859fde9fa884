"""The types of the package name what the module has, and nothing else."""

import ast
import inspect
from pathlib import Path

import sinew

STUBS = ast.parse((Path(sinew.__file__).parent / "__init__.pyi").read_text())
# What every class has, or what `dir` lists among the names with underscores.
INHERITED = {"__init__", "__eq__", "__hash__", "__len__"}


def is_public(name):
    return not name.startswith("_") and name != "annotations"


def arguments_of(function):
    a = function.args
    return [argument.arg for argument in a.posonlyargs + a.args + a.kwonlyargs if argument.arg != "self"]


def test_names():
    stubs = {n.name: n for n in STUBS.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    assert {name for name in stubs if is_public(name)} == set(sinew.__all__)
    for name, stub in stubs.items():
        if not isinstance(stub, ast.ClassDef) or name == "Error":
            continue
        written = {n.name for n in stub.body if isinstance(n, ast.FunctionDef)}
        written |= {n.target.id for n in stub.body if isinstance(n, ast.AnnAssign)}
        assert written - INHERITED == {member for member in dir(getattr(sinew, name)) if is_public(member)}, name


def test_arguments():
    """Each function's signature, as pybind11 writes it into its documentation, has the arguments of the stub."""
    functions = [(sinew, n) for n in STUBS.body if isinstance(n, ast.FunctionDef)]
    functions += [
        (getattr(sinew, c.name), n)
        for c in STUBS.body
        if isinstance(c, ast.ClassDef)
        for n in c.body
        if isinstance(n, ast.FunctionDef) and not n.decorator_list and is_public(n.name) and c.name != "Error"
    ]
    assert len(functions) > 40
    for owner, stub in functions:
        documentation = getattr(owner, stub.name).__doc__
        for argument in arguments_of(stub):
            assert f"{argument}:" in documentation, (owner, stub.name, argument)


def test_documentation():
    for name in sinew.__all__:
        assert inspect.getdoc(getattr(sinew, name)), name
