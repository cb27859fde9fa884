// TetGen (H. Si, "TetGen, a Delaunay-Based Quality Tetrahedral Mesh Generator", ACM TOMS 41, 2015) as a child process,
// where the user has it installed: its licence and its crashes stay its own.
#pragma once

#include <atomic>
#include <string>

#include "base/result.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct TetgenOptions {
  double largest_volume = 0;                     // [m^3] of a tet
  double radius_edge_ratio = 1.4;                // of the circumscribed sphere to the shortest edge, at most
  double smallest_angle = 10;                    // [degrees] between faces, as far as it manages
  std::string program = "tetgen";                // searched for along PATH
  const std::atomic<bool>* interrupt = nullptr;  // set: end it
};

// The surface is kept as it is, and has to be closed and free of crossings. Errors: TetGen is not installed (with the
// package), gives up or crashes (with its last words), writes no mesh or one that cannot be read, is interrupted. It
// leaves no files behind.
Result<TetMesh> run_tetgen(const SurfaceMesh& surface, const TetgenOptions& options);

}  // namespace sinew
