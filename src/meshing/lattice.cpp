#include "meshing/lattice.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "math/length.h"

namespace sinew {

namespace {

constexpr double kSqrt3 = 1.7320508075688772;
constexpr double largest_size = 1e100;  // [m] its cube and that of its inverse are finite
constexpr double finest = 1e-12;        // cell over coordinates, which have 16 digits: leaves four for the shape
// Relative to a cell: no place is farther than sqrt(5)/4 from a lattice point.
constexpr double kNear = 0.56;
constexpr int kWidestLevel = 20;  // of the tree: 2^20 blocks along each axis

int64_t floor_to_int(double v) {
  return static_cast<int64_t>(std::floor(v));
}

// Interleaves the bits of three numbers below 2^21.
uint64_t spread(uint64_t v) {
  v = (v | v << 32) & 0x1f00000000ffffull;
  v = (v | v << 16) & 0x1f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  return (v | v << 2) & 0x1249249249249249ull;
}

double longest_side(const Bounds& bounds) {
  const Vec3d size = bounds.high - bounds.low;
  return std::max({size.x, size.y, size.z});
}

Error not_finite(Vec3d p) {
  return {"solid", format("has a distance that is not finite at (%g, %g, %g)", p.x, p.y, p.z),
          "look for coordinates in the input that are not finite or very large"};
}

}  // namespace

struct PointLattice::Sampler {
  const DistanceField& field;
  PointLattice& lattice;
  LatticeLimits limits;
  ThreadPool& pool;
  bool continuous;
  Cell low{}, high{};  // of the blocks, high excluded

  uint64_t code(const Cell& p) const {
    return spread(static_cast<uint64_t>(p[0] - low[0])) | spread(static_cast<uint64_t>(p[1] - low[1])) << 1 |
           spread(static_cast<uint64_t>(p[2] - low[2])) << 2;
  }
  bool within(const Cell& p) const {
    for (size_t a = 0; a < 3; ++a)
      if (p[a] < low[a] || p[a] >= high[a]) return false;
    return true;
  }
  Error too_many() const { return {"cell", format("= %g m: the mesh would have more tetrahedra", lattice.h_), ""}; }

  // The middle and the radius of the points of a cube of cells, and the distance from the surface at which none of
  // their edges, of at most h, can be cut.
  Vec3d middle(const Cell& block, int cells, int i = 0, int j = 0, int k = 0) const {
    const double to_middle = lattice.h_ * (0.5 * cells - 0.25);
    return lattice.position(block, corner, i, j, k) + Vec3d{to_middle, to_middle, to_middle};
  }
  double safe_distance(int cells) const { return lattice.h_ * (kSqrt3 * (0.5 * cells - 0.25) + 1.0001); }

  Status set_range() {
    const Bounds bounds = field.bounds();
    if (bounds.empty())
      return Error{"solid", "its bounds are empty", "check that the input has any triangles or shapes"};
    if (!is_finite(bounds.low) || !is_finite(bounds.high))
      return Error{"solid", "its bounds are not finite", "look for coordinates in the input that are not finite"};
    const double h = lattice.h_, widest = longest_side(bounds);
    if (!(widest >= 1 / largest_size && widest <= largest_size))
      return Error{"solid", format("is %.3g m wide", widest),
                   format("scale it to between %g and %g m", 1 / largest_size, largest_size)};
    const double farthest =
        std::max({-bounds.low.x, -bounds.low.y, -bounds.low.z, bounds.high.x, bounds.high.y, bounds.high.z});
    if (const double least = finest * farthest; h < least)
      return Error{"cell", format("= %g m: too small for coordinates of %g m, which have no more digits", h, farthest),
                   "move the solid nearer to the origin" +
                       (least < widest ? format(", or take a cell of at least %.3g m", least) : "")};
    lattice.origin_ = 0.5 * (bounds.low + bounds.high);
    const std::array<double, 3> extent{bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y,
                                       bounds.high.z - bounds.low.z};
    for (size_t a = 0; a < 3; ++a) {
      const double half = 0.5 * extent[a] / h;
      if (!(half < (1 << kWidestLevel) * (block_side / 2 - 1))) return too_many();
      const int64_t cells = floor_to_int(half) + 3;
      low[a] = static_cast<int32_t>(floor_to_int(-static_cast<double>(cells) / block_side));
      high[a] = static_cast<int32_t>(floor_to_int(static_cast<double>(cells) / block_side)) + 1;
    }
    return {};
  }

  // Finds the blocks that are entirely inside and those to sample, in the order of the curve.
  Status find_blocks(std::vector<Cell>& candidates) {
    int level = 0;
    for (size_t a = 0; a < 3; ++a)
      while (high[a] - low[a] > (int32_t{1} << level)) ++level;
    std::vector<Cell> nodes{low}, children;
    std::vector<Vec3d> points;
    std::vector<double> distances;
    for (;; --level) {
      const int32_t blocks = int32_t{1} << level;
      if (continuous) {
        points.resize(nodes.size());
        distances.resize(nodes.size());
        pool.parallel_for(static_cast<int64_t>(nodes.size()), 64, [&](int64_t first, int64_t last) {
          for (int64_t n = first; n < last; ++n) points[n] = middle(nodes[n], blocks * block_side);
          const auto count = static_cast<size_t>(last - first);
          field.distances({points.data() + first, count}, {distances.data() + first, count});
        });
      }
      children.clear();
      for (size_t n = 0; n < nodes.size(); ++n) {
        bool open = true;
        if (continuous) {
          if (!std::isfinite(distances[n])) return not_finite(points[n]);
          open = std::abs(distances[n]) <= safe_distance(blocks * block_side);
          if (!open && distances[n] < 0) {
            if (int64_t{1} << 3 * level > limits.inner_blocks) return too_many();
            for (int32_t m = 0; m < int32_t{1} << 3 * level; ++m)
              if (const Cell place = child(nodes[n], m, level); within(place)) lattice.blocks_.push_back({place});
            if (static_cast<int64_t>(lattice.blocks_.size()) > limits.inner_blocks) return too_many();
          }
        }
        if (!open) continue;
        if (level == 0) {
          children.push_back(nodes[n]);
          continue;
        }
        for (int32_t m = 0; m < 8; ++m) {
          Cell place = nodes[n];
          for (size_t a = 0; a < 3; ++a) place[a] += (m >> a & 1) * (blocks / 2);
          if (within(place)) children.push_back(place);
        }
      }
      if (static_cast<int64_t>(children.size()) > 4 * limits.sampled_blocks) return too_many();
      nodes.swap(children);
      if (level == 0) break;
    }
    candidates = std::move(nodes);
    return {};
  }
  // Block m of a node, along the curve.
  static Cell child(Cell place, int32_t m, int level) {
    for (int bit = 0; bit < level; ++bit)
      for (size_t a = 0; a < 3; ++a) place[a] += (m >> (3 * bit + static_cast<int>(a)) & 1) << bit;
    return place;
  }

  // The distances of a block's points. Cubes of 4^3 and then 2^3 cells in which no edge can be cut are not refined:
  // their points get the distance of the middle.
  void sample_block(const Cell& place, double* values, std::vector<Vec3d>& points, std::vector<double>& found) const {
    std::vector<std::array<int8_t, 3>> cubes{{0, 0, 0}}, open;
    for (int side = block_side / 2; continuous && side >= 2; side /= 2) {
      points.clear();
      open.clear();
      for (const auto& c : cubes)
        for (int m = 0; m < 8; ++m) {
          open.push_back({static_cast<int8_t>(c[0] + (m & 1) * side), static_cast<int8_t>(c[1] + (m >> 1 & 1) * side),
                          static_cast<int8_t>(c[2] + (m >> 2) * side)});
          points.push_back(middle(place, side, open.back()[0], open.back()[1], open.back()[2]));
        }
      found.resize(points.size());
      field.distances(points, found);
      cubes.clear();
      for (size_t n = 0; n < open.size(); ++n) {
        const auto [x, y, z] = open[n];
        // Cubes with values that are not finite are refined, which locates the point.
        if (!(std::abs(found[n]) > safe_distance(side)) || !std::isfinite(found[n])) {
          cubes.push_back(open[n]);
          continue;
        }
        for (int k = z; k < z + side; ++k)
          for (int j = y; j < y + side; ++j)
            for (int i = x; i < x + side; ++i)
              values[block_point(corner, i, j, k)] = values[block_point(centre, i, j, k)] = found[n];
      }
    }
    const int side = continuous ? 2 : block_side;
    points.clear();
    for (const auto& [x, y, z] : cubes)
      for (int sub = 0; sub < 2; ++sub)
        for (int k = z; k < z + side; ++k)
          for (int j = y; j < y + side; ++j)
            for (int i = x; i < x + side; ++i) points.push_back(lattice.position(place, sub, i, j, k));
    found.resize(points.size());
    field.distances(points, found);
    size_t n = 0;
    for (const auto& [x, y, z] : cubes)
      for (int sub = 0; sub < 2; ++sub)
        for (int k = z; k < z + side; ++k)
          for (int j = y; j < y + side; ++j)
            for (int i = x; i < x + side; ++i) values[block_point(sub, i, j, k)] = found[n++];
  }

  // Samples blocks and keeps those with points on both sides, or all where `keep_all`.
  Status sample_blocks(const std::vector<Cell>& places, bool keep_all, const ProgressListener& listener) {
    constexpr size_t batch = 1024;
    std::vector<double> values(std::min(batch, places.size()) * block_points);
    for (size_t start = 0; start < places.size(); start += batch) {
      const size_t count = std::min(batch, places.size() - start);
      pool.parallel_for(static_cast<int64_t>(count), 1, [&](int64_t first, int64_t last) {
        std::vector<Vec3d> points;
        std::vector<double> found;
        for (int64_t b = first; b < last; ++b)
          sample_block(places[start + static_cast<size_t>(b)], values.data() + b * block_points, points, found);
      });
      for (size_t b = 0; b < count; ++b) {
        const double* own = values.data() + b * block_points;
        int inside = 0;
        for (int p = 0; p < block_points; ++p) {
          if (!std::isfinite(own[p])) {
            const int c = p % block_cells;
            return not_finite(lattice.position(places[start + b], p / block_cells, c & 7, c >> 3 & 7, c >> 6));
          }
          inside += own[p] < 0;
        }
        if (inside == 0 && !keep_all) {
          const double nearest = *std::min_element(own, own + block_points);
          if (continuous && nearest < kNear * lattice.h_) lattice.near_.push_back(places[start + b]);
          continue;
        }
        LatticeBlock block{places[start + b]};
        if (inside < block_points || keep_all) {
          block.sample = static_cast<int32_t>(lattice.sample_count());
          lattice.values_.insert(lattice.values_.end(), own, own + block_points);
          for (int p = 0; p < block_points; ++p) lattice.sides_.push_back(own[p] < 0 ? Side::inside : Side::outside);
        }
        lattice.blocks_.push_back(block);
        if (static_cast<int64_t>(lattice.sample_count()) > limits.sampled_blocks) return too_many();
      }
      if (!tell(listener, "sampling the distance",
                static_cast<double>(start + count) / static_cast<double>(places.size())))
        return given_up();
    }
    return {};
  }

  void link() {
    auto& blocks = lattice.blocks_;
    std::sort(blocks.begin(), blocks.end(),
              [&](const LatticeBlock& a, const LatticeBlock& b) { return code(a.place) < code(b.place); });
    std::unordered_map<uint64_t, int32_t> index;
    index.reserve(blocks.size());
    for (size_t b = 0; b < blocks.size(); ++b) index[code(blocks[b].place)] = static_cast<int32_t>(b);
    pool.for_each(static_cast<int64_t>(blocks.size()), [&](size_t b) {
      for (int n = 0; n < 27; ++n) {
        const Cell place{blocks[b].place[0] + n % 3 - 1, blocks[b].place[1] + n / 3 % 3 - 1,
                         blocks[b].place[2] + n / 9 - 1};
        const auto found = within(place) ? index.find(code(place)) : index.end();
        blocks[b].neighbours[n] = found == index.end() ? -1 : found->second;
      }
    });
  }

  // Unsampled blocks at the other end of an edge with different ends: neighbours (0 .. 26) of a block, as bits.
  uint32_t unsampled_ends(const LatticeBlock& block) const {
    bool alike = block.sample < 0;
    for (const int32_t n : block.neighbours) alike = alike && n >= 0 && lattice.blocks_[n].sample < 0;
    if (alike) return 0;
    uint32_t ends = 0;
    const auto at_rim = [](int c) { return c == 0 || c == block_side - 1; };
    for (int sub = 0; sub < 2; ++sub)
      for (int k = 0; k < block_side; ++k)
        for (int j = 0; j < block_side; ++j)
          for (int i = 0; i < block_side; ++i) {
            if (!at_rim(i) && !at_rim(j) && !at_rim(k)) continue;
            const Side own = block.sample < 0 ? Side::inside : lattice.sides(block.sample)[block_point(sub, i, j, k)];
            for (int d = 0; d < edge_directions; ++d) {
              const std::array<int, 3> step = direction_cells(sub, d);
              const int x = i + step[0], y = j + step[1], z = k + step[2];
              const int n = ((z >> 3) + 1) * 9 + ((y >> 3) + 1) * 3 + (x >> 3) + 1;
              const int32_t other = block.neighbours[n];
              if (other >= 0 && lattice.blocks_[other].sample >= 0) continue;
              const Side end = other < 0 ? Side::outside : Side::inside;
              if (end != own) ends |= uint32_t{1} << n;
              // An inner block next to an outside point needs its own samples too.
              if (end != own && block.sample < 0) ends |= uint32_t{1} << 13;
            }
          }
    return ends;
  }

  // Samples both ends of every edge whose ends differ: a discontinuous field may jump right at the rim of a block.
  Status close_rims(const ProgressListener& listener) {
    for (;;) {
      link();
      auto& blocks = lattice.blocks_;
      std::vector<uint32_t> ends(blocks.size());
      pool.parallel_for(static_cast<int64_t>(blocks.size()), 16, [&](int64_t first, int64_t last) {
        for (int64_t b = first; b < last; ++b) ends[b] = unsampled_ends(blocks[b]);
      });
      std::vector<Cell> missing;
      for (size_t b = 0; b < blocks.size(); ++b)
        for (int n = 0; n < 27; ++n)
          if (ends[b] >> n & 1) {
            const Cell place{blocks[b].place[0] + n % 3 - 1, blocks[b].place[1] + n / 3 % 3 - 1,
                             blocks[b].place[2] + n / 9 - 1};
            if (!within(place)) {
              const Vec3d p = lattice.position(place, corner, 0, 0, 0);
              return Error{"solid", format("is negative outside its bounds, near (%g, %g, %g)", p.x, p.y, p.z),
                           "give bounds that contain the solid"};
            }
            missing.push_back(place);
          }
      if (missing.empty()) return {};
      const auto before = [&](const Cell& a, const Cell& b) { return code(a) < code(b); };
      std::sort(missing.begin(), missing.end(), before);
      missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
      std::erase_if(blocks, [&](const LatticeBlock& b) {
        return std::binary_search(missing.begin(), missing.end(), b.place, before);
      });
      if (Status status = sample_blocks(missing, true, listener); !status) return status;
    }
  }
};

Result<PointLattice> PointLattice::sample(const DistanceField& field, double h, const LatticeLimits& limits,
                                          ThreadPool& pool, const ProgressListener& listener) {
  PointLattice lattice;
  lattice.h_ = h;
  Sampler sampler{field, lattice, limits, pool, field.continuous(), {}, {}};
  std::vector<Cell> candidates;
  if (Status status = sampler.set_range(); !status) return status.error();
  if (Status status = sampler.find_blocks(candidates); !status) return status.error();
  if (Status status = sampler.sample_blocks(candidates, false, listener); !status) return status.error();
  if (Status status = sampler.close_rims({}); !status) return status.error();
  return lattice;
}

}  // namespace sinew
