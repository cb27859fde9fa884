"""Meshes of sinew.mesh and of meshio stand for themselves in scenes."""

from types import SimpleNamespace

import numpy
import pytest

import sinew


@pytest.fixture
def ball():
    return sinew.mesh({"ball": {"radius": 0.1}}, cells=6)


def test_of_the_mesher(bar, ball):
    bar["pins"], bar["probes"] = [], {}
    bar["objects"]["bar"]["mesh"] = ball
    first = sinew.Simulation(bar)
    bar["objects"]["bar"]["mesh"] = {"arrays": ball}
    second = sinew.Simulation(bar)
    bar["objects"]["bar"]["mesh"] = {"arrays": {"vertices": ball.vertices, "tets": ball.tets}}
    third = sinew.Simulation(bar)
    assert numpy.array_equal(first.rest_positions, ball.vertices) and numpy.array_equal(first.tets, ball.tets)
    for s in (first, second, third):
        s.run(steps=2)
    assert first.hash() == second.hash() == third.hash()
    first.add_object("other", {"mesh": ball, "material": "rubber", "transform": {"translate": [0, 1, 0]}})
    assert first.vertex_count == 2 * len(ball.vertices)


def test_of_meshio(bar, ball, tmp_path):
    meshio = pytest.importorskip("meshio")
    bar["pins"], bar["probes"] = [], {}
    # As meshers write it: with the triangles of the surface, and in several blocks.
    half = len(ball.tets) // 2
    surface = sinew.Simulation({**bar, "objects": {"bar": {"mesh": ball, "material": "rubber"}}}).surface(0)
    cells = [("triangle", surface), ("tetra", ball.tets[:half]), ("tetra", ball.tets[half:])]
    mesh = meshio.Mesh(ball.vertices, cells)
    bar["objects"]["bar"]["mesh"] = mesh
    s = sinew.Simulation(bar)
    assert numpy.array_equal(s.rest_positions, ball.vertices) and numpy.array_equal(s.tets, ball.tets)
    # Through a file of another program.
    mesh.write(tmp_path / "ball.vtk")
    bar["objects"]["bar"]["mesh"] = meshio.read(tmp_path / "ball.vtk")
    assert numpy.array_equal(sinew.Simulation(bar).tets, ball.tets)
    # What a simulation has, for another program.
    meshio.Mesh(s.positions, [("tetra", s.tets)]).write(tmp_path / "bar.vtu")
    assert numpy.allclose(meshio.read(tmp_path / "bar.vtu").points, s.positions)


def test_in_the_plane_and_as_colliders(bar):
    """Whatever has the attributes of a meshio.Mesh."""
    bar["pins"], bar["probes"] = [], {}
    square = SimpleNamespace(
        points=numpy.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]), cells=[("triangle", [[0, 1, 2], [0, 2, 3]])]
    )
    bar["objects"]["bar"]["mesh"] = square
    assert numpy.array_equal(sinew.Simulation(bar).tets, [[0, 1, 2, -1], [0, 2, 3, -1]])
    chain = SimpleNamespace(points=numpy.eye(3), cells=[("line", [[0, 1], [1, 2]])])
    assert sinew.Scene({**bar, "objects": {"bar": {"mesh": chain}}}).to_dict()["objects"]["bar"]["mesh"]["arrays"]

    corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    pyramid = SimpleNamespace(
        points=corners + [0, -3, 0], cells=[SimpleNamespace(type="tetra", data=[[0, 1, 2, 3]]),
                                            SimpleNamespace(type="triangle", data=faces)]
    )
    bar["objects"]["bar"]["mesh"] = {"box": {"cells": 1}}
    for key in ("mesh", "arrays"):
        bar["colliders"] = {"pyramid": {"shape": {key: pyramid}}}
        s = sinew.Simulation(bar)
        assert numpy.array_equal(s.collider(sinew.Collider(0)).triangles, faces)


def test_faults(bar):
    for mesh, text in (
        (SimpleNamespace(points=numpy.eye(3), cells=[("hexahedron", [[0] * 8])]), "hexahedron.*tetra or triangle"),
        (SimpleNamespace(points=numpy.zeros(3), cells=[]), r"\(3,\)"),
        (SimpleNamespace(points=numpy.eye(3), cells=[("tetra", [[0, 1, 2, 3]])]), "3 vertices"),
        (SimpleNamespace(points=numpy.eye(3) * numpy.nan, cells=[("triangle", [[0, 1, 2]])]), "not finite"),
    ):
        bar["objects"]["bar"]["mesh"] = mesh
        with pytest.raises(sinew.Error, match=text) as error:
            sinew.Simulation(bar)
        assert "objects.bar.mesh" in str(error.value)
