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

uint64_t key_of_block(int32_t i, int32_t j, int32_t k) {
  const auto part = [](int32_t a) { return static_cast<uint64_t>(a + largest_cell); };
  return (spread(part(i)) << 1 | spread(part(j))) << height_bits | part(k);
}

int bit_of(NodeIndex c) {
  return (c.i & block_mask) << (2 * block_bits) | (c.j & block_mask) << block_bits | (c.k & block_mask);
}

// visit(block key, the bits of its nodes) for the blocks that the 27 nodes from `base` on lie in.
template <class Visit>
void for_each_block(NodeIndex base, const Visit& visit) {
  for (int32_t i = base.i >> block_bits; i <= (base.i + 2) >> block_bits; ++i)
    for (int32_t j = base.j >> block_bits; j <= (base.j + 2) >> block_bits; ++j)
      for (int32_t k = base.k >> block_bits; k <= (base.k + 2) >> block_bits; ++k) visit(i, j, k);
}

uint64_t hash_of(uint64_t key) {
  key *= 0x9e3779b97f4a7c15;
  return key ^ key >> 32;
}

}  // namespace

void NodeSet::build(std::span<const NodeIndex> bases) {
  // Points along a curve through space ask for the same blocks again and again.
  std::vector<uint64_t> keys;
  uint64_t last[8] = {};
  size_t at = 0;
  for (const NodeIndex& base : bases)
    for_each_block(base, [&](int32_t i, int32_t j, int32_t k) {
      const uint64_t key = key_of_block(i, j, k);
      if (std::find(last, last + 8, key) != last + 8) return;
      last[at++ % 8] = key;
      keys.push_back(key);
    });
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  blocks_.clear();
  for (const uint64_t key : keys) blocks_.push_back({key, 0, {}, {}});
  index_blocks();

  for (const NodeIndex& base : bases)
    for_each_block(base, [&](int32_t i, int32_t j, int32_t k) {
      Block& block = blocks_[static_cast<size_t>(block_at(key_of_block(i, j, k)))];
      block.low = {i << block_bits, j << block_bits, k << block_bits};
      const auto low = [](int32_t from, int32_t of_block) { return std::max(from - of_block, 0); };
      const auto high = [](int32_t from, int32_t of_block) { return std::min(from + 2 - of_block, block_mask); };
      const uint64_t along = (uint64_t{2} << high(base.k, block.low.k)) - (uint64_t{1} << low(base.k, block.low.k));
      for (int32_t a = low(base.i, block.low.i); a <= high(base.i, block.low.i); ++a)
        for (int32_t b = low(base.j, block.low.j); b <= high(base.j, block.low.j); ++b)
          block.used |= along << bit_of({a, b, 0});
    });
  number_nodes();
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
            indices_.push_back({block.low.i + (bit >> (2 * block_bits)), block.low.j + (bit >> block_bits & block_mask),
                                block.low.k + c});
      }
  }
}

void NodeSet::find(NodeIndex base, std::span<int32_t, spline_columns> columns) const {
  // By the parity of the block across.
  const Block* of_block[4] = {};
  for (int32_t i = base.i >> block_bits; i <= (base.i + 2) >> block_bits; ++i)
    for (int32_t j = base.j >> block_bits; j <= (base.j + 2) >> block_bits; ++j)
      of_block[(i & 1) << 1 | (j & 1)] =
          &blocks_[static_cast<size_t>(block_at(key_of_block(i, j, base.k >> block_bits)))];
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
  const size_t size = std::bit_ceil(2 * blocks_.size() + 1);
  table_.assign(size, -1);
  for (size_t b = 0; b < blocks_.size(); ++b) {
    size_t at = hash_of(blocks_[b].key) & (size - 1);
    while (table_[at] >= 0) at = (at + 1) & (size - 1);
    table_[at] = static_cast<int32_t>(b);
  }
}

int32_t NodeSet::block_at(uint64_t key) const {
  const size_t mask = table_.size() - 1;
  size_t at = hash_of(key) & mask;
  while (blocks_[static_cast<size_t>(table_[at])].key != key) at = (at + 1) & mask;
  return table_[at];
}

size_t NodeSet::memory_bytes() const {
  return blocks_.capacity() * sizeof(Block) + table_.capacity() * sizeof(int32_t) +
         indices_.capacity() * sizeof(NodeIndex);
}

}  // namespace sinew
