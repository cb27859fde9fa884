#include "grid/node_set.h"

#include <algorithm>
#include <bit>

namespace sinew {
namespace {

constexpr int block_bits = 2;  // a block has 2^block_bits nodes along each axis
constexpr int32_t block_mask = (1 << block_bits) - 1;

// Spreads the lowest 21 bits, two zeros after each.
uint64_t spread(uint64_t a) {
  a &= 0x1fffff;
  a = (a | a << 32) & 0x1f00000000ffff;
  a = (a | a << 16) & 0x1f0000ff0000ff;
  a = (a | a << 8) & 0x100f00f00f00f00f;
  a = (a | a << 4) & 0x10c30c30c30c30c3;
  return (a | a << 2) & 0x1249249249249249;
}
int32_t gathered(uint64_t a) {
  a &= 0x1249249249249249;
  a = (a | a >> 2) & 0x10c30c30c30c30c3;
  a = (a | a >> 4) & 0x100f00f00f00f00f;
  a = (a | a >> 8) & 0x1f0000ff0000ff;
  a = (a | a >> 16) & 0x1f00000000ffff;
  return static_cast<int32_t>((a | a >> 32) & 0x1fffff);
}

uint64_t key_of_block(int32_t i, int32_t j, int32_t k) {
  const auto part = [](int32_t a) { return spread(static_cast<uint64_t>(a + largest_cell)); };
  return part(i) << 2 | part(j) << 1 | part(k);
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
  for (const uint64_t key : keys) blocks_.push_back({key, 0, 0});
  index_blocks();

  for (const NodeIndex& base : bases) {
    const NodeIndex top{base.i + 2, base.j + 2, base.k + 2};
    for_each_block(base, [&](int32_t i, int32_t j, int32_t k) {
      uint64_t& used = blocks_[static_cast<size_t>(block_at(key_of_block(i, j, k)))].used;
      const auto low = [](int32_t from, int32_t block) { return std::max(from, block << block_bits); };
      const auto high = [](int32_t to, int32_t block) { return std::min(to, (block << block_bits) + block_mask); };
      for (int32_t a = low(base.i, i); a <= high(top.i, i); ++a)
        for (int32_t b = low(base.j, j); b <= high(top.j, j); ++b)
          for (int32_t c = low(base.k, k); c <= high(top.k, k); ++c) used |= uint64_t{1} << bit_of({a, b, c});
    });
  }
  indices_.clear();
  for (Block& block : blocks_) {
    block.first = static_cast<int32_t>(indices_.size());
    const auto corner = [&](int shift) { return (gathered(block.key >> shift) - largest_cell) << block_bits; };
    const NodeIndex low{corner(2), corner(1), corner(0)};
    for (uint64_t rest = block.used; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      indices_.push_back(
          {low.i + (bit >> (2 * block_bits)), low.j + (bit >> block_bits & block_mask), low.k + (bit & block_mask)});
    }
  }
}

void NodeSet::find(NodeIndex base, std::span<int32_t, spline_nodes> nodes) const {
  // By the parity of the block along each axis.
  const Block* of_block[8] = {};
  for_each_block(base, [&](int32_t i, int32_t j, int32_t k) {
    of_block[(i & 1) << 2 | (j & 1) << 1 | (k & 1)] = &blocks_[static_cast<size_t>(block_at(key_of_block(i, j, k)))];
  });
  for (int n = 0; n < spline_nodes; ++n) {
    const NodeIndex c{base.i + n / 9, base.j + n / 3 % 3, base.k + n % 3};
    const auto odd = [](int32_t a) { return a >> block_bits & 1; };
    const Block& block = *of_block[odd(c.i) << 2 | odd(c.j) << 1 | odd(c.k)];
    const uint64_t before = block.used & ((uint64_t{1} << bit_of(c)) - 1);
    nodes[static_cast<size_t>(n)] = block.first + std::popcount(before);
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
