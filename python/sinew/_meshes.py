"""Meshes of other packages, as scenes have them."""

import numpy

from sinew._error import Error

# meshio's names of cells, and what scenes call their arrays.
CELLS = {"tetra": "tets", "triangle": "triangles", "line": "edges"}


def arrays_of(mesh, path, kinds):
    """The arrays of a sinew.Mesh or of a meshio.Mesh; None: it is neither.

    kinds: which cells are looked for; the first that there are is taken.
    """
    if hasattr(mesh, "vertices") and hasattr(mesh, "tets"):
        return {"vertices": mesh.vertices, "tets": mesh.tets}
    if hasattr(mesh, "points") and hasattr(mesh, "cells"):
        return _of_meshio(mesh, path, kinds)
    return None


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
            return {"vertices": points, key: numpy.concatenate(of_kind)}
    found = ", ".join(dict.fromkeys(name for name, _ in blocks)) or "none"
    wanted = " or ".join(name for name, key in CELLS.items() if key in kinds)
    raise Error(path, f"has cells of the kinds: {found}", f"give {wanted}")


def _block(block):
    return (block.type, block.data) if hasattr(block, "type") else tuple(block)
