#include "meshing/cut_points.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"

namespace sinew {

namespace {

constexpr double kTolerance = 1e-3;  // of an edge

// The direction of edge `edge` of a point, in the numbering of CutPoints.
constexpr int direction_of(int edge) {
  return edge < 3 ? 2 * edge : long_directions + edge - 3;
}
constexpr int own_edges(int sub) {
  return sub == corner ? CutPoints::most_edges : 3;
}
constexpr double edge_length(int direction) {
  return direction < long_directions ? 1 : short_edge;
}

// An edge whose ends a (t = 0) and b (t = 1) lie on different sides, and its part that brackets the cut.
struct Bracket {
  Vec3d a, b;
  double at_low, at_high;  // the field
  double low = 0, high = 1;
  size_t place = 0;  // index of the result

  Vec3d point(double t) const { return (1 - t) * a + t * b; }
  double secant() const { return low + (high - low) * at_low / (at_low - at_high); }
  bool done() const { return high - low <= kTolerance || at_low == 0 || at_high == 0; }

  // The next sample. The secant plus half the tolerance, away from the end closer to 0: there the side most likely
  // changes, which narrows the bracket from both sides. Every third time the middle, which bounds the number of steps
  // for any field, even one that jumps or stays far below the distance.
  double next(int step) const {
    if (step % 3 == 2) return 0.5 * (low + high);
    const double beyond = std::abs(at_low) < std::abs(at_high) ? 0.5 * kTolerance : -0.5 * kTolerance;
    const double margin = 0.25 * kTolerance;
    return std::clamp(secant() + beyond, low + margin, high - margin);
  }
  void narrow(double t, double value) {
    if ((value < 0) == (at_low < 0)) {
      low = t;
      at_low = value;
    } else {
      high = t;
      at_high = value;
    }
  }
};

// Returns the first point at which the field is not finite, if any.
const Vec3d* find_roots(const DistanceField& field, std::vector<Bracket>& open, double* roots,
                        std::vector<Vec3d>& points, std::vector<double>& tried, std::vector<double>& values) {
  for (int step = 0; !open.empty(); ++step) {
    // Remove the brackets that are narrow enough, keeping the order.
    std::erase_if(open, [&](const Bracket& bracket) {
      if (bracket.done()) roots[bracket.place] = std::clamp(bracket.secant(), bracket.low, bracket.high);
      return bracket.done();
    });
    points.clear();
    tried.clear();
    for (const Bracket& bracket : open) {
      tried.push_back(bracket.next(step));
      points.push_back(bracket.point(tried.back()));
    }
    values.resize(points.size());
    field.distances(points, values);
    for (size_t k = 0; k < open.size(); ++k) {
      if (!std::isfinite(values[k])) return &points[k];
      open[k].narrow(tried[k], values[k]);
    }
  }
  return nullptr;
}

}  // namespace

struct CutPoints::Finder {
  const DistanceField& field;
  PointLattice& lattice;
  const WarpThresholds& thresholds;
  ThreadPool& pool;
  CutPoints& cuts;
  std::vector<int32_t> sampled;  // the block of each sample

  template <class Use>
  static void for_each_point(const Use& use) {
    for (int sub = 0; sub < 2; ++sub)
      for (int k = 0; k < block_side; ++k)
        for (int j = 0; j < block_side; ++j)
          for (int i = 0; i < block_side; ++i) use(sub, i, j, k);
  }
  const LatticeBlock& block(int64_t sample) const { return lattice.blocks()[sampled[sample]]; }
  // The end of an edge of a point of a block.
  PointLattice::Place end(const LatticeBlock& from, int sub, int i, int j, int k, int direction) const {
    const std::array<int, 3> step = direction_cells(sub, direction);
    return lattice.find(from, direction_sublattice(sub, direction), i + step[0], j + step[1], k + step[2]);
  }

  void find_edges() {
    const auto samples = static_cast<int64_t>(sampled.size());
    cuts.edges_.assign(static_cast<size_t>(samples) * block_points, 0);
    cuts.before_.assign(cuts.edges_.size(), 0);
    cuts.first_.assign(sampled.size() + 1, 0);
    pool.parallel_for(samples, 8, [&](int64_t first, int64_t last) {
      for (int64_t s = first; s < last; ++s) {
        int count = 0;
        for_each_point([&](int sub, int i, int j, int k) {
          const int point = block_point(sub, i, j, k);
          const Side own = lattice.sides(static_cast<int32_t>(s))[point];
          uint16_t edges = 0;
          for (int e = 0; e < own_edges(sub); ++e)
            if (lattice.side(end(block(s), sub, i, j, k, direction_of(e))) != own)
              edges = static_cast<uint16_t>(edges | 1u << e);
          const auto p = static_cast<size_t>(s * block_points + point);
          cuts.edges_[p] = edges;
          cuts.before_[p] = static_cast<uint16_t>(count);
          count += std::popcount(edges);
        });
        cuts.first_[static_cast<size_t>(s) + 1] = count;
      }
    });
    for (size_t s = 0; s < sampled.size(); ++s) cuts.first_[s + 1] += cuts.first_[s];
  }

  Status find_points(const ProgressListener& listener) {
    const auto count = static_cast<size_t>(cuts.first_.back());
    cuts.x_.resize(count);
    cuts.t_.resize(count);
    cuts.remains_.assign(count, 1);
    const auto samples = static_cast<int64_t>(sampled.size());
    constexpr int64_t batch = 2048;
    for (int64_t start = 0; start < samples; start += batch) {
      const int64_t size = std::min(batch, samples - start);
      std::vector<Vec3d> bad(static_cast<size_t>(size));
      std::vector<uint8_t> is_bad(static_cast<size_t>(size), 0);
      pool.parallel_for(size, 8, [&](int64_t from, int64_t to) {
        std::vector<Bracket> open;
        std::vector<double> roots, tried, values;
        std::vector<Vec3d> points;
        // A few blocks at once: enough points to evaluate the field efficiently, few enough for the cache.
        for (int64_t part = start + from; part < start + to; part += 8) {
          const int64_t end_of_part = std::min(part + 8, start + to);
          const auto base = static_cast<size_t>(cuts.first_[part]);
          roots.resize(static_cast<size_t>(cuts.first_[end_of_part]) - base);
          open.clear();
          for (int64_t s = part; s < end_of_part; ++s) collect(s, open);
          for (size_t k = 0; k < open.size(); ++k) open[k].place = k;
          std::vector<Bracket> all = open;
          if (const Vec3d* fault = find_roots(field, open, roots.data(), points, tried, values)) {
            is_bad[part - start] = 1;
            bad[part - start] = *fault;
            continue;
          }
          for (size_t k = 0; k < all.size(); ++k) {
            cuts.x_[base + k] = all[k].point(roots[k]);
            cuts.t_[base + k] = static_cast<float>(roots[k]);
          }
        }
      });
      for (size_t k = 0; k < bad.size(); ++k)
        if (is_bad[k])
          return Error{"solid",
                       format("has a distance that is not finite at (%g, %g, %g)", bad[k].x, bad[k].y, bad[k].z),
                       "look for coordinates in the input that are not finite or very large"};
      if (!tell(listener, "cutting the lattice", static_cast<double>(start + size) / static_cast<double>(samples)))
        return given_up();
    }
    return {};
  }
  // The cut edges of a sample, in the order of their numbers.
  void collect(int64_t s, std::vector<Bracket>& open) const {
    const LatticeBlock& own = block(s);
    const double* values = lattice.values(static_cast<int32_t>(s));
    for_each_point([&](int sub, int i, int j, int k) {
      const int point = block_point(sub, i, j, k);
      unsigned edges = cuts.edges_[s * block_points + point];
      for (; edges != 0; edges &= edges - 1) {
        const int direction = direction_of(std::countr_zero(edges));
        const std::array<int, 3> step = direction_cells(sub, direction);
        const int other_sub = direction_sublattice(sub, direction);
        const PointLattice::Place other = end(own, sub, i, j, k, direction);
        const int32_t sample = lattice.blocks()[other.block].sample;
        const Vec3d b = lattice.position(own.place, other_sub, i + step[0], j + step[1], k + step[2]);
        open.push_back(
            {lattice.position(own.place, sub, i, j, k), b, values[point], lattice.values(sample)[other.point]});
      }
    });
  }

  // The cut point on an edge of a point, and its position along the edge from that point; -1: none.
  int64_t cut_at(int64_t s, int sub, int i, int j, int k, int direction, double& along) const {
    const Owner owned = owner(sub, direction);
    if (!owned.other_end) {
      const int64_t cut = cuts.at(static_cast<int32_t>(s), block_point(sub, i, j, k), owned.edge);
      if (cut >= 0) along = static_cast<double>(cuts.t_[cut]);
      return cut;
    }
    const PointLattice::Place place = end(block(s), sub, i, j, k, direction);
    const int32_t sample = place.block < 0 ? -1 : lattice.blocks()[place.block].sample;
    if (sample < 0) return -1;
    const int64_t cut = cuts.at(sample, place.point, owned.edge);
    if (cut >= 0) along = 1 - static_cast<double>(cuts.t_[cut]);
    return cut;
  }

  // Moves the points of one side that are violated by a cut point on an edge whose other end has not moved.
  void warp(Side side) {
    pool.parallel_for(static_cast<int64_t>(sampled.size()), 8, [&](int64_t first, int64_t last) {
      for (int64_t s = first; s < last; ++s) {
        Side* sides = lattice.sides(static_cast<int32_t>(s));
        for_each_point([&](int sub, int i, int j, int k) {
          const int point = block_point(sub, i, j, k);
          if (sides[point] != side) return;
          int64_t nearest = -1;
          double least = 1;
          for (int d = 0; d < edge_directions; ++d) {
            double along = 0;
            const int64_t cut = cut_at(s, sub, i, j, k, d, along);
            if (cut < 0 || along >= (d < long_directions ? thresholds.along_long : thresholds.along_short)) continue;
            if (along * edge_length(d) >= least) continue;
            if (lattice.side(end(block(s), sub, i, j, k, d)) == Side::surface) continue;
            nearest = cut;
            least = along * edge_length(d);
          }
          if (nearest < 0) return;
          sides[point] = Side::surface;
          cuts.moved_to_[s * block_points + point] = static_cast<int32_t>(nearest);
        });
      }
    });
  }

  void drop_vanished() {
    pool.parallel_for(static_cast<int64_t>(sampled.size()), 8, [&](int64_t first, int64_t last) {
      for (int64_t s = first; s < last; ++s)
        for_each_point([&](int sub, int i, int j, int k) {
          const int point = block_point(sub, i, j, k);
          const Side own = lattice.sides(static_cast<int32_t>(s))[point];
          for (int e = 0; e < own_edges(sub); ++e) {
            const int64_t cut = cuts.at(static_cast<int32_t>(s), point, e);
            if (cut < 0) continue;
            if (own == Side::surface || lattice.side(end(block(s), sub, i, j, k, direction_of(e))) == Side::surface)
              cuts.remains_[cut] = 0;
          }
        });
    });
  }
};

Result<CutPoints> CutPoints::find(const DistanceField& field, PointLattice& lattice, const WarpThresholds& thresholds,
                                  ThreadPool& pool, const ProgressListener& listener) {
  CutPoints cuts;
  Finder finder{field, lattice, thresholds, pool, cuts, {}};
  finder.sampled.resize(lattice.sample_count());
  for (size_t b = 0; b < lattice.blocks().size(); ++b)
    if (const int32_t sample = lattice.blocks()[b].sample; sample >= 0)
      finder.sampled[sample] = static_cast<int32_t>(b);
  finder.find_edges();
  if (cuts.first_.back() > INT32_MAX)
    return Error{"cell", format("= %g m: the surface would have too many vertices", lattice.h()), "take a larger cell"};
  if (Status status = finder.find_points(listener); !status) return status.error();
  lattice.forget_values();
  cuts.moved_to_.assign(cuts.edges_.size(), -1);
  finder.warp(Side::outside);
  finder.warp(Side::inside);
  finder.drop_vanished();
  return cuts;
}

}  // namespace sinew
