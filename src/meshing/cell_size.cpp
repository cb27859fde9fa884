#include "meshing/cell_size.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "meshing/lattice.h"

namespace sinew {

namespace {

// Tets per cut edge, beyond the twelve per cell: measured on balls, tori and unions of balls, 0.25 to 0.4.
constexpr double kTetsPerCut = 0.31;

// 12 V and s A above.
struct Size {
  double volume, surface;
  double tets(double h) const { return volume / (h * h * h) + surface / (h * h); }
  // Inverts tets(h), which is decreasing, by bisection: 60 steps exhaust the digits of a double.
  double cell(double tets) const {
    double low = std::cbrt(volume / tets) / 1024, high = low;
    while (this->tets(high) > tets) high *= 2;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (this->tets(middle) > tets ? low : high) = middle;
    }
    return high;
  }
};

// Counts points inside and cut edges.
Size measure(const PointLattice& lattice, ThreadPool& pool) {
  struct Sum {
    int64_t inside = 0, cut = 0;
    Sum& operator+=(const Sum& other) {
      inside += other.inside;
      cut += other.cut;
      return *this;
    }
  };
  const auto& blocks = lattice.blocks();
  const Sum sum = ordered_sum<Sum>(pool, static_cast<int64_t>(blocks.size()), [&](int64_t b) {
    if (blocks[b].sample < 0) return Sum{block_points, 0};
    Sum own;
    for (int p = 0; p < block_points; ++p) {
      if (lattice.sides(blocks[b].sample)[p] != Side::inside) continue;
      ++own.inside;
      const int sub = p / block_cells, i = p & 7, j = p >> 3 & 7, k = p >> 6 & 7;
      for (int d = 0; d < edge_directions; ++d) {
        const std::array<int, 3> step = direction_cells(sub, d);
        const auto end = lattice.find(blocks[b], direction_sublattice(sub, d), i + step[0], j + step[1], k + step[2]);
        own.cut += lattice.side(end) != Side::inside;
      }
    }
    return own;
  });
  const double h = lattice.h();
  // Six tets per point, two points per cell.
  return {6.0 * static_cast<double>(sum.inside) * h * h * h, kTetsPerCut * static_cast<double>(sum.cut) * h * h};
}

Result<Vec3d> extent(const DistanceField& field) {
  const Bounds box = field.bounds();
  const Vec3d size = box.high - box.low;
  if (box.empty()) return Error{"solid", "its bounds are empty", "check that the input has any triangles or shapes"};
  if (!std::isfinite(size.x) || !std::isfinite(size.y) || !std::isfinite(size.z))
    return Error{"solid", "its bounds are not finite", "look for coordinates in the input that are not finite"};
  return size;
}

}  // namespace

Result<double> cell_for_cells(const DistanceField& field, double cells) {
  if (!(std::isfinite(cells) && cells > 0))
    return Error{"cells", format("= %g", cells), "give a positive number of cells along the longest side"};
  const auto size = extent(field);
  if (!size) return size.error();
  return std::max({size->x, size->y, size->z}) / cells;
}

Result<CellForTets> cell_for_tets(const DistanceField& field, int64_t tets, const StuffingOptions& options,
                                  ThreadPool& pool, const ProgressListener& listener, double tolerance) {
  if (tets < 1 || tets > options.max_tets)
    return Error{"tets",
                 format("= %lld: must be 1 to %lld, which ", static_cast<long long>(tets),
                        static_cast<long long>(options.max_tets)) +
                     options.limit,
                 ""};
  const auto size = extent(field);
  if (!size) return size.error();
  const auto wanted = static_cast<double>(tets);

  // A coarse lattice, of an eighth of the tets if its box were full; refined until it has found some of the solid, or
  // until that many tets could not resolve it.
  const double widest = std::max({size->x, size->y, size->z});
  const double volume =
      std::max(size->x, widest / 100) * std::max(size->y, widest / 100) * std::max(size->z, widest / 100);
  Size solid{};
  double coarse = std::cbrt(12 * volume / std::clamp(wanted / 8, 2e4, 1e6));
  const double finest = std::cbrt(12 * volume / std::max(8 * wanted, 2e6));
  for (; coarse >= finest && !(solid.volume > 0); coarse /= 2) {
    auto lattice = PointLattice::sample(field, coarse, {options.max_tets, options.max_tets}, pool, {});
    if (!lattice) return lattice.error();
    solid = measure(*lattice, pool);
  }
  if (!(solid.volume > 0))
    return Error{"solid", format("has no point inside, as far as a lattice of %.3g m sees", 2 * coarse),
                 "check that the surface is closed or the shape is not empty; what is thinner than that takes a cell, "
                 "not a number of tetrahedra"};

  // A count; `more` and `fewer` are the nearest on either side.
  struct Tried {
    double log_cell, log_ratio;  // of tets to those requested
  };
  Tried more{-INFINITY, INFINITY}, fewer{INFINITY, -INFINITY};
  CellForTets best;
  double log_cell = std::log(solid.cell(wanted)), least = INFINITY;
  constexpr int most_tries = 8;
  StuffingOptions counted = options;
  for (int n = 0; n < most_tries; ++n) {
    counted.cell = std::exp(log_cell);
    // Counts far above the requested number need not be completed.
    counted.max_tets = static_cast<int64_t>(std::min(64 * wanted + 1e6, 4e15));
    const auto count = count_tets(field, counted, pool);
    if (!tell(listener, "looking for the cell", static_cast<double>(n + 1) / most_tries)) return given_up();
    if (!count && count.error().where != "cell") return count.error();
    // Too coarse for any point to be inside: counts as half a tet.
    const double found = count ? std::max(0.5, static_cast<double>(*count)) : static_cast<double>(counted.max_tets);
    const double log_ratio = std::log(found / wanted);
    if (count && *count > 0 && std::abs(log_ratio) < least) {
      least = std::abs(log_ratio);
      best = {counted.cell, *count};
    }
    if (count && *count > 0 && std::abs(found / wanted - 1) <= tolerance) break;
    Tried& side = log_ratio > 0 ? more : fewer;
    side = {log_cell, log_ratio};
    // The first step follows the model; then the secant, kept away from the ends of the bracket.
    if (std::isfinite(more.log_cell) && std::isfinite(fewer.log_cell)) {
      const double share = std::clamp(more.log_ratio / (more.log_ratio - fewer.log_ratio), 0.1, 0.9);
      log_cell = more.log_cell + share * (fewer.log_cell - more.log_cell);
    } else {
      // A little farther than a third of the ratio, to bracket the target.
      log_cell += log_ratio / 2.7 + (log_ratio > 0 ? 0.003 : -0.003);
    }
  }
  if (best.tets == 0)
    return Error{"tets", format("= %lld: no cell was found for it", static_cast<long long>(tets)),
                 "ask for more tetrahedra"};
  return best;
}

}  // namespace sinew
