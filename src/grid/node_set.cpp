#include "grid/node_set.h"

#include <algorithm>
#include <bit>

namespace sinew {
namespace {

constexpr int block_bits = 2;  // a block has 2^block_bits nodes along each axis
constexpr int32_t block_mask = (1 << block_bits) - 1;

constexpr int height_bits = 22;

// Spreads the lowest 21 bits, a zero after each.
uint64_t spread(uint64_t a) {
  a &= 0x1fffff;
  a = (a | a << 16) & 0x1f0000ffff;
  a = (a | a << 8) & 0x1f00ff00ff00ff;
  a = (a | a << 4) & 0x10f0f0f0f0f0f0f;
  a = (a | a << 2) & 0x333333333333333;
  return (a | a << 1) & 0x555555555555555;
}

uint64_t key_of_block(NodeIndex block) {
  const auto part = [](int32_t a) { return static_cast<uint64_t>(a + largest_cell); };
  return (spread(part(block.i)) << 1 | spread(part(block.j))) << height_bits | part(block.k);
}

int bit_of(NodeIndex c) {
  return (c.i & block_mask) << (2 * block_bits) | (c.j & block_mask) << block_bits | (c.k & block_mask);
}

// The bits of a block's nodes that lie in three layers from one on, which is this many nodes from the block's lowest.
struct Layers {
  static constexpr int32_t lowest = -2, count = 6;
  std::array<uint64_t, count> across_i{}, across_j{}, along_k{};
};
constexpr Layers make_layers() {
  Layers layers;
  for (int32_t from = 0; from < Layers::count; ++from)
    for (int32_t c = 0; c <= block_mask; ++c) {
      if (c < from + Layers::lowest || c > from + Layers::lowest + 2) continue;
      const auto at = static_cast<size_t>(from);
      layers.across_i[at] |= uint64_t{0xffff} << (c << (2 * block_bits));
      layers.across_j[at] |= uint64_t{0xf000f000f000f} << (c << block_bits);
      layers.along_k[at] |= uint64_t{0x1111111111111111} << c;
    }
  return layers;
}
constexpr Layers layers = make_layers();

// Where a search for a block begins.
uint64_t hash_of(NodeIndex block) {
  const auto part = [](int32_t a) { return static_cast<uint64_t>(static_cast<uint32_t>(a) & 0x1fffff); };
  const uint64_t all = (part(block.i) << 42 | part(block.j) << 21 | part(block.k)) * 0x9e3779b97f4a7c15;
  return all ^ all >> 32;
}

}  // namespace

void NodeSet::build(std::span<const NodeIndex> bases) {
  blocks_.clear();
  if (table_.empty()) table_.resize(64);
  std::fill(table_.begin(), table_.end(), -1);
  for (const NodeIndex& base : bases) {
    const NodeIndex low{base.i >> block_bits, base.j >> block_bits, base.k >> block_bits};
    const NodeIndex high{(base.i + 2) >> block_bits, (base.j + 2) >> block_bits, (base.k + 2) >> block_bits};
    for (int32_t i = low.i; i <= high.i; ++i)
      for (int32_t j = low.j; j <= high.j; ++j) {
        const auto from = [](int32_t at, int32_t block) {
          return static_cast<size_t>(at - (block << block_bits) - Layers::lowest);
        };
        const uint64_t across = layers.across_i[from(base.i, i)] & layers.across_j[from(base.j, j)];
        for (int32_t k = low.k; k <= high.k; ++k)
          block_to_fill({i, j, k}).used |= across & layers.along_k[from(base.k, k)];
      }
  }
  std::sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) { return a.key < b.key; });
  index_blocks();
  number_nodes();
}

NodeSet::Block& NodeSet::block_to_fill(NodeIndex block) {
  const size_t at = place_of(block);
  if (table_[at] >= 0) return blocks_[static_cast<size_t>(table_[at])];
  table_[at] = static_cast<int32_t>(blocks_.size());
  blocks_.push_back({key_of_block(block), 0, block, {}});
  if (2 * blocks_.size() > table_.size()) {
    table_.resize(2 * table_.size());
    index_blocks();
  }
  return blocks_.back();
}

void NodeSet::number_nodes() {
  indices_.clear();
  const auto columns = [&](size_t b) { return blocks_[b].key >> height_bits; };
  for (size_t begin = 0, end = 0; begin < blocks_.size(); begin = end) {
    while (end < blocks_.size() && columns(end) == columns(begin)) ++end;
    for (size_t column = 0; column < blocks_[begin].first.size(); ++column)
      for (size_t b = begin; b < end; ++b) {
        Block& block = blocks_[b];
        block.first[column] = static_cast<int32_t>(indices_.size());
        const auto bit = static_cast<int>(column << block_bits);
        for (int c = 0; c <= block_mask; ++c)
          if (block.used >> (bit + c) & 1)
            indices_.push_back({(block.at.i << block_bits) + (bit >> (2 * block_bits)),
                                (block.at.j << block_bits) + (bit >> block_bits & block_mask),
                                (block.at.k << block_bits) + c});
      }
  }
}

void NodeSet::find(NodeIndex base, std::span<int32_t, spline_columns> columns) const {
  // By the parity of the block across.
  const Block* of_block[4] = {};
  for (int32_t i = base.i >> block_bits; i <= (base.i + 2) >> block_bits; ++i)
    for (int32_t j = base.j >> block_bits; j <= (base.j + 2) >> block_bits; ++j)
      of_block[(i & 1) << 1 | (j & 1)] = &blocks_[static_cast<size_t>(table_[place_of({i, j, base.k >> block_bits})])];
  for (int n = 0; n < spline_columns; ++n) {
    const NodeIndex c{base.i + n / 3, base.j + n % 3, base.k};
    const auto odd = [](int32_t a) { return a >> block_bits & 1; };
    const Block& block = *of_block[odd(c.i) << 1 | odd(c.j)];
    const int column = bit_of({c.i, c.j, 0});
    const uint64_t below = block.used >> column & ((uint64_t{1} << (c.k & block_mask)) - 1);
    columns[static_cast<size_t>(n)] = block.first[static_cast<size_t>(column >> block_bits)] + std::popcount(below);
  }
}

void NodeSet::index_blocks() {
  std::fill(table_.begin(), table_.end(), -1);
  for (size_t b = 0; b < blocks_.size(); ++b) table_[place_of(blocks_[b].at)] = static_cast<int32_t>(b);
}

size_t NodeSet::place_of(NodeIndex block) const {
  const size_t mask = table_.size() - 1;
  size_t at = hash_of(block) & mask;
  while (table_[at] >= 0 && blocks_[static_cast<size_t>(table_[at])].at != block) at = (at + 1) & mask;
  return at;
}

size_t NodeSet::memory_bytes() const {
  return blocks_.capacity() * sizeof(Block) + table_.capacity() * sizeof(int32_t) +
         indices_.capacity() * sizeof(NodeIndex);
}

}  // namespace sinew
