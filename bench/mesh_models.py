"""The models of bench/mesh-campaign: surfaces of CGAL's data, some broken on purpose, and shapes."""

import os
from dataclasses import dataclass
from typing import Callable, Optional

import numpy as np

import mesh_judge as judge

# Closed surfaces, by file: scans, characters, knots, machine parts; with the difficulty of each.
CLOSED = {name: name + ".off" for name in (
    "armadillo", "bunny00", "bear", "bull", "camel", "man", "homer", "dino", "triceratops", "cow", "elephant", "hand",
    "elk", "retinal", "femur", "bones", "eight", "knot1", "knot2", "cheese", "anchor_dense", "couplingdown", "fandisk",
    "turbine", "rotor_small", "helmet")}

SHARP = {"cheese", "anchor_dense", "couplingdown", "fandisk", "turbine", "rotor_small"}  # with sharp edges to keep


@dataclass
class Broken:
    """A file as it is, or one with damaged triangles; `whole` is the undamaged surface."""
    file: str
    fault: str
    whole: Optional[str] = None
    spoil: Optional[Callable] = None

    def files(self, surfaces, folder):
        source = os.path.join(surfaces, self.file)
        if self.spoil:
            points, triangles = self.spoil(*judge.read_surface(source), np.random.default_rng(1))
            source = os.path.join(folder, "%s-%s.off" % (os.path.splitext(self.file)[0], self.spoil.__name__))
            judge.write_off(source, points, triangles)
        return source, self.whole and os.path.join(surfaces, self.whole)


def soup(points, triangles, random):
    """No two triangles share a vertex, and each corner is displaced by a thousandth of the longest side."""
    corners = points[triangles].reshape(-1, 3)
    return corners + random.normal(0, 1e-3 * np.ptp(points, axis=0).max() / 3, corners.shape), np.arange(len(corners)).reshape(-1, 3)


def flipped(points, triangles, random):
    """A tenth of the triangles flipped."""
    wrong = random.random(len(triangles)) < 0.1
    return points, np.where(wrong[:, None], triangles[:, ::-1], triangles)


def doubled(points, triangles, random):
    """A tenth of the triangles doubled."""
    return points, np.concatenate([triangles, triangles[random.random(len(triangles)) < 0.1]])


def torn(points, triangles, random):
    """A twentieth of the triangles missing."""
    return points, triangles[random.random(len(triangles)) >= 0.05]


BROKEN = {
    "elephant-with-holes": Broken("elephant-with-holes.off", "holes all over", "elephant.off"),
    "b9_mesh": Broken("b9_mesh.off", "a scan of one side of a building, in 47 patches"),
    "ChineseDragon-10kv": Broken("ChineseDragon-10kv.off", "two small holes"),
    "diplodocus": Broken("diplodocus.off", "edges of four triangles"),
    "boeing": Broken("boeing.off", "a third of the triangles the wrong way round; wings are sheets"),
    "blobby-shuffled": Broken("blobby-shuffled.off", "every triangle either way round", "blobby.off"),
    "mannequin-devil": Broken("mannequin-devil.off", "open neck"),
    "lion-head": Broken("lion-head.off", "open neck"),
    "mech-holes-shark": Broken("mech-holes-shark.off", "large holes"),
    "pig": Broken("pig.stl", "1,296 open edges, as STL"),
    "camel, soup": Broken("camel.off", "no two triangles share a vertex; corners moved at random", "camel.off", soup),
    "bunny00, flipped": Broken("bunny00.off", "a tenth of the triangles the wrong way round", "bunny00.off", flipped),
    "bear, doubled": Broken("bear.off", "a tenth of the triangles twice", "bear.off", doubled),
    "hand, torn": Broken("hand.off", "a twentieth of the triangles missing", "hand.off", torn),
}


@dataclass
class Shape:
    """A shape as JSON; its volume and distance by independent formulas, if known."""
    shape: dict
    volume: Optional[float] = None
    distance: Optional[Callable] = None
    tets: Optional[float] = None  # if it needs more than the others


def rounded_box_volume(x, y, z, r):
    """A box of inner edges x, y, z expanded by r (Steiner's formula)."""
    return x * y * z + 2 * r * (x * y + y * z + z * x) + np.pi * r * r * (x + y + z) + 4 / 3 * np.pi * r ** 3


def rounded_box_distance(half, r):
    def distance(p):
        q = np.abs(p) - (np.array(half) - r)
        return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0) - r
    return distance


def drilled_ball_distance(p):
    """The ring between a sphere of radius 0.5 and a cylinder of 0.3, which meet at heights of 0.4. In the plane (r, y)."""
    r, y = np.hypot(p[:, 0], p[:, 2]), np.abs(p[:, 1])
    wall = np.hypot(r - 0.3, np.maximum(y - 0.4, 0))
    sphere = np.where(y * 0.3 <= r * 0.4, np.abs(np.hypot(r, y) - 0.5), np.hypot(r - 0.3, y - 0.4))
    return np.minimum(wall, sphere)


SHAPES = {
    "ball": Shape({"ball": {"radius": 0.5}}, 4 / 3 * np.pi * 0.125, lambda p: np.linalg.norm(p, axis=1) - 0.5),
    "torus": Shape({"torus": {"radius": 0.4, "tube_radius": 0.1}}, 2 * np.pi ** 2 * 0.4 * 0.01,
                   lambda p: np.hypot(np.hypot(p[:, 0], p[:, 2]) - 0.4, p[:, 1]) - 0.1),
    "rounded box": Shape({"rounded_box": {"size": [1, 0.6, 0.4], "edge_radius": 0.1}}, rounded_box_volume(0.8, 0.4, 0.2, 0.1),
                         rounded_box_distance([0.5, 0.3, 0.2], 0.1)),
    # The volume of a drilled ball depends only on the height of the ring.
    "drilled ball": Shape({"difference": {"parts": [{"ball": {"radius": 0.5}}, {"cylinder": {"radius": 0.3, "length": 2}}]}},
                          4 / 3 * np.pi * (0.5 ** 2 - 0.3 ** 2) ** 1.5, drilled_ball_distance),
    "blended union": Shape({"union": {"parts": [{"ball": {"radius": 0.3}},
                                                {"box": {"size": [0.9, 0.3, 0.3], "translate": [0.4, 0, 0]}},
                                                {"torus": {"radius": 0.35, "tube_radius": 0.08, "translate": [0, 0.2, 0]}}],
                                      "blend": 0.1}}),
    "squishy ball": Shape({"ball_with_tentacles": {}}, tets=7e5),
    "octopus": Shape({"octopus": {}}),
    "spindle bundle": Shape({"spindle_bundle": {}}),
    "grown bundle": Shape({"spindle_bundle": {"gap": -0.02}}),
    "bowl": Shape({"bowl": {}}),
}
