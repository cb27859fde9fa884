"""Meshes of other packages, as scenes have them."""

import warnings

import numpy

from sinew._error import Error

# meshio's names of cells, and what scenes call their arrays.
CELLS = {"tetra": "tets", "tetra10": "tets", "triangle": "triangles", "line": "edges"}

# The rows of what scenes call arrays: how many columns, and what they are.
ROWS = {
    "vertices": (3, "x, y and z of each"),
    "tets": (4, "four vertices of each"),
    "triangles": (3, "three vertices of each"),
    "edges": (2, "two vertices of each"),
}

# The ends of the edges of a tetra10, in the order of its middles.
EDGES = numpy.array([[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]])

# The faces of a tet, counter-clockwise from outside.
FACES = numpy.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])

# What curved edges may be off the middle, as a part of their length.
STRAIGHT = 1e-3


def check_shape(key, shape, path):
    """Raises an Error where one of a scene's arrays has rows of another length. A list without rows is left to the engine.

    key: of the array in `arrays`; what else stands there has no rows to check.
    """
    if key not in ROWS or len(shape) < 2:
        return
    columns, meaning = ROWS[key]
    if len(shape) == 2 and shape[1] == columns:
        return
    remedy = f"give the shape (N, {columns}): {meaning}"
    if key == "tets" and shape[1:] == (10,):
        remedy = 'give the corners, the columns 0 to 3, and the object "element": "quadratic"'
    elif key == "vertices" and shape[1:] == (2,):
        remedy += "; of a mesh in a plane z is 0"
    raise Error(path, f"has the shape {shape}", remedy)


def arrays_of(mesh, path, kinds):
    """The arrays of a sinew.Mesh or of a meshio.Mesh; None: it is neither.

    kinds: which cells are looked for; the first that there are is taken. Of a sinew.Mesh, which has tets alone, the
    triangles are those of its surface.
    """
    if hasattr(mesh, "vertices") and hasattr(mesh, "tets"):
        if "tets" not in kinds:
            return _surface_of(numpy.asarray(mesh.vertices, dtype=float), numpy.asarray(mesh.tets), path)
        return {"vertices": mesh.vertices, "tets": mesh.tets}
    if hasattr(mesh, "points") and hasattr(mesh, "cells"):
        return _of_meshio(mesh, path, kinds)
    return None


def _surface_of(vertices, tets, path):
    """The faces of one tet alone, counter-clockwise from outside, with their vertices."""
    if tets.ndim != 2 or tets.shape[1] != 4 or tets.dtype.kind not in "iu" or vertices.ndim != 2:
        raise Error(path, f"has tets of the shape {tets.shape}", "give four vertices of each")
    if tets.size and not (0 <= tets.min() and tets.max() < len(vertices)):
        raise Error(path, f"names vertices that are not among its {len(vertices)}", "count them from 0")
    corners = vertices[tets]
    is_left = numpy.linalg.det(corners[:, 1:] - corners[:, :1]) < 0
    tets = numpy.where(is_left[:, None], tets[:, [0, 2, 1, 3]], tets)
    faces = tets[:, FACES].reshape(-1, 3)
    _, first, count = numpy.unique(numpy.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    used, triangles = numpy.unique(faces[numpy.sort(first[count == 1])], return_inverse=True)
    return {"vertices": vertices[used], "triangles": triangles.reshape(-1, 3)}


def _of_meshio(mesh, path, kinds):
    points = numpy.asarray(mesh.points, dtype=float)
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        raise Error(path, f"has points of the shape {points.shape}", "give x, y and z of each")
    if points.shape[1] == 2:
        points = numpy.column_stack([points, numpy.zeros(len(points))])
    blocks = [_block(block) for block in mesh.cells]
    for kind, key in CELLS.items():
        of_kind = [numpy.asarray(cells) for name, cells in blocks if name == kind]
        if key in kinds and of_kind:
            cells = numpy.concatenate(of_kind)
            return _corners_of(points, cells, path) if kind == "tetra10" else {"vertices": points, key: cells}
    found = ", ".join(dict.fromkeys(name for name, _ in blocks)) or "none"
    wanted = " or ".join(name for name, key in CELLS.items() if key in kinds)
    raise Error(path, f"has cells of the kinds: {found}", f"give {wanted}")


def _corners_of(points, cells, path):
    """Ten-node tets by their corners: scenes say with "element" whether tets get middles, which are straight."""
    if cells.ndim != 2 or cells.shape[1] != 10:
        raise Error(path, f"has cells tetra10 of the shape {cells.shape}", "give ten nodes of each")
    if cells.size and not (0 <= cells.min() and cells.max() < len(points)):
        raise Error(path, f"names nodes that are not among its {len(points)} vertices", "count them from 0")
    first, second = points[cells[:, EDGES[:, 0]]], points[cells[:, EDGES[:, 1]]]
    off = numpy.linalg.norm(points[cells[:, 4:]] - (first + second) / 2, axis=2)
    length = numpy.linalg.norm(second - first, axis=2)
    curved = off > STRAIGHT * length
    if curved.any():
        warnings.warn(
            f"{path}: {curved.sum()} of {curved.size} middles of its tets are off the middles of their edges, by "
            f"{off.max():.3g} m at most: the edges are taken straight",
            stacklevel=2,
        )
    is_middle = numpy.zeros(len(points), dtype=bool)
    is_middle[cells[:, 4:]] = True
    is_middle[cells[:, :4]] = False
    number = numpy.cumsum(~is_middle) - 1
    return {"vertices": points[~is_middle], "tets": number[cells[:, :4]]}


def _block(block):
    return (block.type, block.data) if hasattr(block, "type") else tuple(block)
