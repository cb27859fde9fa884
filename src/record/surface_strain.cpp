#include "record/surface_strain.h"

#include <algorithm>

#include "objective/strain.h"

namespace sinew {

SurfaceStrain::SurfaceStrain(const Model& model, std::span<const int32_t> slot_of_point)
    : point_of_slot_(static_cast<size_t>(model.slot_count()), -1), volume_(slot_of_point.size()) {
  for (size_t k = 0; k < slot_of_point.size(); ++k) point_of_slot_[slot_of_point[k]] = static_cast<int32_t>(k);
  for (int32_t e = 0; e < static_cast<int32_t>(model.tets.size()); ++e) {
    const double volume = volume_of(model.rest, model.tets[static_cast<size_t>(e)]);
    for (const int32_t slot : model.nodes_of(e))
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
  const auto on_surface = [&](int32_t e) {
    const ElementNodes nodes = model.nodes_of(e);
    return std::any_of(nodes.begin(), nodes.end(), [&](int32_t slot) { return point_of_slot_[slot] >= 0; });
  };
  for (size_t first = 0; first < model.tets.size(); first += chunk) {
    const size_t count = std::min(chunk, model.tets.size() - first);
    pool.parallel_for(static_cast<int64_t>(count), grain, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        const size_t e = first + static_cast<size_t>(k);
        if (!on_surface(static_cast<int32_t>(e))) continue;
        share[k] = volume_of(model.rest, model.tets[e]) * element_strain(model, x, static_cast<int32_t>(e)).strain;
      }
    });
    for (size_t k = 0; k < count; ++k) {
      for (const int32_t slot : model.nodes_of(static_cast<int32_t>(first + k)))
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
        for (const int32_t slot : model.nodes_of(first + k))
          if (const int32_t point = point_of_slot_[slot]; point >= 0)
            add(mean[point], volume_of(model.rest, tet) / volume_[point], of[k]);
      }
    }
  }
  return mean;
}

}  // namespace sinew
