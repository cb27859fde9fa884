// The body-centred cubic lattice: two interlaced cubic grids, the corners and the centres of cubic cells of side h.
//   cell (i, j, k) owns its corner at h (i, j, k) and its centre at h (i + 1/2, j + 1/2, k + 1/2)
//   long edges    length h, along the axes, between corners or between centres; 6 at each point
//   short edges   length sqrt(3)/2 h, from a corner to a centre; 8 at each point
//   tets          4 around each long edge, 12 to a cell, all congruent: a long edge between corners and one between
//                 centres, opposite to each other, and four short ones; dihedral angles of 60 and 90 degrees
// (F. Labelle, J. R. Shewchuk, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", SIGGRAPH 2007,
// section 3.)
//
// Storage is sparse, in blocks of 8^3 cells. Only those near the surface store data per point.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "exec/thread_pool.h"
#include "meshing/distance_field.h"

namespace sinew {

using Cell = std::array<int32_t, 3>;

inline constexpr int block_side = 8;                                          // [cells]
inline constexpr int block_cells = block_side * block_side * block_side;      // 512
inline constexpr int block_points = 2 * block_cells;                          // corners first, then centres
inline constexpr double short_edge = 0.866025403784438646763723170752936183;  // of h
enum Sublattice : int { corner = 0, centre = 1 };

// A point within its block, and within a halo: a block and the cells around it, -1 .. 8 along each axis.
inline constexpr int halo_side = block_side + 2;
inline constexpr int halo_cells = halo_side * halo_side * halo_side;
constexpr int block_point(int sub, int i, int j, int k) {
  return sub * block_cells + (k * block_side + j) * block_side + i;
}
constexpr int halo_point(int sub, int i, int j, int k) {
  return sub * halo_cells + ((k + 1) * halo_side + j + 1) * halo_side + i + 1;
}

// The 14 directions of the edges of a point, in steps of h/2: +x, -x, +y, -y, +z, -z, then the eight diagonals, with
// bit a set if axis a goes up.
inline constexpr int edge_directions = 14, long_directions = 6;
constexpr std::array<int, 3> direction_step(int d) {
  if (d < long_directions) {
    std::array<int, 3> step{0, 0, 0};
    step[d / 2] = d % 2 == 0 ? 2 : -2;
    return step;
  }
  const int bits = d - long_directions;
  return {bits & 1 ? 1 : -1, bits & 2 ? 1 : -1, bits & 4 ? 1 : -1};
}
constexpr int opposite_direction(int d) {
  return d < long_directions ? d ^ 1 : long_directions + (7 - (d - long_directions));
}
// The end of that edge, in steps of cells; the sublattice changes along short edges.
constexpr std::array<int, 3> direction_cells(int sub, int d) {
  const std::array<int, 3> step = direction_step(d);
  if (d < long_directions) return {step[0] / 2, step[1] / 2, step[2] / 2};
  const int down = sub == corner ? -1 : 0;  // a centre's own corner lies below it
  return {down + (step[0] > 0), down + (step[1] > 0), down + (step[2] > 0)};
}
constexpr int direction_sublattice(int sub, int d) {
  return d < long_directions ? sub : 1 - sub;
}

// The side of a point. Points are moved onto the surface later (cut_points.h), never here.
enum class Side : uint8_t { inside = 0, surface = 1, outside = 2 };

struct LatticeBlock {
  Cell place{};                          // in blocks
  int32_t sample = -1;                   // index of its samples; -1: all of its points are inside
  std::array<int32_t, 27> neighbours{};  // blocks around it, x fastest, itself in the middle; -1: all outside
};

// Limits for memory: a sampled block takes about 15 kB, another 0.1 kB, plus the resulting tets.
struct LatticeLimits {
  int64_t inner_blocks = 0, sampled_blocks = 0;
};

class PointLattice {
 public:
  // Blocks are sampled where the surface may be, in the order of a space-filling curve. If field.continuous(), parts
  // whose distance at the middle exceeds their radius are not refined. Errors: a field that is not finite or is
  // negative outside its bounds; more blocks than the limits (an error of "cell" without a remedy: the caller knows the
  // limit).
  static Result<PointLattice> sample(const DistanceField& field, double h, const LatticeLimits& limits,
                                     ThreadPool& pool, const ProgressListener& listener);

  double h() const { return h_; }
  Vec3d position(const Cell& block, int sub, int i, int j, int k) const {
    const double s = 0.5 * sub;
    return {origin_.x + h_ * (block[0] * block_side + i + s), origin_.y + h_ * (block[1] * block_side + j + s),
            origin_.z + h_ * (block[2] * block_side + k + s)};
  }
  const std::vector<LatticeBlock>& blocks() const { return blocks_; }
  size_t sample_count() const { return sides_.size() / block_points; }
  Side* sides(int32_t sample) { return sides_.data() + static_cast<size_t>(sample) * block_points; }
  const Side* sides(int32_t sample) const { return sides_.data() + static_cast<size_t>(sample) * block_points; }
  // Distances, exact at the ends of all edges whose ends differ; elsewhere only the sign is valid.
  const double* values(int32_t sample) const { return values_.data() + static_cast<size_t>(sample) * block_points; }
  void forget_values() { values_ = {}; }

  // Other blocks, without a point inside, where the surface comes near some of the points. None if the field is
  // discontinuous: then a surface need not bound anything.
  const std::vector<Cell>& near() const { return near_; }

  // The block and the point in it of cell (i, j, k) as seen from `block`, each within -8 .. 15. Block -1: outside.
  struct Place {
    int32_t block;
    int point;
  };
  Place find(const LatticeBlock& block, int sub, int i, int j, int k) const {
    const auto shift = [](int& c) {
      const int s = (c >> 3) + 1;  // before, within, after: 0, 1, 2
      c &= block_side - 1;
      return s;
    };
    const int x = shift(i), y = shift(j), z = shift(k);
    return {block.neighbours[(z * 3 + y) * 3 + x], block_point(sub, i, j, k)};
  }
  Side side(Place place) const {
    if (place.block < 0) return Side::outside;
    const int32_t sample = blocks_[place.block].sample;
    return sample < 0 ? Side::inside : sides(sample)[place.point];
  }

  // of(block index, point in block) for every point of the halo of a block; `none` where there is no block.
  template <class T, class Of>
  void gather(const LatticeBlock& block, T none, std::array<T, 2 * halo_cells>& halo, const Of& of) const;

 private:
  struct Sampler;

  double h_ = 0;
  Vec3d origin_{};
  std::vector<LatticeBlock> blocks_;
  std::vector<Side> sides_;
  std::vector<double> values_;
  std::vector<Cell> near_;
};

template <class T, class Of>
void PointLattice::gather(const LatticeBlock& block, T none, std::array<T, 2 * halo_cells>& halo, const Of& of) const {
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        const auto first = [](int s) { return s == 0 ? -1 : s == 1 ? 0 : block_side; };
        const auto last = [](int s) { return s == 0 ? 0 : s == 1 ? block_side : block_side + 1; };
        const int32_t from = block.neighbours[(z * 3 + y) * 3 + x];
        for (int sub = 0; sub < 2; ++sub)
          for (int k = first(z); k < last(z); ++k)
            for (int j = first(y); j < last(y); ++j)
              for (int i = first(x); i < last(x); ++i)
                halo[halo_point(sub, i, j, k)] = from < 0 ? none : of(from, block_point(sub, i & 7, j & 7, k & 7));
      }
}

}  // namespace sinew
