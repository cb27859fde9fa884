import copy
import os
import shutil
from pathlib import Path

import pytest

import sinew

ROOT = Path(__file__).resolve().parents[2]

BAR = {
    "sinew": 1,
    "name": "bar",
    "time": {"frame_dt": 0.02, "substeps": 2, "duration": 0.1},
    "materials": {"rubber": {"youngs_modulus": 1e5, "poisson_ratio": 0.3}},
    "objects": {"bar": {"mesh": {"beam": {"length": 0.4, "cells_across": 2}}, "material": "rubber"}},
    "pins": [{"object": "bar", "select": {"plane": {"point": [0.001, 0, 0], "normal": [-1, 0, 0]}}}],
    "probes": {"tip": {"object": "bar", "select": {"plane": {"point": [0.399, 0, 0], "normal": [1, 0, 0]}}}},
    "solver": {"type": "vbd", "iterations": 10},
}


@pytest.fixture
def bar():
    """A small bar that is held at one end, as a dict of its own."""
    return copy.deepcopy(BAR)


@pytest.fixture(scope="session")
def program():
    """The command line program of the same build."""
    found = os.environ.get("SINEW_PROGRAM") or shutil.which("sinew")
    if not found or not Path(found).exists():
        pytest.skip("the program is not built: SINEW_PROGRAM names it")
    return found


@pytest.fixture
def tracer(bar):
    """Skips the test in a build without path tracer."""
    try:
        sinew.Simulation(bar).picture(width=32, height=32, samples=1)
    except sinew.Error as error:
        if "left out of this build" in str(error):
            pytest.skip("a build without path tracer")
        raise


@pytest.fixture(scope="session")
def scenes():
    return ROOT / "scenes"
