"""The notebooks run, cell by cell, in an empty folder; the example of Python tells how it is called."""

import json
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    pytest.importorskip("h5py")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    for folder in ("scenes", "examples"):
        shutil.copytree(ROOT / folder, folder)
    names = {}
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 3
    for cell in cells:
        exec(compile("".join(cell["source"]), f"{path.name}, {cell['id']}", "exec"), names)


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


def test_help_of_the_example():
    told = subprocess.run(
        [sys.executable, ROOT / "examples/predict_pose.py", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert told.startswith("usage: predict_pose.py [-h]") and told.count("usage") == 1 and "held-out" in told
