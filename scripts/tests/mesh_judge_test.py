"""bench/mesh_judge.py: meshes with known volume, angles, topology and distances, and damaged ones."""

import importlib.util
import itertools
import os
import tempfile
import unittest

try:
    import numpy as np
    import scipy.spatial  # noqa: F401
except ImportError as missing:
    raise unittest.SkipTest("%s; on Debian: python3-numpy python3-scipy" % missing)

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "mesh_judge.py")
spec = importlib.util.spec_from_file_location("mesh_judge", PATH)
judge = importlib.util.module_from_spec(spec)
spec.loader.exec_module(judge)

# The unit cube of five tets: a regular one within, whose edges are diagonals, and a corner at each of its faces.
CUBE = np.array(list(itertools.product((0.0, 1.0), repeat=3)))  # vertex 4 x + 2 y + z
FIVE = np.array([[0, 3, 5, 6], [1, 0, 3, 5], [2, 0, 6, 3], [4, 0, 5, 6], [7, 3, 6, 5]])
FIVE = np.where((judge.tet_volumes(CUBE, FIVE) < 0)[:, None], FIVE[:, [1, 0, 2, 3]], FIVE)


def torus(rings, sides):
    """A torus with radii 1 and 0.25."""
    u, v = np.meshgrid(np.arange(rings) * 2 * np.pi / rings, np.arange(sides) * 2 * np.pi / sides, indexing="ij")
    around = 1 + 0.25 * np.cos(v)
    points = np.stack([around * np.cos(u), around * np.sin(u), 0.25 * np.sin(v)], axis=-1).reshape(-1, 3)
    at = lambda i, j: (i % rings) * sides + j % sides
    triangles = [t for i in range(rings) for j in range(sides)
                 for t in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
    return points, np.array(triangles)


def found_pinches(tets):
    return judge.pinched_vertices(judge.boundary(tets)[0])


class Tets(unittest.TestCase):
    def test_cube_of_five(self):
        found = judge.judge_topology(CUBE, FIVE)
        self.assertEqual({key: found[key] for key in ("tets", "vertices", "inverted", "duplicates", "unused",
                                                      "crowded_faces", "open_edges", "pinched_edges", "pinched_vertices", "components",
                                                      "boundary_components", "euler")},
                         {"tets": 5, "vertices": 8, "inverted": 0, "duplicates": 0, "unused": 0, "crowded_faces": 0,
                          "open_edges": 0, "pinched_edges": 0, "pinched_vertices": 0, "components": 1, "boundary_components": 1, "euler": 2})
        shape, angles = judge.judge_shape(CUBE, FIVE)
        # Rounding alone: a few operations on numbers of size 1.
        self.assertAlmostEqual(shape["volume"], 1, 12)
        # Between faces of the regular tet acos(1/3); of a corner acos(1/sqrt 3) at the diagonals, else 90 degrees.
        np.testing.assert_allclose(angles[0], np.degrees(np.arccos(1 / 3)), atol=1e-10)
        corner = np.sort(angles[1])
        np.testing.assert_allclose(corner, 3 * [np.degrees(np.arccos(1 / np.sqrt(3)))] + 3 * [90], atol=1e-10)

    def test_boundary_of_the_cube_is_seen_from_outside(self):
        skin, crowded = judge.boundary(FIVE)
        self.assertEqual((len(skin), crowded), (12, 0))
        self.assertTrue(judge.is_closed(skin))
        self.assertAlmostEqual(judge.enclosed_volume(CUBE, skin), 1, 12)

    def test_flipped_and_duplicate_are_found(self):
        flipped = FIVE.copy()
        flipped[2] = flipped[2, [1, 0, 2, 3]]
        self.assertEqual(judge.judge_topology(CUBE, flipped)["inverted"], 1)
        twice = np.concatenate([FIVE, FIVE[[3]][:, [2, 0, 1, 3]]])
        found = judge.judge_topology(CUBE, twice)
        self.assertEqual((found["duplicates"], found["crowded_faces"]), (1, 1))

    def test_pieces_and_what_joins_them_are_counted(self):
        apart = judge.judge_topology(np.concatenate([CUBE, CUBE + 5, CUBE[:1]]), np.concatenate([FIVE, FIVE + 8]))
        self.assertEqual((apart["components"], apart["boundary_components"], apart["euler"], apart["unused"]), (2, 2, 4, 1))
        self.assertEqual(apart["largest_share"], 0.5)
        # Two corners of the cube alone meet in an edge that four faces of the boundary share: closed, but not manifold.
        pair = judge.judge_topology(CUBE, FIVE[[1, 2]])
        self.assertEqual((pair["components"], pair["open_edges"], pair["pinched_edges"]), (1, 0, 1))
        self.assertEqual(found_pinches(FIVE[[1, 2]]), 0)
        # Two tets that share a vertex and nothing else.
        touching = np.array([[0, 1, 2, 3], [0, 4, 5, 6]])
        self.assertEqual(found_pinches(touching), 1)
        self.assertEqual(judge.judge_topology(CUBE, touching)["euler"], 4)  # of two spheres

    def test_a_missing_tet_makes_a_cavity(self):
        grid = np.array(list(itertools.product(range(4), repeat=3)), dtype=float)
        tets = []
        for x, y, z in itertools.product(range(3), repeat=3):
            if (x, y, z) == (1, 1, 1):
                continue
            for order in itertools.permutations(range(3)):  # Kuhn's six
                corner, tet = [x, y, z], [16 * x + 4 * y + z]
                for axis in order:
                    corner[axis] += 1
                    tet.append(16 * corner[0] + 4 * corner[1] + corner[2])
                tets.append(tet)
        tets = np.array(tets)
        tets = np.where((judge.tet_volumes(grid, tets) < 0)[:, None], tets[:, [1, 0, 2, 3]], tets)
        found = judge.judge_topology(grid, tets)
        self.assertEqual((found["components"], found["boundary_components"], found["euler"]), (1, 2, 4))
        self.assertAlmostEqual(judge.enclosed_volume(grid, judge.boundary(tets)[0]), 26, 12)


class Surfaces(unittest.TestCase):
    def test_torus(self):
        points, triangles = torus(40, 20)
        self.assertEqual(judge.euler_characteristic(triangles), 0)
        self.assertTrue(judge.is_closed(triangles))
        self.assertEqual(judge.components(triangles)[0], 1)
        # Polygons of 40 and 20 sides have 0.9959 and 0.9836 of the areas of the circles around them; 0.9795 of the
        # volume, but for how the quads are cut in two.
        self.assertAlmostEqual(abs(judge.enclosed_volume(points, triangles)) / (2 * np.pi ** 2 / 16), 0.9795, delta=5e-3)

    def test_open_and_flipped_are_not_closed(self):
        _, triangles = torus(10, 8)
        self.assertFalse(judge.is_closed(triangles[1:]))
        turned = triangles.copy()
        turned[5] = turned[5, ::-1]
        self.assertFalse(judge.is_closed(turned))

    def test_soup_is_merged_when_read(self):
        points, triangles = torus(10, 8)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "soup.off")
            judge.write_off(path, points[triangles].reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
            read_points, read_triangles = judge.read_surface(path)
        self.assertEqual((len(read_points), len(read_triangles)), (80, 160))
        self.assertTrue(judge.is_closed(read_triangles))

    def test_tets_are_read_as_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cube.mesh")
            judge.write_tets(path, CUBE, FIVE)
            points, tets = judge.read_tets(path)
        np.testing.assert_array_equal(points, CUBE)
        np.testing.assert_array_equal(tets, FIVE)


class Distances(unittest.TestCase):
    def test_every_region_of_a_triangle(self):
        a, b, c = np.zeros(3), np.array([4.0, 0, 0]), np.array([0, 4.0, 0])
        cases = [((1, 1, 3), 3), ((2, -3, 4), 5), ((-3, 1, 4), 5), ((4, 4, 0), np.sqrt(8)),  # face and edges
                 ((-3, -4, 0), 5), ((7, 0, 4), 5), ((0, 7, -4), 5)]                           # corners
        found = judge.point_triangle_distance(np.array([p for p, _ in cases], dtype=float), *(np.tile(q, (len(cases), 1)) for q in (a, b, c)))
        np.testing.assert_allclose(found, [d for _, d in cases], atol=1e-14)

    def test_nearest_of_all_however_large_the_pieces(self):
        # Against every triangle in turn; long thin ones whose centroids mislead, with and without small pieces.
        random = np.random.default_rng(3)
        points = random.random((60, 3)) * [10, 1, 1]
        triangles = random.integers(0, 60, (80, 3))
        triangles = triangles[[len(set(t)) == 3 for t in triangles]]
        queries = random.random((300, 3)) * [10, 2, 2]
        all_of_them = np.min([judge.point_triangle_distance(queries, *(np.tile(points[v], (300, 1)) for v in t))
                              for t in triangles], axis=0)
        for size in (0.2, 1, 100):
            np.testing.assert_allclose(judge.Surface(points, triangles, size).distance(queries), all_of_them, atol=1e-12)

    def test_pieces_cover_their_triangle(self):
        points = np.array([[0, 0, 0], [9, 0, 0], [0, 1, 0.0]])
        pieces, owner = judge.subdivided(points, np.array([[0, 1, 2]]), 0.7)
        area = np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1) / 2
        self.assertAlmostEqual(area.sum(), 4.5, 12)
        self.assertLessEqual(np.linalg.norm(pieces - np.roll(pieces, 1, axis=1), axis=2).max(), 0.7)
        self.assertEqual(set(owner), {0})

    def test_samples_are_weighed_by_area(self):
        # In a square, the half below its diagonal is far.
        points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]])
        samples, areas = judge.Surface(points, np.array([[0, 1, 2], [0, 2, 3]]), 0.2).samples()
        self.assertAlmostEqual(areas.sum(), 1, 12)
        found = judge.distance_summary(np.where(samples[:, 0] > samples[:, 1], 0.5, 0.1), areas)
        self.assertAlmostEqual(found["share"], 0.5, 12)
        self.assertAlmostEqual(found["rms"], np.sqrt((0.25 + 0.01) / 2), 12)
        self.assertEqual(found["max"], 0.5)


class WhatAMeshCannotKeep(unittest.TestCase):
    @staticmethod
    def cube(low, high, outward=True):
        points = low + CUBE * (high - low)
        triangles = judge.boundary(FIVE)[0]
        return points, triangles if outward else triangles[:, ::-1]

    @classmethod
    def shell(cls, low, high):
        """A unit cube with a hollow from low to high."""
        (p, t), (q, u) = cls.cube(np.zeros(3), np.ones(3)), cls.cube(np.asarray(low), np.asarray(high), outward=False)
        return np.concatenate([p, q]), np.concatenate([t, u + len(p)])

    def test_finds_the_thinnest_wall_of_a_hollow_cube(self):
        points, triangles = self.shell([0.3, 0.3, 0.125], [0.7, 0.7, 0.625])
        wall, gap = judge.narrowest(points, triangles, 0.4375)
        self.assertAlmostEqual(wall, 0.125, places=12)
        self.assertAlmostEqual(gap, 0.4, places=12)
        self.assertEqual(judge.narrowest(points, triangles[:, ::-1], 0.4375), (wall, gap))

    def test_finds_the_gap_between_two_cubes(self):
        (p, t), (q, u) = self.cube(np.zeros(3), np.ones(3)), self.cube(np.array([1.0625, 0, 0]), np.array([2.0625, 1, 1]))
        wall, gap = judge.narrowest(np.concatenate([p, q]), np.concatenate([t, u + len(p)]), 0.5)
        self.assertAlmostEqual(gap, 0.0625, places=12)
        self.assertEqual(wall, 0.5)  # nothing as near as that

    def test_counts_pairs_that_cross(self):
        self.assertEqual(judge.crossing_pairs(*torus(24, 12)), 0)
        points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -1], [0.2, 0.2, 1], [0.2, 5, 0], [5, 5, 5], [6, 5, 5], [5, 6, 5]], float)
        self.assertEqual(judge.crossing_pairs(points, np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8]])), 1)


if __name__ == "__main__":
    unittest.main()
