// Makes a mesh fit for simulation and reports what was changed: tets get positive volume, degenerate and duplicate ones
// are removed. Vertices and their order are kept unless requested otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct RepairOptions {
  // A tet is degenerate if 6 volume / (longest edge)^3 is below this; it is 0.707 for a regular tet.
  double smallest_relative_volume = 1e-10;
  // Drop the vertices that no tet uses. They do no harm, but the user's files name vertices by number.
  bool drop_unreferenced = false;
};

// A kind of finding: its count, and the first few places (indices before the repair).
struct RepairFindings {
  static constexpr size_t kShown = 8;
  int64_t count = 0;
  std::vector<int32_t> first;

  void add(int32_t index) {
    if (first.size() < kShown) first.push_back(index);
    ++count;
  }
};

struct RepairReport {
  RepairFindings flipped_tets;           // two corners were swapped
  RepairFindings degenerate_tets;        // removed: a repeated vertex, or a negligible volume
  RepairFindings duplicate_tets;         // removed: the same four vertices as an earlier one
  RepairFindings unreferenced_vertices;  // used by no remaining tet
  RepairFindings
      coincident_vertices;  // at exactly the place of an earlier one: a crack if they were meant to be joined
  // Only if tets were removed: the index before the repair of each remaining tet.
  std::vector<int32_t> kept_tets;
  // Only if vertices were dropped: the new index of each old vertex, -1 for those dropped.
  std::vector<int32_t> vertex_map;
  bool plane = false;  // of triangles (tet_mesh.h), with areas in place of volumes

  bool changed() const {
    return flipped_tets.count + degenerate_tets.count + duplicate_tets.count > 0 || !vertex_map.empty();
  }
  // A sentence for each kind of finding; empty for a mesh without faults.
  std::vector<std::string> sentences() const;
};

// Errors: coordinates that are not finite, indices out of range, regions that do not fit the tets, no tets left.
// On an Error the mesh is unchanged.
Result<RepairReport> repair(TetMesh& mesh, const RepairOptions& options = {});

}  // namespace sinew
