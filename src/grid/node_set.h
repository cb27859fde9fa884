// The nodes of a sparse uniform grid that points weigh on, numbered column by column: only those in use, upwards along
// z in each column, so that the three nodes of a point in a column follow each other. Columns lie in blocks of 4 x 4
// along a Morton curve.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grid/spline.h"

namespace sinew {

// [cells] Coordinates of nodes are below this in size.
inline constexpr int32_t largest_cell = 1 << 20;

class NodeSet {
 public:
  // The 27 nodes from each of these on, which are in range.
  void build(std::span<const NodeIndex> bases);

  int32_t size() const { return static_cast<int32_t>(indices_.size()); }
  NodeIndex index(int32_t node) const { return indices_[static_cast<size_t>(node)]; }
  // The number of the lowest node in each of the nine columns from `base` on, which was given to `build`.
  void find(NodeIndex base, std::span<int32_t, spline_columns> columns) const;
  size_t memory_bytes() const;

 private:
  // Of 4 x 4 x 4 nodes.
  struct Block {
    uint64_t key;                   // the Morton number of its columns, then its height
    uint64_t used;                  // a bit for each node, 16 a + 4 b + c
    NodeIndex at;                   // its lowest node lies at 4 times these
    std::array<int32_t, 16> first;  // the number of the first node in use of each column
  };
  Block& block_to_fill(NodeIndex block);
  size_t place_of(NodeIndex block) const;  // in the table: where it is, or would be
  void index_blocks();
  void number_nodes();

  std::vector<Block> blocks_;
  std::vector<int32_t> table_;  // numbers of blocks, hashed; its size is a power of 2; -1: empty
  std::vector<NodeIndex> indices_;
};

}  // namespace sinew
