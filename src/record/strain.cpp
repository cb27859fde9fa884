#include "record/strain.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

// Eigenvalues of a symmetric matrix, smallest and largest, by the angle of its characteristic cubic (Smith 1961).
// If two coincide, the error is about 1e-8 x their distance from the mean, and so is that of strains.
struct Extremes {
  double smallest, largest;
};
Extremes extreme_eigenvalues(const Sym3<double>& c) {
  const double mean = (c.xx + c.yy + c.zz) / 3;
  Sym3<double> deviator = c;
  add_identity(deviator, -mean);
  const double p = std::sqrt(frobenius_squared(deviator) / 6);
  if (!(p > 0)) return {mean, mean};
  const Sym3<double> b = (1 / p) * deviator;
  const double determinant =
      b.xx * (b.yy * b.zz - b.yz * b.yz) - b.xy * (b.xy * b.zz - b.yz * b.xz) + b.xz * (b.xy * b.yz - b.yy * b.xz);
  // The angle lies in [0, pi/3]: its sine is not negative.
  const double c1 = std::cos(std::acos(std::clamp(determinant / 2, -1.0, 1.0)) / 3);
  const double s1 = std::sqrt(std::fmax(1 - c1 * c1, 0));
  return {mean - p * (c1 + std::numbers::sqrt3 * s1), mean + 2 * p * c1};
}

double rest_volume(const std::vector<Vec3d>& rest, const Tet& t) {
  return dot(rest[t[1]] - rest[t[0]], cross(rest[t[2]] - rest[t[0]], rest[t[3]] - rest[t[0]])) / 6;
}

}  // namespace

TetStrain tet_strain(const std::vector<Vec3d>& rest, std::span<const Vec3d> x, const Tet& tet) {
  const auto edges = [&](const auto& p) {
    return Mat3d{p[tet[1]] - p[tet[0]], p[tet[2]] - p[tet[0]], p[tet[3]] - p[tet[0]]};
  };
  const Mat3d rest_edges = edges(rest);
  const Mat3d inverse = (1 / determinant(rest_edges)) * transpose(cofactor(rest_edges));
  const Mat3d f = edges(x) * inverse;
  const double j = determinant(f);

  const Sym3<double> c{dot(f.c0, f.c0), dot(f.c0, f.c1), dot(f.c0, f.c2),
                       dot(f.c1, f.c1), dot(f.c1, f.c2), dot(f.c2, f.c2)};
  const auto [smallest, largest] = extreme_eigenvalues(c);
  const double s_min = std::copysign(std::sqrt(std::fmax(smallest, 0)), j), s_max = std::sqrt(std::fmax(largest, 0));
  return {j, std::fmax(std::abs(s_max - 1), std::abs(s_min - 1))};
}

double spring_strain(const Ties& ties, int32_t tie, std::span<const Vec3d> x) {
  if (ties.laws[tie].rest_length == 0) return 0;
  const Vec3d c = ties.vector(tie, x);
  return std::abs(std::sqrt(dot(c, c)) / ties.laws[tie].rest_length - 1);
}

void measure_strain(const Model& model, std::span<const Vec3d> x, ThreadPool& pool, std::span<double> j,
                    std::span<double> strain) {
  pool.for_each(static_cast<int64_t>(model.tets.size()), [&](size_t e) {
    const TetStrain measured = tet_strain(model.rest, x, model.tets[e]);
    j[model.user_tet[e]] = measured.j;
    strain[model.user_tet[e]] = measured.strain;
  });
}

SurfaceStrain::SurfaceStrain(const Model& model, std::span<const int32_t> slot_of_point)
    : point_of_slot_(static_cast<size_t>(model.slot_count()), -1), volume_(slot_of_point.size()) {
  for (size_t k = 0; k < slot_of_point.size(); ++k) point_of_slot_[slot_of_point[k]] = static_cast<int32_t>(k);
  for (const Tet& tet : model.tets) {
    const double volume = rest_volume(model.rest, tet);
    for (const int32_t slot : tet)
      if (point_of_slot_[slot] >= 0) volume_[point_of_slot_[slot]] += volume;
  }
  if (model.ties.empty()) return;
  for (const double volume : volume_) of_springs_.push_back(volume == 0);
  for_each_spring_end(model, [&](int32_t, int32_t point) { ++volume_[point]; });
}

// Calls visit(tie, point) for the ends of springs at points without tets.
template <class Visit>
void SurfaceStrain::for_each_spring_end(const Model& model, const Visit& visit) const {
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    if (!model.ties.laws[t].traits().is_edge) continue;
    for (const int32_t slot : model.ties.vertices_of(t)) {
      const int32_t point = point_of_slot_[slot];
      if (point >= 0 && of_springs_[point]) visit(t, point);
    }
  }
}

std::vector<double> SurfaceStrain::measure(const Model& model, std::span<const Vec3d> x, ThreadPool& pool) const {
  // Measured in parallel, summed in order.
  constexpr size_t chunk = 65536;
  constexpr int64_t grain = 1024;
  std::vector<double> mean(volume_.size()), share(std::min(chunk, model.tets.size()));
  const auto on_surface = [&](const Tet& t) {
    return std::any_of(t.begin(), t.end(), [&](int32_t slot) { return point_of_slot_[slot] >= 0; });
  };
  for (size_t first = 0; first < model.tets.size(); first += chunk) {
    const size_t count = std::min(chunk, model.tets.size() - first);
    pool.parallel_for(static_cast<int64_t>(count), grain, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        const Tet& tet = model.tets[first + static_cast<size_t>(k)];
        if (!on_surface(tet)) continue;
        share[k] = rest_volume(model.rest, tet) * tet_strain(model.rest, x, tet).strain;
      }
    });
    for (size_t k = 0; k < count; ++k) {
      for (const int32_t slot : model.tets[first + k])
        if (point_of_slot_[slot] >= 0) mean[point_of_slot_[slot]] += share[k];
    }
  }
  for_each_spring_end(model, [&](int32_t t, int32_t point) { mean[point] += spring_strain(model.ties, t, x); });
  for (size_t k = 0; k < mean.size(); ++k)
    if (volume_[k] > 0) mean[k] /= volume_[k];
  return mean;
}

std::vector<Sym3<double>> SurfaceStrain::mean(const Model& model, ThreadPool& pool,
                                              const MeasureTensor& measure) const {
  // As above: in parallel, then summed in order.
  constexpr int32_t chunk = 65536;
  constexpr int64_t grain = 1024;
  std::vector<Sym3<double>> mean(volume_.size()), of(std::min<size_t>(chunk, model.tets.size()));
  const auto add = [](Sym3<double>& a, double w, const Sym3<double>& b) {
    a = {a.xx + w * b.xx, a.xy + w * b.xy, a.xz + w * b.xz, a.yy + w * b.yy, a.yz + w * b.yz, a.zz + w * b.zz};
  };
  for (const ElasticBlock& block : model.blocks) {
    for (int32_t first = block.first_tet; first < block.last_tet; first += chunk) {
      const int32_t count = std::min(chunk, block.last_tet - first);
      pool.parallel_for(count, grain, [&](int64_t begin, int64_t end) {
        measure(block, first + static_cast<int32_t>(begin), first + static_cast<int32_t>(end),
                std::span(of).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
      });
      for (int32_t k = 0; k < count; ++k) {
        const Tet& tet = model.tets[first + k];
        for (const int32_t slot : tet)
          if (const int32_t point = point_of_slot_[slot]; point >= 0)
            add(mean[point], rest_volume(model.rest, tet) / volume_[point], of[k]);
      }
    }
  }
  return mean;
}

}  // namespace sinew
