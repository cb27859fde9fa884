// Carries points by a mesh of tets: a fine surface follows a coarse mesh that is simulated.
//   x = sum_j w_j x_j,   w the barycentric coordinates, at rest, of the point in one tet       sum_j w_j = 1
// A point inside has the tet that contains it, and none of its weights is negative: it moves by what the tet's linear
// shape functions say (the embedding of free-form deformation; Sederberg and Parry 1986, with tets for cells). A point
// outside has the tet that is closest to it, of several that tie the one with the largest least weight, and its weights
// go on linearly beyond the tet: whatever motion is affine there the point follows exactly, so that a rotation or a
// stretch leaves no dent between points inside and outside. Weights cut off at 0 would flatten the surface onto the
// tets. The price is that errors grow with the distance in units of the tet's height: `farthest` should not be more
// than an edge.
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
  int64_t outside = 0;                         // points that no tet contains, rounding apart
  int64_t far = 0;                             // of these, points farther from the tets than their mean edge
  double farthest = 0;                         // [m] the largest distance of a point from the tets
  double mean_edge = 0;                        // [m] of the tets
};

// P points [m] in the coordinates of the mesh, whose tets have positive volume (mesh/repair.h). O((P + T) log T), by
// all threads; the same bits for any number of them. Errors: no tets; triangles of a plane body; a tet without volume
// or of vertices that do not exist; a point that is not finite, or farther away than a million times the mesh's size.
Result<Embedding> embed(std::span<const Vec3d> points, const TetMesh& mesh, ThreadPool& pool = ThreadPool::caller());

}  // namespace sinew
