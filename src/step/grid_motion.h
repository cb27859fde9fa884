// The grid over a step: from the vertices to nodes, what loads, pins and colliders do to these, and back
// (grid/grid_embedding.h; Chen et al. 2024, PXPBD, section 5.5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "grid/grid_embedding.h"
#include "grid/tet_patches.h"
#include "model/model.h"
#include "model/step_problem.h"
#include "step/grid_colliders.h"

namespace sinew {

struct GridRules {
  bool sticky = false;
  double cfl = 0.4;  // [-] of the spacing that a vertex moves at most in a step
  std::vector<GridCollider> colliders;
};

class GridMotion {
 public:
  GridMotion(const Model& model, GridRules rules)
      : model_(model), rules_(std::move(rules)), embedding_(model), patches_(model) {}

  // The number of equal parts in which a step of h [s] is taken, so that no vertex moves further than cfl permits.
  // Errors: more than `most_parts`.
  Result<int64_t> parts_of(const State& state, double h) const;
  static constexpr double most_parts = 1000;

  // Replaces the embedded vertices of the problem by nodes: with its x_prev, held and x_target by slot, it appends
  // those of nodes. `scripts`: of all colliders of the scene; `idle`: slots
  // that stay where they are, and with them all nodes around them. Errors: those of GridEmbedding::place, a collider
  // that moves by more than a cell.
  Status pose(const State& state, double start, std::span<const ColliderScript> scripts, std::span<const int32_t> idle,
              ThreadPool& pool, StepProblem& problem);
  // Moves vertices with the nodes: writes positions to x, by slot and node, and the rest to the state.
  void finish(const StepProblem& problem, std::span<Vec3d> x, ThreadPool& pool, State& state);

 private:
  Status hold(double start, std::span<const ColliderScript> scripts, ThreadPool& pool, StepProblem& problem);
  void pin(StepProblem& problem) const;

  const Model& model_;
  GridRules rules_;
  GridEmbedding embedding_;
  TetPatches patches_;
  std::vector<Vec3d> loaded_;    // velocities by slot, with loads
  std::vector<Vec3d> velocity_;  // of nodes: with loads and colliders; in the end those of the solve
  // What is inside colliders: nodes that are not held, and slots deep inside.
  std::vector<InnerPoint> inner_nodes_, inner_slots_;
  std::vector<int32_t> idle_rows_;  // of the embedding
};

}  // namespace sinew
