"""The types of the package name what the module has, and nothing else."""

import ast
import inspect
import subprocess
import sys
import typing
from pathlib import Path

import sinew
from sinew import types

STUBS = ast.parse((Path(sinew.__file__).parent / "__init__.pyi").read_text())


def is_public(name):
    return not name.startswith("_") and name != "annotations"


def arguments_of(function):
    a = function.args
    return [argument.arg for argument in a.posonlyargs + a.args + a.kwonlyargs if argument.arg != "self"]


def test_names():
    stubs = {n.name: n for n in STUBS.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    assert {name for name in stubs if is_public(name)} == set(sinew.__all__)
    for name, stub in stubs.items():
        if not isinstance(stub, ast.ClassDef) or name == "Error" or not is_public(name):
            continue
        described = getattr(sinew, name)
        inherited = {member for base in described.__bases__ for member in dir(base)}
        own = set(dir(described)) - inherited | set(vars(described).get("__annotations__", {}))
        written = {n.name for n in stub.body if isinstance(n, ast.FunctionDef)}
        written |= {n.target.id for n in stub.body if isinstance(n, ast.AnnAssign)}
        assert set(filter(is_public, written)) == set(filter(is_public, own)), name


def test_arguments():
    """Each function's signature, as pybind11 writes it into its documentation, has the arguments of the stub."""
    functions = [(sinew, n) for n in STUBS.body if isinstance(n, ast.FunctionDef)]
    functions += [
        (getattr(sinew, c.name), n)
        for c in STUBS.body
        if isinstance(c, ast.ClassDef) and is_public(c.name)
        for n in c.body
        if isinstance(n, ast.FunctionDef) and not n.decorator_list and is_public(n.name) and c.name != "Error"
    ]
    assert len(functions) > 40
    for owner, stub in functions:
        documentation = getattr(owner, stub.name).__doc__
        for argument in arguments_of(stub):
            assert f"{argument}:" in documentation, (owner, stub.name, argument)


def test_types_of_scenes():
    """sinew/types.py has the keys of the schema."""
    writer = Path(__file__).parents[1] / "tools" / "scene_types.py"
    written = subprocess.run([sys.executable, writer], capture_output=True, text=True, check=True).stdout
    assert (Path(sinew.__file__).parent / "types.py").read_text(encoding="utf-8") == written
    assert "material" in typing.get_type_hints(types.Object) and types.Pin.__required_keys__ == {"object", "select"}


def test_documentation():
    for name in sinew.__all__:
        assert inspect.getdoc(getattr(sinew, name)), name
