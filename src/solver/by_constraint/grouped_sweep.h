// The sweep of ConstraintBlocks in any of the orders of constraint_order.h, its groups in that of sweep_order.h.
#pragma once

#include <vector>

#include "solver/by_constraint/color_groups.h"
#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/constraint_order.h"
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
  void prepare(const ConstraintBlocks<Real, form>& blocks, size_t slots) {
    groups_ = color_groups<Real>(order_, blocks.streams(), blocks.color_count(), slots);
    sums_.resize(0);
    if (groups_.empty()) return;
    sums_.assign(slots, Vec4<Real>{0, 0, 0, 0});
  }

  // XPBD's sweep, with the rule of compliant_rule.h; sweep_of as for ConstraintBlocks::sweep.
  template <ConstraintForm form, class SweepOf>
  void sweep(const ConstraintBlocks<Real, form>& blocks, Iterate<Real>& iterate, const SweepOf& sweep_of,
             const SweepOrder& order) {
    if (groups_.empty()) return blocks.sweep(&ConstraintKernels<Real>::compliant, sweep_of, order);
    for (const int32_t g : order.visits(static_cast<int32_t>(groups_.size()))) {
      const ColorGroup<Real>& group = groups_[static_cast<size_t>(g)];
      blocks.sweep(
          &ConstraintKernels<Real>::at_once,
          [&](const ConstraintStream<Real>& stream, size_t first) {
            return AtOnceSweep<Real>{sweep_of(stream, first), sums_.data(), group.scale};
          },
          group.first_color, group.last_color);
      blocks.pool().for_each(static_cast<int64_t>(sums_.size()), [&](size_t s) {
        Vec4<Real>&x = iterate.x[s], &sum = sums_[s];
        x = {x.x + sum.x, x.y + sum.y, x.z + sum.z, x.w};
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
