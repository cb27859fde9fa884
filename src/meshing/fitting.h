// Fitting: the faces of a stuffed mesh's boundary are chords. They cut off the edges of the solid and lie within its
// curved parts, though their vertices are on the surface. Here the vertices move to where the faces are closest to the
// surface, in the sense of least squares over the boundary:
//
//   minimise  sum_f |f| ( 9/20 h(c)^2 + 2/15 sum_m h(m)^2 + 1/20 sum_v h(v)^2 ),
//
// f the faces, |f| their area, c the centroid, m the middles of the edges, v the corners, h the height over the
// surface; a rule for triangles that is exact for cubic polynomials. Around a vertex at an edge of the solid the
// samples see the planes of both sides, and it comes to lie on that edge; of a curved part it rises until the faces lie
// as much within as without, by an eighth of the squared length of even edges times the curvature, so that the volume
// is met. By Gauss and Newton's method: h is linear over the tangent plane at the closest point (M. Garland, P.
// Heckbert, "Surface simplification using quadric error metrics", SIGGRAPH 1997, place vertices by such planes), and
// vertices are placed one by one, by colours: the same bits for any number of threads.
//
// A vertex moves all, half or a quarter of the way, and only where
//   - no dihedral angle around it leaves the bounds below, or gets worse than the worst there was;
//   - it stays close to the surface, and to where it was;
//   - no two faces of the boundary pass through each other in the end.
// Vertices at one place, where sheets of the solid touch, stay, and so do those that are off the surface before.
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
  double farthest_off = 0.1;    // of a cell: from the surface
  double farthest_move = 0.75;  // of a cell: from where a vertex was
};

// All tets have positive volume. Returns how many vertices moved. No tet changes but for its vertices' places.
int64_t fit(TetMesh& mesh, const DistanceField& field, const FittingOptions& options, ThreadPool& pool,
            const ProgressListener& listener = {});

}  // namespace sinew
