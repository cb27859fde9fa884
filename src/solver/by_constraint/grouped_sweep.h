// The sweep of ConstraintBlocks and QuadraticConstraints in any of the orders of constraint_order.h, its groups in that
// of sweep_order.h.
#pragma once

#include <algorithm>
#include <vector>

#include "solver/by_constraint/color_groups.h"
#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/constraint_order.h"
#include "solver/by_constraint/quadratic_constraints.h"
#include "solver/sweep_order.h"

namespace sinew {

template <class Real>
class GroupedSweep {
 public:
  explicit GroupedSweep(const ConstraintOrder& order) : order_(order) {}
  // Whether colours are taken at once, in groups.
  bool any() const { return order_.kind != order_colors; }

  // `slots`: of the iterate, including those of lanes without a tet.
  template <ConstraintForm form>
  void prepare(const ConstraintBlocks<Real, form>& blocks, const QuadraticConstraints<Real>& quadratic, size_t slots) {
    const int colors = std::max(blocks.color_count(), quadratic.color_count());
    groups_ = color_groups<Real>(order_, blocks.streams(), colors, slots, quadratic.streams());
    sums_.resize(0);
    if (groups_.empty()) return;
    sums_.assign(slots, Vec4<Real>{0, 0, 0, 0});
  }

  // XPBD's sweep, with the rule of compliant_rule.h; sweep_of as for ConstraintBlocks::sweep. A forward sweep takes
  // quadratic tets after the linear ones.
  template <ConstraintForm form, class SweepOf>
  void sweep(const ConstraintBlocks<Real, form>& blocks, const QuadraticConstraints<Real>& quadratic,
             Real* quadratic_multipliers, Real h2, Iterate<Real>& iterate, const SweepOf& sweep_of,
             const SweepOrder& order) {
    Vec4<Real>* const x = iterate.x.data();
    if (groups_.empty()) {
      if (order.reversed()) quadratic.sweep(x, quadratic_multipliers, h2, order);
      blocks.sweep(&ConstraintKernels<Real>::compliant, sweep_of, order);
      if (!order.reversed()) quadratic.sweep(x, quadratic_multipliers, h2, order);
      return;
    }
    for (const int32_t g : order.visits(static_cast<int32_t>(groups_.size()))) {
      const ColorGroup<Real>& group = groups_[static_cast<size_t>(g)];
      blocks.sweep(
          &ConstraintKernels<Real>::at_once,
          [&](const ConstraintStream<Real>& stream, size_t first) {
            return AtOnceSweep<Real>{sweep_of(stream, first), sums_.data(), group.scale};
          },
          group.first_color, group.last_color);
      quadratic.sweep_at_once(x, quadratic_multipliers, h2, sums_.data(), group.scale, group.first_color,
                              group.last_color);
      blocks.pool().for_each(static_cast<int64_t>(sums_.size()), [&](size_t s) {
        Vec4<Real>&at = iterate.x[s], &sum = sums_[s];
        at = {at.x + sum.x, at.y + sum.y, at.z + sum.z, at.w};
        sum = {0, 0, 0, 0};
      });
    }
  }

  size_t memory_bytes() const { return sums_.size() * sizeof(Vec4<Real>); }

 private:
  ConstraintOrder order_;
  std::vector<ColorGroup<Real>> groups_;  // empty: each colour is a group
  Buffer<Vec4<Real>> sums_;               // the changes in a group
};

}  // namespace sinew
