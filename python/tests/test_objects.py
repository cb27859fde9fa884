"""Objects with the keys of scenes are scenes."""

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
