// The groups of colours whose tets a sweep by constraint treats at once (constraint_order.h).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "model/constraint_stream.h"
#include "model/quadratic_constraint_stream.h"
#include "solver/by_constraint/constraint_order.h"

namespace sinew {

template <class Real>
struct ColorGroup {
  int first_color, last_color;
  Real scale;  // of the changes
};

template <class Real>
int most_tets_at_a_vertex(std::span<const ConstraintStream<Real>> streams,
                          std::span<const QuadraticConstraintStream<Real>> quadratic, int first_color, int last_color,
                          size_t slots) {
  std::vector<int> tets(slots, 0);
  int most = 0;
  for (const ConstraintStream<Real>& stream : streams) {
    const int64_t w = stream.lanes;
    const int count = traits_of(stream.block.element).corners;  // a triangle's fourth is shared padding
    for (int64_t batch = stream.color_begin[first_color]; batch < stream.color_begin[last_color]; ++batch) {
      for (int64_t lane = 0; lane < w; ++lane) {
        const int32_t* corners = &stream.corners[static_cast<size_t>(batch * 4 * w + lane)];
        if (corners[0] == corners[w]) continue;  // a lane without a tet
        for (int j = 0; j < count; ++j) most = std::max(most, ++tets[static_cast<size_t>(corners[j * w])]);
      }
    }
  }
  for (const QuadraticConstraintStream<Real>& stream : quadratic) {
    const int64_t w = stream.lanes;
    for (int64_t batch = stream.color_begin[first_color]; batch < stream.color_begin[last_color]; ++batch) {
      for (int64_t lane = 0; lane < w; ++lane) {
        const int32_t* nodes = &stream.nodes[static_cast<size_t>(batch * most_nodes * w + lane)];
        if (nodes[0] == nodes[w]) continue;  // a lane without a tet
        for (int n = 0; n < most_nodes; ++n) most = std::max(most, ++tets[static_cast<size_t>(nodes[n * w])]);
      }
    }
  }
  return most;
}

// None: each colour is a group. `slots`: of the iterate, including those of lanes without a tet.
template <class Real>
std::vector<ColorGroup<Real>> color_groups(const ConstraintOrder& order,
                                           std::span<const ConstraintStream<Real>> streams, int colors, size_t slots,
                                           std::span<const QuadraticConstraintStream<Real>> quadratic = {}) {
  std::vector<ColorGroup<Real>> result;
  if (order.kind == order_colors) return result;
  const int groups = std::min(order.kind == order_jacobi ? 1 : order.groups, std::max(colors, 1));
  for (int k = 0; k < groups; ++k) {
    ColorGroup<Real> group{colors * k / groups, colors * (k + 1) / groups, static_cast<Real>(order.scale)};
    if (order.scale == 0) {
      const int tets = most_tets_at_a_vertex(streams, quadratic, group.first_color, group.last_color, slots);
      group.scale = static_cast<Real>(std::min(1.0, 2.0 / std::max(tets, 1)));
    }
    result.push_back(group);
  }
  return result;
}

}  // namespace sinew
