"""The types of the package name what the module has, and nothing else."""

import ast
import inspect
import os
import subprocess
import sys
import typing
from pathlib import Path

import pytest

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


def test_types_of_data_sets(bar, tmp_path):
    pytest.importorskip("h5py")
    plan = {"dataset": 1, "scene": bar, "samples": 1, "parameters": {"g": {"path": "gravity.1", "range": [-1, 1]}}}
    sinew.make_dataset(plan, tmp_path / "d")
    data = sinew.Dataset(tmp_path / "d")
    (stub,) = (n for n in STUBS.body if isinstance(n, ast.ClassDef) and n.name == "Dataset")
    written = {n.target.id: n.annotation.id for n in stub.body if isinstance(n, ast.AnnAssign) and n.target.id in
               ("tets", "middles", "rest_positions")}  # fmt: skip
    names = {"float64": "_Array", "int32": "_Indices"}
    assert written == {name: names[str(getattr(data, name).dtype)] for name in written} and len(written) == 3


def test_types_of_scenes():
    """sinew/types.py has the keys of the schema."""
    writer = Path(__file__).parents[1] / "tools" / "scene_types.py"
    written = subprocess.run([sys.executable, writer], capture_output=True, text=True, check=True).stdout
    assert (Path(sinew.__file__).parent / "types.py").read_text(encoding="utf-8") == written
    assert "material" in typing.get_type_hints(types.Object) and types.Pin.__required_keys__ == {"object", "select"}


def test_type_checkers_find_faults(tmp_path):
    pytest.importorskip("mypy")
    good = """
import sinew
from sinew.types import Scene
scene: Scene = {
    "sinew": 1,
    "materials": {"m": {"youngs_modulus": 1e5}},
    "objects": {"o": {"mesh": {"box": {"cells": 2}}, "material": "m"}},
    "solver": {"type": "vbd"},
}
scene["objects"]["p"] = {"mesh": sinew.mesh({"ball": {}}, cells=3), "material": "m"}
with sinew.Simulation(scene).edit() as state:
    state.positions[0] += 1
picture: sinew.Picture = sinew.Simulation(scene).picture(color_by="strain")
"""
    (tmp_path / "good.py").write_text(good)
    changes = {"solver": "solvr", "vbd": "vdb", "cells": "cell", "strain": "strian"}
    for right, wrong in changes.items():
        (tmp_path / f"{wrong}.py").write_text(good.replace(f'"{right}"', f'"{wrong}"'))
    environment = {**os.environ, "MYPYPATH": str(Path(sinew.__file__).resolve().parents[1])}
    command = [sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache", *tmp_path.glob("*.py")]
    checked = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    faults = [line.partition(":")[0] for line in checked.stdout.splitlines() if ": error:" in line]
    assert sorted(faults) == sorted(f"{wrong}.py" for wrong in changes.values()), checked.stdout


def test_documentation():
    for name in sinew.__all__:
        assert inspect.getdoc(getattr(sinew, name)), name
