// Points carried by a mesh of tets: a fine surface follows a coarse simulated mesh.
//   x = sum_j w_j x_j,   w the barycentric coordinates, at rest, of the point in one tet       sum_j w_j = 1
// A point inside is carried by the tet that contains it, with non-negative weights: it moves by the tet's linear shape
// functions (the embedding of free-form deformation, Sederberg and Parry 1986, with tets for cells). A point outside is
// carried by the closest tet, among equally close ones by that with the largest minimum weight, and its weights
// extrapolate linearly: the point follows every affine motion exactly, so that a rotation or a stretch leaves no dent
// between points inside and outside. Weights clamped to 0 would flatten the surface onto the tets. The price is that
// errors grow with the distance in units of the tet's height: `farthest` should not exceed an edge.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct Embedding {
  std::vector<int32_t> tets;                   // P, the tet that carries each point
  std::vector<std::array<double, 4>> weights;  // P, of that tet's corners
  int64_t outside = 0;                         // points that no tet contains, up to rounding
  int64_t far = 0;                             // of these, points farther from the tets than their mean edge
  double farthest = 0;                         // [m] the largest distance of a point from the tets
  double mean_edge = 0;                        // [m] of the tets
};

// P points [m] in the coordinates of the mesh, whose tets have positive volume (mesh/repair.h). O((P + T) log T), in
// parallel; bit-identical for any number of threads. Errors: no tets; triangles of a plane body; a tet without volume
// or with an index out of range; a point that is not finite, or farther away than a million times the mesh's size.
Result<Embedding> embed(std::span<const Vec3d> points, const TetMesh& mesh, ThreadPool& pool = ThreadPool::caller());

}  // namespace sinew
