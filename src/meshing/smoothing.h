// Smoothing that never degrades the mesh: a vertex moves only if the smallest dihedral angle of the tets around it does
// not decrease, the largest does not increase, and the tets become rounder. So the worst angles of the mesh never get
// worse. (Guarded Laplacian smoothing with a search along the height of the worst tet, in the spirit of L. Freitag, C.
// Ollivier-Gooch, "Tetrahedral mesh improvement using swapping and smoothing", IJNME 40, 1997.)
//   inner vertices     to the mean of their neighbours, or along the height of the worst tet
//   surface vertices   to the mean of their neighbours on the surface, then along the field's gradient back onto it, or
//   to their height over it (fitting.h);
//                      at creases and corners (faces turned by more than 30 degrees) they stay
// One vertex colour after the other: vertices of one colour share no tet. Bit-identical for any number of threads.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "meshing/distance_field.h"

namespace sinew {

struct SmoothingOptions {
  int passes = 5;  // over all vertices
};

// All tets must have positive volume. Without a field the surface is unchanged. Returns the number of moves.
// Ends after the pass in which the listener gives up.
int64_t smooth(TetMesh& mesh, const DistanceField* field, const SmoothingOptions& options, ThreadPool& pool,
               const ProgressListener& listener = {});

}  // namespace sinew
