// TetGen (H. Si, "TetGen, a Delaunay-Based Quality Tetrahedral Mesh Generator", ACM TOMS 41, 2015) as a child process,
// if the user has it installed: its licence and its crashes do not affect Sinew.
#pragma once

#include <atomic>
#include <string>

#include "base/result.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct TetgenOptions {
  double largest_volume = 0;                     // [m^3] of a tet
  double radius_edge_ratio = 1.4;                // largest ratio of circumradius to shortest edge
  double smallest_angle = 10;                    // [degrees] between faces, if achievable
  std::string program = "tetgen";                // searched along PATH
  const std::atomic<bool>* interrupt = nullptr;  // set it to end TetGen
};

// Preserves the surface, which must be closed and free of self-intersections. Errors: TetGen is not installed (with the
// package), gives up or crashes (with its last words), writes no mesh or one that cannot be read, is interrupted.
// Leaves no files behind.
Result<TetMesh> run_tetgen(const SurfaceMesh& surface, const TetgenOptions& options);

}  // namespace sinew
