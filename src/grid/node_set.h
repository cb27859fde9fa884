// The nodes of a sparse uniform grid that points weigh on, numbered block by block: blocks of 4 x 4 x 4 nodes along a
// Morton curve, and in a block only the nodes in use.
#pragma once

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
  // The numbers of the 27 nodes from `base` on, which were given to `build`.
  void find(NodeIndex base, std::span<int32_t, spline_nodes> nodes) const;
  size_t memory_bytes() const;

 private:
  struct Block {
    uint64_t key;   // Morton
    uint64_t used;  // a bit for each node, 16 a + 4 b + c
    int32_t first;  // the number of the first node in use
  };
  int32_t block_at(uint64_t key) const;
  void index_blocks();

  std::vector<Block> blocks_;
  std::vector<int32_t> table_;  // hashed by key; -1: empty
  std::vector<NodeIndex> indices_;
};

}  // namespace sinew
