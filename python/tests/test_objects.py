"""Objects with the keys of scenes are scenes."""

import copy
import pickle
from dataclasses import dataclass, field
from types import MappingProxyType, SimpleNamespace
from typing import Any, Optional

import numpy
import pytest

import sinew


@dataclass
class Rubber:
    youngs_modulus: float = 1e5
    poisson_ratio: float = 0.3
    damping: Optional[float] = None  # the engine's default


@dataclass
class Hanging:
    materials: dict
    objects: dict
    sinew: int = 1
    pins: list = field(default_factory=list)
    solver: Any = None


def test_dataclasses_and_namespaces(bar):
    expected = sinew.Scene(bar)
    scene = Hanging(
        {"rubber": Rubber()},
        MappingProxyType({"bar": SimpleNamespace(mesh=bar["objects"]["bar"]["mesh"], material="rubber", color=None)}),
        pins=bar["pins"],
        solver=SimpleNamespace(type="vbd", iterations=numpy.int64(10)),
    )
    read = sinew.Scene(scene, overrides={"name": "bar"})
    for part in ("materials", "objects", "pins", "solver"):
        assert read.to_dict()[part] == expected.to_dict()[part]
    s = sinew.Simulation(scene)
    s.set("solver", SimpleNamespace(type="newton", iterations=2))
    assert s.step().iterations <= 2
    s.add_object("other", SimpleNamespace(mesh={"box": {"cells": 1, "origin": [0, 1, 0]}}, material="rubber"))
    assert [o.name for o in s.objects] == ["bar", "other"]


def test_faults(bar):
    bar["materials"]["rubber"] = Rubber(damping=numpy.nan)
    with pytest.raises(sinew.Error, match="materials.rubber.damping"):
        sinew.Scene(bar)
    bar["materials"]["rubber"] = Rubber  # the class, not one of it
    with pytest.raises(sinew.Error, match="materials.rubber"):
        sinew.Scene(bar)
    with pytest.raises(sinew.Error, match="scene: is a int"):
        sinew.Scene(3)


@pytest.mark.parametrize("way", [copy.deepcopy, lambda whole: pickle.loads(pickle.dumps(whole))])
def test_copies(bar, way):
    scene = sinew.Scene(bar, {"solver.iterations": 7})
    assert way(scene) == scene and way(scene).to_json() == scene.to_json()

    mesh = sinew.mesh({"ball": {}}, cells=4)
    again = way(mesh)
    assert numpy.array_equal(again.vertices, mesh.vertices) and numpy.array_equal(again.tets, mesh.tets)
    assert (again.cell, again.warnings, again.notes) == (mesh.cell, mesh.warnings, mesh.notes)

    simulation = sinew.Simulation(bar)
    simulation.curves = True
    report = simulation.step()
    assert values_of(way(report)) == values_of(report)
    assert numpy.array_equal(way(report).residuals, report.residuals)
    assert values_of(way(simulation.energies())) == values_of(simulation.energies())


def values_of(report):
    """All that a report has, with what its parts have."""
    if not type(report).__module__.startswith("sinew"):
        return [values_of(part) for part in report] if isinstance(report, list) else repr(report)
    return {name: values_of(getattr(report, name)) for name in dir(report) if not name.startswith("_")}
