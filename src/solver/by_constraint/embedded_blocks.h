// Shared by the solvers by constraint: the tets that are embedded in a grid. As weights, nodes and colours change from
// step to step, so do the layouts of their patches.
#pragma once

#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "solver/by_constraint/embedded_ties.h"
#include "solver/by_constraint/patch_layout.h"
#include "solver/sweep.h"
#include "solver/sweep_order.h"
#include "solver/ties/tie_rule.h"

namespace sinew {

template <class Real>
class EmbeddedBlocks {
 public:
  explicit EmbeddedBlocks(int lanes) : kernels_(kernels_with_lanes(lanes)) {}

  // To be called with that of the solver.
  void prepare() {
    ties_ = EmbeddedTies<Real>();
    layouts_.clear();
  }
  // Appends the nodes to the iterate, at x_target, and lays out the tets. Without a grid it does nothing.
  void begin_step(const StepProblem& problem, ThreadPool& pool, Iterate<Real>& iterate);
  bool any() const { return !layouts_.empty(); }

  // Of this step; without a grid none.
  GridNodes<Real> grid_nodes() const {
    if (!any()) return {};
    return {problem_->embedding, inverse_mass_, first_node_, glides_.data(), fixed_rows_.data()};
  }

  // As those of ConstraintBlocks: batches x numbers x lanes, block by block.
  size_t multiplier_count() const { return any() ? first_multiplier_.back() : 0; }

  // One sweep of a kernel, a member of ConstraintKernels, over all colours of all blocks in this order;
  // sweep_of(ConstraintSweep, first multiplier) makes its argument.
  template <template <class> class Sweep, class SweepOf>
  void sweep(ThreadPool& pool, Iterate<Real>& iterate, Real* multipliers, Real h2,
             typename ConstraintKernels<Real>::template Kernel<Sweep> ConstraintKernels<Real>::*kernel,
             const SweepOf& sweep_of, const SweepOrder& order) {
    if (!any()) return;
    Vec4<Real>* const x = nodes_of(iterate);
    for (const int32_t k : order.visits(static_cast<int32_t>(layouts_.size()) * color_count_)) {
      const auto b = static_cast<size_t>(k / color_count_);
      const PatchLayout<Real>& layout = layouts_[b];
      const auto run = kernels(layout).*kernel;
      if (!run) continue;
      ConstraintSweep<Real> one{&layout.stream, x, multipliers + first_multiplier_[b], h2};
      one.patches = &layout;
      one.backward = order.reversed();
      const auto sweep = sweep_of(one, first_multiplier_[b]);
      const int32_t* const begin = &layout.color_begin[static_cast<size_t>(k % color_count_)];
      pool.parallel_for(begin[1] - begin[0], 1,
                        [&](int64_t first, int64_t last) { run(sweep, begin[0] + first, begin[0] + last); });
    }
  }

  // visit(items, item, its number) for the model's ties at embedded vertices, which have so many numbers in all.
  size_t tie_number_count() const { return any() ? 3 * ties_.count() : 0; }
  template <class Visit>
  void sweep_ties(ThreadPool& pool, const SweepOrder& order, const Visit& visit) const {
    if (any()) ties_.for_each(pool, order, visit);
  }
  // XPBD's visits to pins and grabs.
  void sweep_holds(Iterate<Real>& iterate, Real h2) {
    if (!any()) return;
    ties_.for_each_hold([&](const auto& items, const TieItem<Real>& item, size_t number) {
      tie_rule::project(items, item, iterate.x.data(), &hold_numbers_[3 * (number - ties_.count())], h2);
    });
  }

  // By block: its layout, first multiplier and kernels.
  std::span<const PatchLayout<Real>> layouts() const { return layouts_; }
  size_t first_multiplier(size_t block) const { return first_multiplier_[block]; }
  const ConstraintKernels<Real>& kernels(const PatchLayout<Real>& layout) const {
    return kernels_->constraint<Real>(layout.stream.block.material.kind);
  }
  // The corners of a layout at these positions by slot, where nothing moves them: what the kernels of tets that are not
  // embedded take.
  Vec4<Real>* fixed_corners(const PatchLayout<Real>& layout, std::span<const Vec3d> x);

  // Writes slots and nodes, of an iterate that begin_step extended, and moves embedded vertices with the nodes.
  void positions(const Iterate<Real>& iterate, ThreadPool& pool, std::span<Vec3d> x) const;

  size_t memory_bytes() const;

 private:
  Vec4<Real>* nodes_of(Iterate<Real>& iterate) const { return iterate.x.data() + first_node_; }
  void read_glides();

  const Kernels* kernels_;
  const StepProblem* problem_ = nullptr;
  ThreadPool* pool_ = nullptr;
  size_t first_node_ = 0;
  int32_t color_count_ = 0;
  Buffer<Vec4<Real>> corners_;         // fixed_corners
  Buffer<Vec4<Real>> fixed_rows_;      // three a node, if any node glides
  std::vector<double> inverse_mass_;   // by node; 0: held or empty
  std::vector<Sym3<double>> fixed_;    // by node, if any node glides
  std::vector<uint8_t> glides_;        // by node
  std::vector<uint8_t> near_gliding_;  // by row of the embedding: whether a node around it does
  std::vector<PatchLayout<Real>> layouts_;
  std::vector<size_t> first_multiplier_;
  EmbeddedTies<Real> ties_;
  std::vector<Real> hold_numbers_;  // multipliers of pins and grabs, three each
};

extern template class EmbeddedBlocks<float>;
extern template class EmbeddedBlocks<double>;

}  // namespace sinew
