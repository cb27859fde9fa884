// Fitting: the boundary faces of a stuffed mesh are chords. They cut off the edges of the solid and lie inside its
// curved parts, though their vertices are on the surface. Fitting moves the vertices so that the faces approximate the
// surface in the least-squares sense:
//
//   minimise  sum_f |f| ( 9/20 h(c)^2 + 2/15 sum_m h(m)^2 + 1/20 sum_v h(v)^2 ),
//
// f the faces, |f| their area, c the centroid, m the middles of the edges, v the corners, h the height over the
// surface; a quadrature rule for triangles that is exact for cubic polynomials. Around a vertex at an edge of the solid
// the samples have the planes of both sides, and the vertex moves onto that edge; on a curved part it rises, by an
// eighth of the squared edge length times the curvature, until the faces lie as much inside as outside, which preserves
// the volume. By the Gauss-Newton method: h is linear over the tangent plane at the closest point (M. Garland, P.
// Heckbert, "Surface simplification using quadric error metrics", SIGGRAPH 1997, place vertices by such planes), and
// vertices are placed one by one, by colours: bit-identical for any number of threads.
//
// A vertex moves all, half or a quarter of the way, and only if
//   - no dihedral angle around it leaves the bounds below or gets worse than the worst before;
//   - it stays close to the surface and to its original place;
//   - no two boundary faces intersect in the end.
// Vertices at the same place, where sheets of the solid touch, stay, as do those that are off the surface initially.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "meshing/distance_field.h"

namespace sinew {

struct FittingOptions {
  double cell = 0;              // [m], of the mesh
  int passes = 4;               // over the boundary
  double smallest_angle = 15;   // [degrees]
  double largest_angle = 158;   // [degrees]
  double farthest_off = 0.1;    // from the surface, relative to a cell
  double farthest_move = 0.75;  // from a vertex's original place, relative to a cell
};

// All tets must have positive volume. Only moves vertices; returns how many. Ends after the pass
// in which the listener gives up.
int64_t fit(TetMesh& mesh, const DistanceField& field, const FittingOptions& options, ThreadPool& pool,
            const ProgressListener& listener = {});

}  // namespace sinew
