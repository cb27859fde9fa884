// Meshes made from a few numbers: boxes, beams, balls and flat grids.
#pragma once

#include <array>
#include <cstdint>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// How a box cell is cut into tetrahedra.
//   five   one inner tet and four corners, mirrored in every second cell so that neighbours fit
//   six    Kuhn: six congruent tets around the cell's main diagonal, the same in every cell
enum class TetSplit { five, six };

struct BoxOptions {
  std::array<int32_t, 3> cells{8, 8, 8};  // along x, y, z; each at least 1
  Vec3d size{1, 1, 1};                    // [m], positive
  Vec3d origin{0, 0, 0};                  // [m], the corner with the smallest coordinates
  TetSplit split = TetSplit::five;
};

// A box of cells. Vertex (i, j, k) has index i + (nx+1) (j + (ny+1) k).
Result<TetMesh> make_box(const BoxOptions& options, ThreadPool& pool = ThreadPool::caller());

struct BeamOptions {
  double length = 0.4;       // [m], along x
  double height = 0.1;       // [m], along y
  double depth = 0.1;        // [m], along z
  int32_t cells_across = 4;  // along y and z; along x, the number that makes cells most nearly cubic
  TetSplit split = TetSplit::five;
};

// A box with its long side along x and one end at x = 0.
Result<TetMesh> make_beam(const BeamOptions& options, ThreadPool& pool = ThreadPool::caller());

struct BallOptions {
  double radius = 0.5;  // [m], positive
  Vec3d centre{0, 0, 0};
  int32_t shells = 8;  // layers of tetrahedra between centre and surface, at least 1
};

// A ball of 20 shells^3 tetrahedra. An icosahedron is cut into 20 tetrahedra at its centre, these are refined
// regularly, and every layer is projected to a sphere: no tetrahedron has two faces on the surface, which would make it
// flat. Vertex 0 is the centre; the shells follow from the inside out.
Result<TetMesh> make_ball(const BallOptions& options);

// The number of tetrahedra and vertices that these make, even if there are too many to generate.
double tet_count(const BoxOptions& options);
double tet_count(const BeamOptions& options);
double tet_count(const BallOptions& options);
double vertex_count(const BoxOptions& options);
double vertex_count(const BeamOptions& options);
double vertex_count(const BallOptions& options);

struct GridOptions {
  std::array<int32_t, 2> cells{8, 8};  // along x and y; each at least 1
  std::array<double, 2> size{1, 1};    // [m], positive
  Vec3d origin{0, 0, 0};
};

// A flat grid in the plane z = origin.z. Vertex (i, j) has index i + (nx+1) j; the cell with the corners a = (i, j),
// b = (i+1, j), c = (i, j+1), e = (i+1, j+1) holds the triangles (a, b, e) and (a, e, c).
Result<SurfaceMesh> make_grid(const GridOptions& options);

}  // namespace sinew
