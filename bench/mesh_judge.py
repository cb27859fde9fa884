"""Judges a tetrahedral mesh independently of the program that made it, with numpy and scipy only.

A surface is (vertices, triangles), a mesh (vertices, tets): arrays of floats (n, 3) and of whole numbers (m, 3 or 4). A
tet (a, b, c, d) has volume (b - a) . ((c - a) x (d - a)) / 6, positive if it is not inverted. Distances between points
and triangles are exact; only the points are samples.
"""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])  # of a tet of positive volume, seen from outside
EDGES = [(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1)]  # and the two others


# ---------------------------------------------------------------------------------------------------------- reading

def read_surface(path):
    """OFF or STL. Polygons become fans; in a surface that is not closed, coincident vertices are merged."""
    if path.endswith(".stl"):
        with open(path, "rb") as file:
            data = file.read()
        count = int(np.frombuffer(data, "<u4", 1, 80)[0]) if len(data) > 84 else -1
        if len(data) == 84 + 50 * count:
            facets = np.frombuffer(data, np.dtype([("n", "<f4", 3), ("p", "<f4", (3, 3)), ("a", "<u2")]), count, 84)
            points = facets["p"].reshape(-1, 3).astype(float)
        else:
            words = [line.split()[1:] for line in data.decode().splitlines() if line.strip().startswith("vertex")]
            points = np.array(words, dtype=float)
        return merged(points, np.arange(len(points)).reshape(-1, 3))
    with open(path, errors="replace") as file:
        lines = [line.split("#")[0].split() for line in file]
    lines = [words for words in lines if words]
    if lines[0][0].endswith("OFF"):
        lines[0] = lines[0][1:]
        lines = lines[1:] if not lines[0] else lines
    count, faces = int(lines[0][0]), int(lines[0][1])
    points = np.array([words[:3] for words in lines[1:1 + count]], dtype=float)
    triangles = []
    for words in lines[1 + count:1 + count + faces]:
        corners = [int(word) for word in words[1:1 + int(words[0])]]
        triangles += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    triangles = np.array(triangles, dtype=np.int64).reshape(-1, 3)
    return compact(points, triangles) if is_closed(triangles) else merged(points, triangles)


def merged(points, triangles):
    """Merges coincident vertices; drops triangles with coincident corners and unused vertices."""
    places, which = np.unique(points + 0.0, axis=0, return_inverse=True)
    triangles = which.reshape(-1)[triangles]
    apart = (triangles[:, 0] != triangles[:, 1]) & (triangles[:, 1] != triangles[:, 2]) & (triangles[:, 2] != triangles[:, 0])
    return compact(places, triangles[apart])


def compact(points, cells):
    """Only the vertices that the cells use."""
    used, which = np.unique(cells, return_inverse=True)
    return points[used], which.reshape(cells.shape)


def write_off(path, points, triangles):
    with open(path, "w") as file:
        file.write("OFF\n%d %d 0\n" % (len(points), len(triangles)))
        np.savetxt(file, points, "%.17g")
        np.savetxt(file, np.column_stack([np.full(len(triangles), 3), triangles]), "%d")


def read_tets(path):
    """Medit's text, with vertices and tetrahedra."""
    with open(path) as file:
        text = file.read()

    def section(name, columns):
        start = text.index(name) + len(name)
        end_of_count = text.index("\n", start + 1)
        count = int(text[start:end_of_count])
        rows = np.fromstring(text[end_of_count:], sep=" ", count=count * columns)
        return rows.reshape(count, columns)

    return section("Vertices\n", 4)[:, :3].copy(), section("Tetrahedra\n", 5)[:, :4].astype(np.int64) - 1


def write_tets(path, points, tets):
    with open(path, "w") as file:
        file.write("MeshVersionFormatted 2\nDimension 3\nVertices\n%d\n" % len(points))
        np.savetxt(file, np.column_stack([points, np.zeros(len(points))]), "%.9g %.9g %.9g %d")
        file.write("Tetrahedra\n%d\n" % len(tets))
        np.savetxt(file, np.column_stack([tets + 1, np.zeros(len(tets), dtype=int)]), "%d")
        file.write("End\n")


# ------------------------------------------------------------------------------------------------------------- tets

def tet_volumes(points, tets):
    a, b, c, d = (points[tets[:, k]] for k in range(4))
    return np.einsum("ij,ij->i", b - a, np.cross(c - a, d - a)) / 6


def dihedral_angles(points, tets):
    """[degrees], (tets, 6): between the two faces at each edge, from 0 to 180."""
    angles = np.empty((len(tets), 6))
    for column, (i, j, k, l) in enumerate(EDGES):
        origin = points[tets[:, i]]
        along = points[tets[:, j]] - origin
        first = np.cross(along, points[tets[:, k]] - origin)
        second = np.cross(along, points[tets[:, l]] - origin)
        sine = np.linalg.norm(np.cross(first, second), axis=1)
        angles[:, column] = np.degrees(np.arctan2(sine, np.einsum("ij,ij->i", first, second)))
    return angles


def duplicate_tets(tets):
    """The number of tets with the same four corners as an earlier one."""
    return len(tets) - len(np.unique(row_keys(np.sort(tets, axis=1))))


def row_keys(rows):
    """A number for each row of whole numbers >= 0, equal for equal rows: much faster to sort than rows."""
    base = int(rows.max(initial=0)) + 1
    keys = rows[:, 0]
    for column in range(1, rows.shape[1]):
        if float(base) * (float(keys.max(initial=0)) + 1) > 2 ** 62:
            keys = np.unique(keys, return_inverse=True)[1].reshape(-1)
        keys = keys * base + rows[:, column]
    return keys


def boundary(tets):
    """The faces of one tet only, oriented outwards, and the number of faces of more than two tets."""
    faces = tets[:, FACES].reshape(-1, 3)
    _, first, counts = np.unique(row_keys(np.sort(faces, axis=1)), return_index=True, return_counts=True)
    return faces[np.sort(first[counts == 1])], int(np.sum(counts > 2))


def components(cells):
    """The component of each cell; cells that share a vertex have the same."""
    if not len(cells):
        return 0, np.zeros(0, dtype=int)
    corners = cells.shape[1]
    rows = np.repeat(cells[:, 0], corners - 1)
    graph = coo_matrix((np.ones(len(rows)), (rows, cells[:, 1:].reshape(-1))), shape=(cells.max() + 1,) * 2)
    _, label = connected_components(graph, directed=False)
    present, of_cell = np.unique(label[cells[:, 0]], return_inverse=True)
    return len(present), of_cell


# --------------------------------------------------------------------------------------------------------- surfaces

def edge_counts(triangles):
    """Each edge once, its number of triangles, and the excess of one direction over the other."""
    ways = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    _, first, which, counts = np.unique(row_keys(np.sort(ways, axis=1)), return_index=True, return_inverse=True,
                                        return_counts=True)
    balance = np.bincount(which.reshape(-1), np.where(ways[:, 0] < ways[:, 1], 1, -1), minlength=len(counts))
    return ways[first], counts, np.abs(balance).astype(int)


def pinched_vertices(triangles):
    """The number of vertices where parts of a surface touch without a common edge: more than one fan around them."""
    count = len(triangles)
    corner = np.arange(3 * count).reshape(3, count)  # corner[k, t]: the k-th of triangle t
    ways = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    starts, ends = corner.reshape(-1), corner[[1, 2, 0]].reshape(-1)
    low = ways[:, 0] < ways[:, 1]
    order = np.argsort(row_keys(np.sort(ways, axis=1)), kind="stable")
    keys = row_keys(np.sort(ways, axis=1))[order]
    at_low, at_high = np.where(low, starts, ends)[order], np.where(low, ends, starts)[order]
    same = np.flatnonzero(keys[1:] == keys[:-1])
    rows, columns = np.concatenate([at_low[same], at_high[same]]), np.concatenate([at_low[same + 1], at_high[same + 1]])
    graph = coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(3 * count,) * 2)
    return connected_components(graph, directed=False)[0] - len(np.unique(triangles))


def euler_characteristic(triangles):
    """Vertices - edges + faces: 2 for each sphere, 0 for a torus, -2 for two handles."""
    return len(np.unique(triangles)) - len(edge_counts(triangles)[0]) + len(triangles)


def is_closed(triangles):
    """Two triangles at each edge, on either side."""
    _, counts, balance = edge_counts(triangles)
    return bool(len(counts) and np.all(counts == 2) and np.all(balance == 0))


def enclosed_volume(points, triangles):
    """By the divergence theorem, with the origin near the middle to reduce rounding."""
    a, b, c = (points[triangles[:, k]] - points[triangles].mean(axis=(0, 1)) for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


# -------------------------------------------------------------------------------------------------------- distances

def point_triangle_distance(p, a, b, c):
    """Exact, row by row (Ericson 2004, 5.1.5, with the regions as selections)."""
    ab, ac, ap = b - a, c - a, p - a
    dot = lambda x, y: np.einsum("ij,ij->i", x, y)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    d3, d4 = dot(ab, p - b), dot(ac, p - b)
    d5, d6 = dot(ab, p - c), dot(ac, p - c)
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    with np.errstate(divide="ignore", invalid="ignore"):
        along_ab, along_ac, along_bc = d1 / (d1 - d3), d2 / (d2 - d6), (d4 - d3) / ((d4 - d3) + (d5 - d6))
        inner_v, inner_w = vb / (va + vb + vc), vc / (va + vb + vc)
    zero, one = np.zeros(len(p)), np.ones(len(p))
    regions = [(d1 <= 0) & (d2 <= 0), (d3 >= 0) & (d4 <= d3), (vc <= 0) & (d1 >= 0) & (d3 <= 0),
               (d6 >= 0) & (d5 <= d6), (vb <= 0) & (d2 >= 0) & (d6 <= 0), (va <= 0) & (d4 >= d3) & (d5 >= d6)]
    v = np.select(regions, [zero, one, along_ab, zero, zero, 1 - along_bc], inner_v)
    w = np.select(regions, [zero, zero, zero, one, along_ac, along_bc], inner_w)
    flat = ~(np.isfinite(v) & np.isfinite(w))  # a triangle without area: any corner will do
    v, w = np.where(flat, 0, v), np.where(flat, 0, w)
    return np.linalg.norm(ap - v[:, None] * ab - w[:, None] * ac, axis=1)


def subdivided(points, triangles, reach):
    """Corners (n, 3, 3) of pieces of the triangles without edges longer than `reach`, and the triangle of each."""
    corners, owner, done = points[triangles], np.arange(len(triangles)), []
    while len(corners):
        sides = corners - np.roll(corners, 1, axis=1)
        longest = np.linalg.norm(sides, axis=2).argmax(axis=1)
        long = np.linalg.norm(sides, axis=2).max(axis=1) > reach
        done.append((corners[~long], owner[~long]))
        rows, corners, owner = np.arange(long.sum()), corners[long], owner[long]
        i = longest[long]  # the longest side ends at corner i
        j, k = (i + 2) % 3, (i + 1) % 3
        middle = (corners[rows, i] + corners[rows, j]) / 2
        halves = [np.stack([middle, corners[rows, k], corners[rows, other]], axis=1) for other in (i, j)]
        corners, owner = np.concatenate(halves), np.concatenate([owner, owner])
    return np.concatenate([c for c, _ in done]), np.concatenate([o for _, o in done])


class Surface:
    """Distances to triangles: candidates by the centroids of small pieces, then exact.

    A piece whose centroid is at distance d of a point is no nearer than d - r, where r is the largest distance of a
    piece's corner from its centroid. So as soon as the k-th nearest centroid is farther than the best exact distance
    plus r, the best of the k pieces is the nearest of all.
    """

    def __init__(self, points, triangles, size):
        self.points, self.triangles = points, triangles
        self.pieces, self.owner = subdivided(points, triangles, size)
        centroids = self.pieces.mean(axis=1)
        self.reach = float(np.linalg.norm(self.pieces - centroids[:, None], axis=2).max())
        self.tree = cKDTree(centroids)

    def distance(self, queries):
        best = np.full(len(queries), np.inf)
        open_, k = np.arange(len(queries)), 8
        while len(open_):
            k = min(k, len(self.owner))
            to_centroid, piece = self.tree.query(queries[open_], k=k, workers=-1)
            to_centroid, piece = to_centroid.reshape(-1, k), piece.reshape(-1, k)
            rows = np.repeat(open_, k)
            corners = self.points[self.triangles[self.owner[piece.reshape(-1)]]]
            exact = point_triangle_distance(queries[rows], corners[:, 0], corners[:, 1], corners[:, 2])
            best[open_] = exact.reshape(-1, k).min(axis=1)
            sure = (to_centroid[:, -1] >= best[open_] + self.reach) | (k == len(self.owner))
            open_, k = open_[~sure], k * 4
        return best

    def samples(self):
        """The pieces' centroids and the vertices; and the weight of each, its piece's area, which is 0 for a vertex."""
        return weighted(self.points, self.triangles, self.pieces)


def weighted(points, triangles, pieces):
    areas = np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1) / 2
    corners = points[np.unique(triangles)]
    return np.concatenate([pieces.mean(axis=1), corners]), np.concatenate([areas, np.zeros(len(corners))])


def distance_summary(distances, weights):
    """The largest, the root mean square by area, and the share of the area that is farther than a quarter."""
    weights = weights / weights.sum()
    return {"max": float(distances.max()), "rms": float(np.sqrt(weights @ distances ** 2)),
            "share": float(weights @ (distances > 0.25))}


# ------------------------------------------------------------------------------------ what a mesh of a surface cannot keep

def crossings(points, triangles, starts, ends):
    """Where segments pass through triangles: number of the segment, of the triangle, and the share of the way
    (Moeller and Trumbore 1997). Processed in groups of nearby segments, so that there are few candidate triangles."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    extent = np.ptp(points, axis=0).max()
    boxes = np.floor((starts - points.min(axis=0)) / extent * 24)
    found = [(np.zeros(0, int), np.zeros(0, int), np.zeros(0))]
    for some in np.array_split(np.lexsort(boxes.T), max(1, len(starts) // 64)):
        o, d = starts[some], ends[some] - starts[some]
        least, most = np.minimum(o, o + d).min(axis=0), np.maximum(o, o + d).max(axis=0)
        near = np.flatnonzero(((low <= most) & (high >= least)).all(axis=1))
        u, v = b[near] - a[near], c[near] - a[near]
        p, s = np.cross(d[:, None], v[None]), o[:, None] - a[near][None]
        q = np.cross(s, u[None])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            over = 1 / np.einsum("ijk,jk->ij", p, u)
            x, y = np.einsum("ijk,ijk->ij", s, p) * over, np.einsum("ijk,ik->ij", q, d) * over
            t = np.einsum("ijk,jk->ij", q, v) * over
            segment, triangle = np.nonzero((x >= 0) & (y >= 0) & (x + y <= 1) & (t > 0) & (t < 1))
        found.append((some[segment], near[triangle], t[segment, triangle]))
    return tuple(np.concatenate(parts) for parts in zip(*found))


def share_a_vertex(a, b):
    return (a[:, :, None] == b[:, None, :]).any(axis=(1, 2))


def crossing_pairs(points, triangles):
    """The number of pairs of triangles that cross without a common vertex."""
    edges, owner = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)]), np.tile(np.arange(len(triangles)), 3)
    edge, other, _ = crossings(points, triangles, points[edges[:, 0]], points[edges[:, 1]])
    pairs = np.sort(np.stack([owner[edge], other], axis=1), axis=1)
    return len(np.unique(pairs[~share_a_vertex(triangles[pairs[:, 0]], triangles[pairs[:, 1]])], axis=0))


def narrowest(points, triangles, reach):
    """The thinnest wall and the narrowest gap of a closed surface, at the centroids of its triangles: the distance to
    the next triangle that faces it within 25 degrees, inside and outside. `reach` if nothing is nearer."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    area = np.linalg.norm(normals, axis=1)
    normals /= np.where(area > 0, area, 1)[:, None]
    outward = 1 if enclosed_volume(points, triangles) > 0 else -1
    centroids, least = (a + b + c) / 3, []
    for way in (-outward, outward):
        face, other, share = crossings(points, triangles, centroids, centroids + way * reach * normals)
        facing = np.einsum("ij,ij->i", normals[face], normals[other]) < -0.9
        apart = facing & ~share_a_vertex(triangles[face], triangles[other])
        least.append(float(reach * share[apart].min(initial=1)))
    return tuple(least)


# ------------------------------------------------------------------------------------------------------------ all of it

def judge_topology(points, tets):
    """The invariants of a mesh, and the counts of its topology."""
    skin, crowded = boundary(tets)
    _, counts, balance = edge_counts(skin)
    number, of_tet = components(tets)
    sizes = np.bincount(of_tet)
    volumes = tet_volumes(points, tets)
    pinches = pinched_vertices(skin)
    return {"tets": len(tets), "vertices": len(points), "inverted": int(np.sum(volumes <= 0)),
            "duplicates": duplicate_tets(tets), "unused": len(points) - len(np.unique(tets)), "crowded_faces": crowded,
            "open_edges": int(np.sum((counts % 2 == 1) | (balance != 0))), "pinched_edges": int(np.sum(counts > 2)),
            "pinched_vertices": pinches,
            "components": number, "largest_share": float(sizes.max() / len(tets)),
            "boundary_components": components(skin)[0], # A vertex at which sheets of the boundary meet belongs to each of them.
            "euler": euler_characteristic(skin) + pinches}


def judge_shape(points, tets):
    """Volume [m^3] and dihedral angles [degrees]."""
    angles = dihedral_angles(points, tets)
    return {"volume": float(tet_volumes(points, tets).sum()), "least_angle": float(angles.min()),
            "largest_angle": float(angles.max())}, angles


def boundary_samples(points, tets):
    """Centroids of the boundary's faces and its vertices, weighted as in Surface.samples, and the faces."""
    skin, _ = boundary(tets)
    return (*weighted(points, skin, points[skin]), skin)
