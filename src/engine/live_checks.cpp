#include "engine/live_checks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.h"

namespace sinew {

Status check_vector(const char* what, const Real3& v) {
  constexpr double most = 1e18;
  if (std::abs(v[0]) <= most && std::abs(v[1]) <= most && std::abs(v[2]) <= most) return {};
  const bool finite = std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
  return Error{what, format("= (%g, %g, %g): is %s", v[0], v[1], v[2], finite ? "out of range, +-1e18" : "not finite"),
               "correct it"};
}

Status check_pose(const PinPose& pose) {
  for (const auto& [what, v] : {std::pair{"translate", pose.translate}, {"axis", pose.axis}, {"scale", pose.scale}})
    if (Status s = check_vector(what, v); !s) return s;
  if (!(std::abs(pose.rotate_degrees) <= 1e18))
    return Error{"rotate_degrees", format("= %g: is not finite, or out of range, +-1e18", pose.rotate_degrees),
                 "correct it"};
  if (pose.rotate_degrees != 0 && pose.axis == Real3{0, 0, 0})
    return Error{"axis", "= (0, 0, 0): has no direction", "e.g. (0, 0, 1)"};
  return pose.center ? check_vector("center", *pose.center) : Status();
}

Status check_weights(const SurfacePoint& point) {
  const auto& w = point.weights;
  constexpr double rounding = 1e-6;  // as of weights that were stored in single precision
  if (std::abs(w[0] + w[1] + w[2] - 1) <= rounding) return {};
  return Error{"weights", format("(%g, %g, %g) do not add up to 1", w[0], w[1], w[2]),
               "use those of a point that a ray returned"};
}

Result<std::vector<int32_t>> slots_of(const Engine& engine, std::span<const int32_t> vertices) {
  const VertexOrder& order = engine.compiled.model.order;
  if (vertices.empty()) return Error{"vertices", "are none", "name one at least"};
  std::vector<int32_t> slots;
  for (const int32_t v : vertices) {
    if (v < 0 || v >= order.vertex_count())
      return Error{"vertices", format("%d: there are %d vertices", v, order.vertex_count()),
                   "they are numbered from 0"};
    slots.push_back(static_cast<int32_t>(order.slot(UserVertex{v})));
  }
  std::vector<int32_t> sorted = slots;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    return Error{"vertices", format("%d is named twice", static_cast<int32_t>(order.vertex(Slot{*twice}))),
                 "name each once"};
  return slots;
}

}  // namespace sinew
