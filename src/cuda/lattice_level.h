// A level of the lattice in a device's memory (solver/multilevel/lattice_cycle.h), its coarsest matrix, and what a
// solution on it leaves for the next operation.
#pragma once

#include "solver/multilevel/lattice_cycle.h"

namespace sinew {

// Blocks on a device lie in packs of entries, so that the threads of a warp, of which each has a lane of an entry, read
// them side by side: packs x 9 x entries x lanes. The lower and the upper entries of a group fill whole packs.
inline constexpr int pack_entries = 4, pack_lanes = pack_entries * node_group;
SINEW_INLINE int64_t block_of_entry(int64_t entry, int lane) {
  return entry / pack_entries * 9 * pack_lanes + entry % pack_entries * node_group + lane;
}

struct LatticeLevel {
  NodeRows rows;             // with blocks in packs
  Vec4<float>* b = nullptr;  // rows.b, to write
  int32_t places = 0;
  const int32_t* up_begin = nullptr;    // from the next coarser level
  const int32_t* down_begin = nullptr;  // to it, by its places
  const LatticeCycle::Weight* up = nullptr;
  const LatticeCycle::Weight* down = nullptr;
};

// The connected parts of the coarsest lattice that are inverted.
struct DensePart {
  int32_t first_node, nodes;
  int64_t first_number;  // of its inverse
};
struct DenseNode {
  int32_t place, part;
};
struct DenseParts {
  int32_t nodes = 0, parts = 0;
  int32_t most_nodes = 0;  // of a part
  const DensePart* part = nullptr;
  const DenseNode* node = nullptr;  // part by part
  const int32_t* local = nullptr;   // by place, the node's number in its part
  double* inverse = nullptr;        // by rows
  double* least = nullptr;          // by part, the least pivot
  double* pivot = nullptr;          // by part, two blocks of 9: the inverses of this pivot and of the next, by rows
};

// A row of such a matrix: three for each node.
struct DenseRow {
  int32_t part_index;
  DensePart part;
  int32_t size, local;
  double* numbers;

  SINEW_INLINE DenseRow(const DenseParts& dense, int32_t row)
      : part_index(dense.node[row / 3].part),
        part(dense.part[part_index]),
        size(3 * part.nodes),
        local(row - 3 * part.first_node),
        numbers(dense.inverse + part.first_number + static_cast<int64_t>(local) * size) {}
};

struct LatticeState {
  double promise = 0;  // [J] right . left
  double square = 0;   // [N^2] of the forces
  int32_t usable = 0;  // whether the matrix is finite
  int32_t end = 0;     // operations from here on are skipped
  double slope = 0, gained = 0;
  float turn = 0, length = 0;
};

SINEW_INLINE bool is_finite(double a) {
  return a - a == 0;
}

}  // namespace sinew
