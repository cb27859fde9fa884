"""Paths of any bytes are paths, and text that UTF-8 cannot write is an error that says where it is."""

import json
import os
import pickle
from pathlib import Path

import pytest

import sinew

NAME = os.fsdecode(b"sc\xff")


@pytest.fixture
def odd(tmp_path):
    """A folder whose name is not UTF-8."""
    folder = tmp_path / NAME
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("file systems of this machine have names in UTF-8 alone")
    return folder


def test_scenes_and_runs(bar, odd):
    file = odd / "scene.json"
    file.write_text(json.dumps(bar))
    simulation = sinew.Simulation(bar)
    simulation.step()
    for path in (file, str(file)):
        read = sinew.Simulation(path)
        read.step()
        assert read.hash() == simulation.hash()
    scene = pickle.loads(pickle.dumps(sinew.Scene(file)))
    assert scene.to_dict() == sinew.Scene(file).to_dict()
    assert sinew.Batch(file).map(lambda s: s.vertex_count) == [simulation.vertex_count]
    assert sinew.run(bar, odd / "run", frames=1).last_frame == 1
    assert repr(sinew.compare(file, "vbd", iterations=2, reference=False))


def test_meshes(bar, odd):
    mesh = sinew.mesh({"ball": {}}, cells=3)
    mesh.write(odd / "ball.vtk")
    bar["pins"], bar["probes"] = [], {}
    bar["objects"]["bar"]["mesh"] = {"file": "ball.vtk"}
    simulation = sinew.Simulation(bar, folder=odd)
    assert simulation.vertex_count == len(mesh.vertices) and isinstance(simulation.warnings, list)
    scene = sinew.Scene(bar, folder=odd)
    assert sinew.Simulation(pickle.loads(pickle.dumps(scene))).vertex_count == simulation.vertex_count
    with pytest.raises(sinew.Error) as raised:
        sinew.mesh(odd / "none.obj", cells=3)
    assert NAME in str(raised.value)
    # Within a scene, which is JSON, there is no word for it.
    bar["objects"]["bar"]["mesh"] = {"file": odd / "ball.vtk"}
    with pytest.raises(sinew.Error) as raised:
        sinew.Simulation(bar)
    assert raised.value.where == "objects.bar.mesh.file" and "UTF-8" in raised.value.remedy


def test_errors_name_them(odd):
    for call in (sinew.Simulation, sinew.Scene, sinew.dataset_parameters, sinew.reproduce):
        with pytest.raises(sinew.Error) as raised:
            call(odd / "none.json")
        assert NAME in raised.value.where and NAME in str(raised.value)
        assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    with pytest.raises(sinew.Error, match="holds no data set"):
        sinew.Dataset(odd)
    with pytest.raises(sinew.Error):
        sinew.verify_dataset(odd)


def test_text_that_is_none(bar):
    def where_of(call, *arguments, **options):
        with pytest.raises(sinew.Error) as raised:
            call(*arguments, **options)
        assert raised.value.what and raised.value.remedy
        return raised.value.where

    lone = "\ud800"
    assert where_of(sinew.Simulation, lone + ".json") == "scene"
    assert where_of(sinew.Simulation, json.dumps(bar).replace("bar", NAME)) == "scene"
    assert where_of(sinew.Simulation, "a\0b.json") == "scene"
    assert where_of(sinew.Simulation, bar, folder=lone) == "folder"
    assert where_of(sinew.Simulation, bar, folder=3) == "folder"
    assert where_of(sinew.Simulation, bar, overrides={lone: 3}) == "overrides"
    assert where_of(sinew.Simulation, bar, overrides={"name": lone}) == "overrides: name"
    assert where_of(sinew.Simulation, {**bar, "name": lone}) == "name"
    assert where_of(sinew.Simulation, {**bar, lone: 1}) == "scene"
    assert where_of(sinew.Simulation(bar).set, "name", lone) == "name"
    assert where_of(sinew.compare, bar, lone) == "solvers"
    assert where_of(sinew.mesh, Path(lone + ".stl"), cells=3) == "source"
    assert where_of(sinew.make_dataset, lone + ".json", "out") == "plan"
    assert where_of(sinew.reproduce, lone) == "experiment"
