#include "meshing/missed_parts.h"

#include <algorithm>
#include <map>

#include "meshing/deepest_point.h"

namespace sinew {

namespace {

constexpr int points_for_each = 2000;

Cell neighbour(const Cell& place, int n) {
  return {place[0] + n % 3 - 1, place[1] + n / 3 % 3 - 1, place[2] + n / 9 - 1};
}

// With a margin: the surface near a block's points may be outside the block.
Bounds box_of(const PointLattice& lattice, const Cell& place) {
  return {lattice.position(place, corner, -1, -1, -1),
          lattice.position(place, corner, block_side, block_side, block_side)};
}

enum class Block : char { inner, bare, seen };

}  // namespace

std::vector<Vec3d> missed_parts(const DistanceField& field, const PointLattice& lattice) {
  std::map<Cell, Block> blocks;
  for (const Cell& place : lattice.near()) blocks[place] = Block::bare;
  for (const LatticeBlock& block : lattice.blocks()) {
    const auto is_inside = [](Side side) { return side == Side::inside; };
    const bool inner = block.sample < 0 ||
                       std::any_of(lattice.sides(block.sample), lattice.sides(block.sample) + block_points, is_inside);
    blocks[block.place] = inner ? Block::inner : Block::bare;
  }

  std::vector<Vec3d> missed;
  for (auto& [seed, kind] : blocks) {
    if (kind != Block::bare) continue;
    kind = Block::seen;
    std::vector<Cell> part{seed};
    bool alone = true;
    for (size_t k = 0; k < part.size(); ++k)
      for (int n = 0; n < 27; ++n) {
        const auto other = blocks.find(neighbour(part[k], n));
        if (other == blocks.end()) continue;
        alone = alone && other->second != Block::inner;
        if (other->second != Block::bare) continue;
        other->second = Block::seen;
        part.push_back(other->first);
      }
    if (!alone) continue;
    // Coincident faces enclose nothing.
    const auto solid = std::find_if(part.begin(), part.end(), [&](const Cell& place) {
      return depth_of(field, box_of(lattice, place), points_for_each, true) > 0;
    });
    if (solid == part.end()) continue;
    const Bounds box = box_of(lattice, *solid);
    missed.push_back(0.5 * (box.low + box.high));
  }
  return missed;
}

}  // namespace sinew
