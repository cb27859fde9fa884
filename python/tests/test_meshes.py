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


def test_of_ten_node_tets(bar):
    """In the order of VTK and meshio: middles 01 12 02 03 13 23, which scenes add again where they are asked to."""
    bar["pins"], bar["probes"] = [], {}
    corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    ends = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]]
    middles = numpy.array([(corners[a] + corners[b]) / 2 for a, b in ends])
    # The middles first, so that corners have other numbers.
    points, cell = numpy.vstack([middles, corners]), [[6, 7, 8, 9, 0, 1, 2, 3, 4, 5]]
    bar["objects"]["bar"]["mesh"] = SimpleNamespace(points=points, cells=[("tetra10", cell)])
    s = sinew.Simulation(bar)
    assert numpy.array_equal(s.rest_positions, corners) and numpy.array_equal(s.tets, [[0, 1, 2, 3]])
    bar["objects"]["bar"]["element"] = "quadratic"
    s = sinew.Simulation(bar)
    assert s.vertex_count == 10 and s.middles.shape == (1, 6)
    assert numpy.allclose(s.rest_positions[s.middles[0, 0]], (corners[0] + corners[1]) / 2)
    points[0] += [0, 0.01, 0]
    with pytest.warns(UserWarning, match="1 of 6 middles.*0.01 m"):
        sinew.Simulation(bar)
    bar["objects"]["bar"]["mesh"] = SimpleNamespace(points=points, cells=[("tetra10", [[0, 1, 2, 99]])])
    with pytest.raises(sinew.Error, match="ten nodes"):
        sinew.Simulation(bar)


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


def test_of_the_mesher_as_colliders(bar, ball):
    bar["pins"], bar["probes"] = [], {}
    place = {"translate": [0, -3, 0]}
    surface = sinew.Simulation({**bar, "objects": {"bar": {"mesh": ball, "material": "rubber"}}}).surface(0)
    mirrored = SimpleNamespace(vertices=ball.vertices, tets=ball.tets[:, [1, 0, 2, 3]])
    for shape in ({"mesh": ball}, {"arrays": ball}, {"mesh": mirrored}):
        bar["colliders"] = {"ball": {"shape": shape, "transform": place}}
        s = sinew.Simulation(bar)
        collider = s.collider(sinew.Collider(0))
        triangles = numpy.asarray(collider.vertices)[collider.triangles]
        expected = ball.vertices[surface] + place["translate"]

        def sorted_rows(of):  # each from its least corner on, which keeps the sense
            turned = [numpy.roll(t, -min(range(3), key=lambda k: tuple(t[k])), axis=0).ravel() for t in of.round(9)]
            return numpy.array(sorted(map(tuple, turned)))

        assert numpy.allclose(sorted_rows(triangles), sorted_rows(expected), atol=1e-8)
        s.step()
        place_of_other = {"translate": [0, -6, 0]}
        assert s.add_collider("other", {"shape": shape, "transform": place_of_other}).number == 1
    bar["colliders"]["ball"]["shape"] = {"mesh": SimpleNamespace(vertices=ball.vertices, tets=[[0, 1, 2, 9999]])}
    with pytest.raises(sinew.Error, match="colliders.ball.shape.mesh: names vertices"):
        sinew.Simulation(bar)


def test_faults(bar):
    for mesh, text in (
        (SimpleNamespace(points=numpy.eye(3), cells=[("hexahedron", [[0] * 8])]), "hexahedron.*tetra or tetra10 or"),
        (SimpleNamespace(points=numpy.zeros(3), cells=[]), r"\(3,\)"),
        (SimpleNamespace(points=numpy.eye(3), cells=[("tetra", [[0, 1, 2, 3]])]), "3 vertices"),
        (SimpleNamespace(points=numpy.eye(3) * numpy.nan, cells=[("triangle", [[0, 1, 2]])]), "not finite"),
    ):
        bar["objects"]["bar"]["mesh"] = mesh
        with pytest.raises(sinew.Error, match=text) as error:
            sinew.Simulation(bar)
        assert "objects.bar.mesh" in str(error.value)


CORNERS = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
TET = {"vertices": CORNERS, "tets": [[0, 1, 2, 3]]}


@pytest.mark.parametrize(
    "key, value, what, remedy",
    [
        ("vertices", CORNERS.T, "shape (3, 4)", "(N, 3)"),
        ("vertices", CORNERS[:, :2], "shape (4, 2)", "z is 0"),
        ("vertices", CORNERS[None], "shape (1, 4, 3)", "(N, 3)"),
        ("vertices", [[0, 0, 0], [1, 0]], "different lengths", "array"),
        ("tets", [[0, 1, 2]], "shape (1, 3)", "(N, 4)"),
        ("tets", [list(range(10))], "shape (1, 10)", '"element": "quadratic"'),
        ("triangles", [[0, 1, 2, 3]], "shape (1, 4)", "(N, 3)"),
        ("edges", [[0, 1, 2]], "shape (1, 3)", "(N, 2)"),
        ("vertices", CORNERS.astype(complex), "complex128", "float64"),
        ("vertices", CORNERS.astype(numpy.longdouble), "float", "float64"),
        ("tets", numpy.array([[0, 1, 2, 3]], dtype="datetime64[s]"), "datetime64", "whole numbers"),
    ],
)
def test_arrays_of_a_wrong_shape_or_type(bar, key, value, what, remedy):
    bar["pins"], bar["probes"] = [], {}
    bar["objects"]["bar"]["mesh"] = {"arrays": {**TET, key: value}}
    with pytest.raises(sinew.Error) as raised:
        sinew.Simulation(bar)
    assert raised.value.where == f"objects.bar.mesh.arrays.{key}"
    assert what in raised.value.what and remedy in raised.value.remedy


def test_arrays_with_and_without_rows(bar):
    bar["pins"], bar["probes"] = [], {}
    rows = {"vertices": CORNERS.tolist(), "tets": [[0, 1, 2, 3]]}
    flat = {"vertices": CORNERS.ravel(), "tets": [0, 1, 2, 3]}
    for arrays in (TET, rows, flat):
        bar["objects"]["bar"]["mesh"] = {"arrays": arrays}
        assert numpy.array_equal(sinew.Simulation(bar).rest_positions, CORNERS)
    bar["objects"]["bar"]["mesh"] = {"arrays": {**flat, "vertices": [0, 1]}}
    with pytest.raises(sinew.Error, match="three for each vertex"):
        sinew.Simulation(bar)
