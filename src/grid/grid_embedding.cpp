#include "grid/grid_embedding.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"

namespace sinew {
namespace {

// Nodes with less than this share of the largest mass have none: their velocities would be rounding.
constexpr double least_mass = 1e-12;

}  // namespace

GridEmbedding::GridEmbedding(const Model& model)
    : model_(model),
      spacing_(model.grid.spacing),
      slots_(model.grid.slots),
      row_of_(static_cast<size_t>(model.slot_count()), -1) {
  for (size_t r = 0; r < slots_.size(); ++r) row_of_[static_cast<size_t>(slots_[r])] = static_cast<int32_t>(r);
}

Status GridEmbedding::place(std::span<const Vec3d> x, ThreadPool& pool) {
  const size_t rows = slots_.size();
  x_.resize(rows);
  const double reach = spacing_ * (largest_cell - 4);
  for (size_t r = 0; r < rows; ++r) {
    x_[r] = x[static_cast<size_t>(slots_[r])];
    const double far = std::max({std::abs(x_[r].x), std::abs(x_[r].y), std::abs(x_[r].z)});
    if (!(far <= reach))
      return Error{"grid",
                   format("a vertex is %.3g m from the origin, beyond the %.3g m that its nodes reach", far, reach),
                   "place the bodies nearer to the origin, or take a larger grid.spacing"};
  }
  splines_.resize(rows);
  node_of_.resize(rows);
  std::vector<NodeIndex> bases(rows);
  pool.for_each(row_count(), [&](size_t r) {
    splines_[r] = spline_at(x_[r], spacing_);
    bases[r] = splines_[r].base;
  });
  nodes_.build(bases);
  pool.for_each(row_count(), [&](size_t r) { nodes_.find(bases[r], node_of_[r]); });

  mass_.assign(static_cast<size_t>(node_count()), 0);
  for (size_t r = 0; r < rows; ++r) {
    const double m = model_.mass[static_cast<size_t>(slots_[r])];
    for (int n = 0; n < spline_nodes; ++n)
      mass_[static_cast<size_t>(node_of_[r][static_cast<size_t>(n)])] += splines_[r].weight(n) * m;
  }
  const double least = mass_.empty() ? 0 : least_mass * *std::max_element(mass_.begin(), mass_.end());
  for (double& m : mass_)
    if (m <= least) m = 0;
  return {};
}

void GridEmbedding::to_nodes(std::span<const Vec3d> v, std::span<const Mat3d> affine, std::span<Vec3d> node_v) const {
  std::fill(node_v.begin(), node_v.end(), Vec3d{});
  const double inverse_d = 1 / inertia_of_spline(spacing_);
  for (size_t r = 0; r < slots_.size(); ++r) {
    const auto slot = static_cast<size_t>(slots_[r]);
    const double m = model_.mass[slot];
    const Mat3d c = inverse_d * affine[r];
    for (int n = 0; n < spline_nodes; ++n) {
      const int32_t node = node_of_[r][static_cast<size_t>(n)];
      node_v[static_cast<size_t>(node)] += (splines_[r].weight(n) * m) * (v[slot] + c * (position(node) - x_[r]));
    }
  }
  for (size_t i = 0; i < node_v.size(); ++i) node_v[i] = mass_[i] > 0 ? (1 / mass_[i]) * node_v[i] : Vec3d{};
}

Vec3d GridEmbedding::at(int32_t row, std::span<const Vec3d> of_nodes) const {
  const auto r = static_cast<size_t>(row);
  Vec3d sum{};
  for (int n = 0; n < spline_nodes; ++n)
    sum += splines_[r].weight(n) * of_nodes[static_cast<size_t>(node_of_[r][static_cast<size_t>(n)])];
  return sum;
}

Mat3d GridEmbedding::affine(int32_t row, std::span<const Vec3d> node_v) const {
  const auto r = static_cast<size_t>(row);
  Mat3d sum{};
  for (int n = 0; n < spline_nodes; ++n) {
    const int32_t node = node_of_[r][static_cast<size_t>(n)];
    sum = sum + outer(splines_[r].weight(n) * node_v[static_cast<size_t>(node)], position(node) - x_[r]);
  }
  return sum;
}

void GridEmbedding::spread(std::span<const Vec3d> of_slots, std::span<Vec3d> of_nodes) const {
  for (size_t r = 0; r < slots_.size(); ++r) {
    const Vec3d a = of_slots[static_cast<size_t>(slots_[r])];
    for (int n = 0; n < spline_nodes; ++n)
      of_nodes[static_cast<size_t>(node_of_[r][static_cast<size_t>(n)])] += splines_[r].weight(n) * a;
  }
}

size_t GridEmbedding::memory_bytes() const {
  return nodes_.memory_bytes() + slots_.capacity() * (sizeof(int32_t) + sizeof(Vec3d) + sizeof(Spline)) +
         node_of_.capacity() * sizeof(node_of_[0]) + row_of_.capacity() * sizeof(int32_t) +
         mass_.capacity() * sizeof(double);
}

}  // namespace sinew
