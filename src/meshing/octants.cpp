#include "meshing/octants.h"

namespace sinew {

namespace {

// Whether test(block, octant) holds for the octant and its 26 neighbours; a block has `side` octants to an edge.
template <class Test>
bool all_around(const LatticeBlock& block, int side, int i, int j, int k, const Test& test) {
  const auto shift = [side](int& c) {
    const int s = c < 0 ? 0 : c < side ? 1 : 2;
    c = (c + side) % side;
    return s;
  };
  for (int dk = -1; dk <= 1; ++dk)
    for (int dj = -1; dj <= 1; ++dj)
      for (int di = -1; di <= 1; ++di) {
        int x = i + di, y = j + dj, z = k + dk;
        const int sx = shift(x), sy = shift(y), sz = shift(z);
        const int32_t other = block.neighbours[(sz * 3 + sy) * 3 + sx];
        if (other < 0 || !test(other, (z * side + y) * side + x)) return false;
      }
  return true;
}

}  // namespace

// Whether all points of a cell are inside: its corners and its centre.
bool Octants::clean(const LatticeBlock& block, int i, int j, int k) const {
  for (int n = 0; n < 8; ++n)
    if (lattice_.side(lattice_.find(block, corner, i + (n & 1), j + (n >> 1 & 1), k + (n >> 2))) != Side::inside)
      return false;
  return lattice_.side(lattice_.find(block, centre, i, j, k)) == Side::inside;
}

// An octant is a leaf candidate if all octants of its size around it consist of octants of half its size or, at the
// first level, of clean cells: so everything that touches it has at least half its size.
Octants::Octants(const PointLattice& lattice, int coarsest, ThreadPool& pool) : lattice_(lattice) {
  if (coarsest <= 0) return;
  const auto& blocks = lattice.blocks();
  const auto count = static_cast<int64_t>(blocks.size());
  std::vector<uint64_t> all_clean(blocks.size());  // octants of two cells whose cells are clean
  const auto for_each_block = [&](const auto& use) {
    pool.parallel_for(count, 8, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b) use(b);
    });
  };
  for_each_block([&](int64_t b) {
    bool inner = blocks[b].sample < 0;
    for (const int32_t n : blocks[b].neighbours) inner = inner && n >= 0 && blocks[n].sample < 0;
    for (int o = 0; o < 64; ++o) {
      bool is_clean = true;
      for (int n = 0; n < 8 && is_clean && !inner; ++n)
        is_clean = clean(blocks[b], o % 4 * 2 + (n & 1), o / 4 % 4 * 2 + (n >> 1 & 1), o / 16 * 2 + (n >> 2));
      if (is_clean) all_clean[b] |= uint64_t{1} << o;
    }
  });
  std::vector<Levels> levels(blocks.size());
  for_each_block([&](int64_t b) {
    for (int o = 0; o < 64; ++o)
      if (all_around(blocks[b], 4, o % 4, o / 4 % 4, o / 16, [&](int32_t n, int p) { return all_clean[n] >> p & 1; }))
        levels[b].one |= uint64_t{1} << o;
  });
  if (coarsest > 1) {
    const auto halves = [&](int32_t b, int o) {
      for (int n = 0; n < 8; ++n) {
        const int child = octant(o % 2 * 2 + (n & 1), o / 2 % 2 * 2 + (n >> 1 & 1), o / 4 * 2 + (n >> 2), 4);
        if (!(levels[b].one >> child & 1)) return false;
      }
      return true;
    };
    for_each_block([&](int64_t b) {
      for (int o = 0; o < 8; ++o)
        if (all_around(blocks[b], 2, o % 2, o / 2 % 2, o / 4, halves))
          levels[b].two = static_cast<uint8_t>(levels[b].two | 1u << o);
    });
  }
  if (coarsest > 2)
    for_each_block([&](int64_t b) {
      levels[b].three = all_around(blocks[b], 1, 0, 0, 0, [&](int32_t n, int) { return levels[n].two == 0xff; });
    });
  levels_ = std::move(levels);
}

bool Octants::is_vertex(const LatticeBlock& block, int sub, int i, int j, int k) const {
  if (sub == centre) return level(block, i, j, k) == 0;
  const auto multiples = [&](int step) { return (i | j | k) % step == 0; };
  // A corner of a leaf around it; a block's first corner is one for any size.
  for (int n = 0; n < 8; ++n)
    if (multiples(1 << level(block, i - (n & 1), j - (n >> 1 & 1), k - (n >> 2)))) return true;
  // The centre of the leaf that contains it.
  const int own = level(block, i, j, k), half = (1 << own) / 2;
  return own > 0 && i % (1 << own) == half && j % (1 << own) == half && k % (1 << own) == half;
}

}  // namespace sinew
