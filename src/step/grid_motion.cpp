#include "step/grid_motion.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "grid/grid_boundary.h"
#include "grid/grid_coloring.h"

namespace sinew {
namespace {

// Of a pin's spring: times the mass/h^2 of its vertex, and times (2 mu + lambda) spacing of the stiffest block. Then it
// gives way by about a thousandth of what it would without.
constexpr double pin_per_inertia = 1e3, pin_per_stiffness = 1e2;

// [-] Of the spacing: nodes this far outside a collider count as inside, so that rounding does not decide about those
// on its surface; and vertices this deep inside are bounded.
constexpr double share_of_rounding = 1e-9, deep = 0.9;

double stiffest(const Model& model) {
  double most = 0;
  for (const ElasticBlock& block : model.blocks)
    if (block.on_grid) most = std::max(most, 2 * block.material.lame.mu + block.material.lame.lambda);
  return most * model.grid.spacing;
}

}  // namespace

Result<int64_t> GridMotion::parts_of(const State& state, double h) const {
  double fastest = 0;
  for (const int32_t s : model_.grid.slots) {
    const Vec3d v = state.v[static_cast<size_t>(s)];
    fastest = std::max(fastest, dot(v, v));
  }
  const double speed = std::sqrt(fastest);
  const double parts = std::ceil(h * speed / (rules_.cfl * embedding_.spacing()));
  if (!(parts <= most_parts))
    return Error{"grid",
                 format("a vertex at %.3g m/s would pass %.3g nodes in a step of %g s", speed,
                        h * speed / embedding_.spacing(), h),
                 "take smaller steps (time.substeps), or a larger grid.spacing"};
  return std::max(static_cast<int64_t>(parts), int64_t{1});
}

Status GridMotion::pose(const State& state, double start, std::span<const ColliderScript> scripts,
                        std::span<const int32_t> idle, ThreadPool& pool, StepProblem& problem) {
  if (Status s = embedding_.place(state.x, pool); !s) return s;
  problem.embedding = &embedding_;
  const auto slots = static_cast<size_t>(model_.slot_count());
  const auto nodes = static_cast<size_t>(embedding_.node_count());
  pin(problem);

  // Loads act on vertices, and so reach the nodes with their velocities.
  loaded_.assign(slots, Vec3d{});
  problem.embedded_target = problem.x_prev;
  pool.for_each(embedding_.row_count(), [&](size_t r) {
    const auto slot = static_cast<size_t>(model_.grid.slots[r]);
    if (!(model_.mass[slot] > 0)) return;
    loaded_[slot] = state.v[slot] + (problem.h / model_.mass[slot]) * problem.external_force(slot);
    problem.embedded_target[slot] += problem.h * loaded_[slot];
  });
  velocity_.resize(nodes);
  embedding_.to_nodes(loaded_, state.affine, pool, velocity_);

  problem.node_mass.resize(nodes);
  for (std::vector<Vec3d>* x : {&problem.x_prev, &problem.x_target}) x->resize(slots + nodes);
  problem.held.resize(slots + nodes);
  pool.for_each(embedding_.node_count(), [&](size_t i) {
    const auto node = static_cast<int32_t>(i);
    problem.node_mass[i] = embedding_.mass(node);
    problem.held[slots + i] = embedding_.is_empty(node);
    problem.x_prev[slots + i] = embedding_.position(node);
  });
  idle_rows_.clear();
  for (const int32_t s : idle) {
    const int32_t row = embedding_.row_of(s);
    if (row < 0) continue;
    idle_rows_.push_back(row);
    for (const int32_t i : embedding_.nodes(row)) {
      problem.held[slots + static_cast<size_t>(i)] = 1;
      velocity_[static_cast<size_t>(i)] = {};
    }
  }
  if (Status s = hold(start, scripts, pool, problem); !s) return s;
  pool.for_each(embedding_.node_count(),
                [&](size_t i) { problem.x_target[slots + i] = problem.x_prev[slots + i] + problem.h * velocity_[i]; });
  for (Glide& g : problem.node_glides) g.at = problem.x_target[static_cast<size_t>(g.slot)];
  problem.grid_patches = &patches_;
  problem.grid_colors = color_on_grid(patches_, embedding_, state.grid_colors);
  return {};
}

// Pins of embedded vertices become springs.
void GridMotion::pin(StepProblem& problem) const {
  problem.pins_on_grid.clear();
  const double stiffness = pin_per_stiffness * stiffest(model_);
  for (const int32_t s : model_.grid.slots) {
    const auto slot = static_cast<size_t>(s);
    if (problem.held[slot] && model_.mass[slot] > 0) {
      Grab spring;
      spring.count = 1;
      spring.vertices[0] = s;
      spring.weights[0] = 1;
      spring.stiffness = pin_per_inertia * model_.mass[slot] * problem.inverse_h2() + stiffness;
      spring.anchor = problem.x_target[slot];
      problem.pins_on_grid.push_back(spring);
    }
    problem.held[slot] = carried_by_grid;
    problem.x_target[slot] = problem.x_prev[slot];
  }
}

// What nodes inside colliders are left. Between nodes that slip along a curved surface vertices sink in: those that are
// deep do not go deeper (compare Stomakhin et al. 2013, section 8, where all vertices inside are bounded: where the
// grid is as coarse as the mesh, that turns tets inside out). Also sticky colliders only stop these: held, they would
// be torn from the rest.
Status GridMotion::hold(double start, std::span<const ColliderScript> scripts, ThreadPool& pool, StepProblem& problem) {
  problem.node_glides.clear();
  inner_nodes_.clear();
  inner_slots_.clear();
  if (rules_.colliders.empty()) return {};
  const auto slots = static_cast<size_t>(model_.slot_count());
  const std::span<const Vec3d> x(problem.x_prev);
  const std::span<const uint8_t> held(problem.held);
  const double spacing = embedding_.spacing();
  std::vector<uint8_t> skipped(slots);
  for (size_t s = 0; s < slots; ++s) skipped[s] = !problem.is_carried(s);
  for (const int32_t row : idle_rows_) skipped[static_cast<size_t>(embedding_.slot(row))] = 1;
  ColliderStep step{start, problem.h, false, spacing, deep * spacing};
  Result<std::vector<InnerPoint>> vertices =
      points_inside(x.first(slots), skipped, rules_.colliders, scripts, step, pool);
  if (!vertices) return vertices.error();
  inner_slots_ = std::move(*vertices);
  step.sticky = rules_.sticky;
  step.depth = -share_of_rounding * spacing;
  Result<std::vector<InnerPoint>> nodes =
      points_inside(x.subspan(slots), held.subspan(slots), rules_.colliders, scripts, step, pool);
  if (!nodes) return nodes.error();
  for (InnerPoint& node : *nodes) {
    const auto i = static_cast<size_t>(node.number);
    const NodeBounds bounds = bounded(velocity_[i], node.of);
    velocity_[i] = bounds.velocity;
    if (bounds.rank == 3) {
      problem.held[slots + i] = 1;
      continue;
    }
    if (bounds.rank > 0) problem.node_glides.push_back({static_cast<int32_t>(slots + i), bounds.fixed, {}});
    inner_nodes_.push_back(std::move(node));
  }
  return {};
}

void GridMotion::finish(const StepProblem& problem, std::span<Vec3d> x, ThreadPool& pool, State& state) {
  const auto slots = static_cast<size_t>(model_.slot_count());
  std::vector<Vec3d>& v = velocity_;
  pool.for_each(embedding_.node_count(),
                [&](size_t i) { v[i] = (1 / problem.h) * (x[slots + i] - problem.x_prev[slots + i]); });
  // Nodes that were about to leave a collider are free in the solve, and may come out of it on their way in.
  for (const InnerPoint& node : inner_nodes_) {
    Vec3d& end = v[static_cast<size_t>(node.number)];
    end = bounded(end, node.of).velocity;
  }
  pool.for_each(embedding_.row_count(), [&](size_t r) {
    const auto row = static_cast<int32_t>(r);
    const auto slot = static_cast<size_t>(embedding_.slot(row));
    const GridEmbedding::Motion motion = embedding_.motion(row, v);
    state.v[slot] = motion.velocity;
    state.affine[r] = motion.affine;
  });
  for (const InnerPoint& vertex : inner_slots_) {
    Vec3d& end = state.v[static_cast<size_t>(vertex.number)];
    end = bounded(end, vertex.of).velocity;
  }
  for (const int32_t row : idle_rows_) {
    state.v[static_cast<size_t>(embedding_.slot(row))] = {};
    state.affine[static_cast<size_t>(row)] = {};
  }
  // Of displacements, whose rounding is smaller than that of positions.
  pool.for_each(embedding_.row_count(), [&](size_t r) {
    const auto slot = static_cast<size_t>(model_.grid.slots[r]);
    x[slot] = problem.x_prev[slot] + problem.h * state.v[slot];
  });
  state.grid_colors = problem.grid_colors.color;
}

}  // namespace sinew
