// The sweep of ConstraintBlocks in any of the orders of constraint_order.h, its groups in that of sweep_order.h.
#pragma once

#include <algorithm>
#include <vector>

#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/constraint_order.h"
#include "solver/sweep_order.h"

namespace sinew {

template <class Real>
class GroupedSweep {
 public:
  explicit GroupedSweep(const ConstraintOrder& order) : order_(order) {}

  // `slots`: of the iterate, including those of lanes without a tet.
  template <ConstraintForm form>
  void prepare(const ConstraintBlocks<Real, form>& blocks, size_t slots) {
    groups_.clear();
    sums_.resize(0);
    if (order_.kind == order_colors) return;
    const int colors = blocks.color_count();
    const int groups = std::min(order_.kind == order_jacobi ? 1 : order_.groups, std::max(colors, 1));
    for (int k = 0; k < groups; ++k) {
      Group group{colors * k / groups, colors * (k + 1) / groups, static_cast<Real>(order_.scale)};
      if (order_.scale == 0) {
        const int tets = most_tets_at_a_vertex(blocks, group, slots);
        group.scale = static_cast<Real>(std::min(1.0, 2.0 / std::max(tets, 1)));
      }
      groups_.push_back(group);
    }
    sums_.assign(slots, Vec4<Real>{0, 0, 0, 0});
  }

  // XPBD's sweep, with the rule of compliant_rule.h; sweep_of as for ConstraintBlocks::sweep.
  template <ConstraintForm form, class SweepOf>
  void sweep(const ConstraintBlocks<Real, form>& blocks, Iterate<Real>& iterate, const SweepOf& sweep_of,
             const SweepOrder& order) {
    if (groups_.empty()) return blocks.sweep(&ConstraintKernels<Real>::compliant, sweep_of, order);
    for (const int32_t g : order.visits(static_cast<int32_t>(groups_.size()))) {
      const Group& group = groups_[static_cast<size_t>(g)];
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
  struct Group {
    int first_color, last_color;
    Real scale;
  };

  template <ConstraintForm form>
  static int most_tets_at_a_vertex(const ConstraintBlocks<Real, form>& blocks, const Group& group, size_t slots) {
    std::vector<int> tets(slots, 0);
    int most = 0;
    for (const ConstraintStream<Real>& stream : blocks.streams()) {
      const int64_t w = stream.lanes;
      for (int64_t batch = stream.color_begin[group.first_color]; batch < stream.color_begin[group.last_color];
           ++batch) {
        for (int64_t lane = 0; lane < w; ++lane) {
          const int32_t* corners = &stream.corners[static_cast<size_t>(batch * 4 * w + lane)];
          if (corners[0] == corners[w]) continue;  // a lane without a tet
          for (int j = 0; j < 4; ++j) most = std::max(most, ++tets[static_cast<size_t>(corners[j * w])]);
        }
      }
    }
    return most;
  }

  ConstraintOrder order_;
  std::vector<Group> groups_;  // empty: each colour is a group
  Buffer<Vec4<Real>> sums_;    // the changes in a group
};

}  // namespace sinew
