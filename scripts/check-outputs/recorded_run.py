"""Reads the output folder of a run as far as the checks need it: run.json and surface/*.bin.

The layouts are those of src/record/envelope.h and src/record/surface_store.h; docs/output.md describes them.
"""

import glob
import json
import os
import struct
import sys

import numpy

ENVELOPE = 32


class Surface:
    """An object's boundary or skin: name, file, vertices (indices in the whole mesh; empty for a skin), rest,
    triangles, materials (one per triangle, or none), first (index of its first point)."""


class Run:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
            self.info = json.load(file)
        self.surfaces = self._rest()
        paths = glob.glob(os.path.join(folder, "surface", "frame_*.bin"))
        self.frames = sorted(int(os.path.basename(p)[6:-4]) for p in paths)

    def _rest(self):
        data = _payload(os.path.join(self.folder, "surface", "rest.bin"), b"SINEWRST")
        at = 0

        def number():
            nonlocal at
            at += 8
            return struct.unpack_from("=Q", data, at - 8)[0]

        def text():
            nonlocal at
            size = number()
            at += size
            return data[at - size : at].decode("utf-8")

        def array(kind, count, columns):
            nonlocal at
            values = numpy.frombuffer(data, kind, count * columns, at)
            at += values.nbytes
            return values.reshape(count, columns) if columns > 1 else values

        surfaces, first = [], 0
        for _ in range(number()):
            surface = Surface()
            surface.name, surface.file = text(), text()
            points, vertices, triangles = number(), number(), number()
            surface.vertices = array("i4", vertices, 1)
            surface.rest = array("f8", points, 3)
            surface.triangles = array("i4", triangles, 3)
            surface.materials = array("i4", number(), 1)
            surface.first = first
            first += points
            surfaces.append(surface)
        return surfaces

    def frame(self, number):
        """Time [s] and positions of all surfaces' points at a frame, in the precision of the run."""
        data = _payload(os.path.join(self.folder, "surface", "frame_%06d.bin" % number), b"SINEWSRF")
        _, time, _, points, _, _, size, _, _ = struct.unpack_from("=qdqQQQQQQ", data, 0)
        return time, numpy.frombuffer(data, "f%d" % size, 3 * points, 72).reshape(points, 3)

    def origin(self):
        """The origin of the coordinates of OBJ files and caches."""
        with open(os.path.join(self.folder, "surface", "origin.json"), encoding="utf-8") as file:
            return numpy.array(json.load(file)["origin"])

    def points_of(self, surface, positions):
        return positions[surface.first : surface.first + len(surface.rest)]


def _payload(path, magic):
    with open(path, "rb") as file:
        data = file.read()
    expect(data[:8] == magic, "%s does not begin with %s" % (path, magic.decode()))
    expect(struct.unpack_from("=Q", data, 16)[0] == len(data) - ENVELOPE, "%s is not whole" % path)
    return data[ENVELOPE:]


def expect(condition, message):
    if not condition:
        print("failed: " + message)
        sys.stdout.flush()
        # Blender and pvpython both turn this into exit status 1.
        raise SystemExit(1)
