// The cell size for a requested number of tets, or of cells along the solid's longest side.
//   tets(h) = 12 V / h^3 + s A / h^2
// 12 tets per cell of the volume V, and some more in the layer at the surface A: sampled once on a coarse lattice. Then
// tets are counted without making the mesh, and the cell is corrected by the secant of log tets over log h, within the
// bracket found so far. The number jumps for small, thin or flat solids, where faces pass lattice planes.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "base/result.h"
#include "exec/thread_pool.h"
#include "meshing/distance_field.h"
#include "meshing/stuffing.h"

namespace sinew {

// Errors: `cells` not positive, bounds that are empty or not finite.
Result<double> cell_for_cells(const DistanceField& field, double cells);

struct CellForTets {
  double cell = 0;   // [m]
  int64_t tets = 0;  // with that cell, by count_tets
};
// The best of up to eight cells; stops when one is within `tolerance` of the number. Ignores options.cell. Errors:
// those of stuff, a number below 1 or above options.max_tets.
Result<CellForTets> cell_for_tets(const DistanceField& field, int64_t tets, const StuffingOptions& options,
                                  ThreadPool& pool, const ProgressListener& listener = {}, double tolerance = 0.03);

}  // namespace sinew
