#include "grid/grid_embedding.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "exec/for_all.h"

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
  columns_.resize(rows);
  bases_.resize(rows);
  pool.for_each(row_count(), [&](size_t r) {
    splines_[r] = spline_at(x_[r], spacing_);
    bases_[r] = splines_[r].base;
  });
  nodes_.build(bases_);
  for_all(pool, row_count(), [&](size_t r) { nodes_.find(bases_[r], columns_[r]); });

  find_touches();
  mass_.resize(static_cast<size_t>(node_count()));
  for_all(pool, node_count(), [&](size_t i) {
    double sum = 0;
    for_each_vertex(static_cast<int32_t>(i),
                    [&](int32_t row, double w) { sum += w * model_.mass[static_cast<size_t>(slot(row))]; });
    mass_[i] = sum;
  });
  const double least = mass_.empty() ? 0 : least_mass * *std::max_element(mass_.begin(), mass_.end());
  for (double& m : mass_)
    if (m <= least) m = 0;
  return {};
}

void GridEmbedding::find_touches() {
  // While touches are placed, first_touch_[i + 1] is where the next one of node i goes.
  const auto nodes = static_cast<size_t>(node_count());
  first_touch_.assign(nodes + 2, 0);
  for (const auto& columns : columns_)
    for (const int32_t first : columns) ++first_touch_[static_cast<size_t>(first) + 2];
  for (size_t i = 2; i < first_touch_.size(); ++i) first_touch_[i] += first_touch_[i - 1];
  touches_.resize(first_touch_.back());
  for (int32_t r = 0; r < row_count(); ++r)
    for (int32_t c = 0; c < spline_columns; ++c)
      touches_[first_touch_[static_cast<size_t>(columns(r)[static_cast<size_t>(c)]) + 1]++] = {r, c};
  first_touch_.pop_back();
}

void GridEmbedding::to_nodes(std::span<const Vec3d> v, std::span<const Mat3d> affine, ThreadPool& pool,
                             std::span<Vec3d> node_v) {
  const double inverse_d = 1 / inertia_of_spline(spacing_);
  momentum_.resize(slots_.size());
  pool.for_each(row_count(), [&](size_t r) {
    const auto slot = static_cast<size_t>(slots_[r]);
    const double m = model_.mass[slot];
    momentum_[r] = {m * v[slot], x_[r], (m * inverse_d) * affine[r]};
  });
  for_all(pool, node_count(), [&](size_t i) {
    const auto node = static_cast<int32_t>(i);
    const Vec3d at = position(node);
    Vec3d sum{};
    for_each_vertex(node, [&](int32_t row, double w) {
      const Momentum& p = momentum_[static_cast<size_t>(row)];
      sum += w * (p.of_vertex + p.slope * (at - p.x));
    });
    node_v[i] = mass_[i] > 0 ? (1 / mass_[i]) * sum : Vec3d{};
  });
}

void GridEmbedding::spread(std::span<const Vec3d> of_slots, ThreadPool& pool, std::span<Vec3d> of_nodes) const {
  for_all(pool, node_count(), [&](size_t i) {
    for_each_vertex(static_cast<int32_t>(i),
                    [&](int32_t row, double w) { of_nodes[i] += w * of_slots[static_cast<size_t>(slot(row))]; });
  });
}

Vec3d GridEmbedding::at(int32_t row, std::span<const Vec3d> of_nodes) const {
  const auto r = static_cast<size_t>(row);
  const std::array<double, 3>& along = splines_[r].along[2];
  Vec3d sum{};
  for (int n = 0; n < spline_columns; ++n) {
    const Vec3d* node = &of_nodes[static_cast<size_t>(columns_[r][n])];
    sum += splines_[r].across(n) * (along[0] * node[0] + along[1] * node[1] + along[2] * node[2]);
  }
  return sum;
}

GridEmbedding::Motion GridEmbedding::motion(int32_t row, std::span<const Vec3d> node_v) const {
  const auto r = static_cast<size_t>(row);
  const Spline& spline = splines_[r];
  const std::array<double, 3>& along = spline.along[2];
  const Vec3d low{spacing_ * spline.base.i, spacing_ * spline.base.j, spacing_ * spline.base.k}, way = low - x_[r];
  Motion sum;
  for (int n = 0; n < spline_columns; ++n) {
    const Vec3d* v = &node_v[static_cast<size_t>(columns_[r][n])];
    const double w = spline.across(n);
    const Vec3d v0 = (w * along[0]) * v[0], v1 = (w * along[1]) * v[1], v2 = (w * along[2]) * v[2],
                whole = v0 + v1 + v2;
    sum.velocity += whole;
    sum.affine.c0 += (way.x + spacing_ * (n / 3)) * whole;
    sum.affine.c1 += (way.y + spacing_ * (n % 3)) * whole;
    sum.affine.c2 += way.z * whole + spacing_ * (v1 + 2.0 * v2);
  }
  return sum;
}

size_t GridEmbedding::memory_bytes() const {
  return nodes_.memory_bytes() +
         slots_.capacity() * (sizeof(int32_t) + sizeof(Vec3d) + sizeof(Spline) + sizeof(NodeIndex)) +
         momentum_.capacity() * sizeof(Momentum) + columns_.capacity() * sizeof(columns_[0]) +
         first_touch_.capacity() * sizeof(size_t) + touches_.capacity() * sizeof(Touch) +
         row_of_.capacity() * sizeof(int32_t) + mass_.capacity() * sizeof(double);
}

void carry_vertices(const GridEmbedding& embedding, std::span<Vec3d> of_unknowns) {
  const auto of_nodes = of_unknowns.last(static_cast<size_t>(embedding.node_count()));
  for (int32_t r = 0; r < embedding.row_count(); ++r)
    of_unknowns[static_cast<size_t>(embedding.slot(r))] = embedding.at(r, of_nodes);
}

}  // namespace sinew
