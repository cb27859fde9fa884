#include "step/grab_script.h"

namespace sinew {

Vec3d point_of(const GrabScript& grab, std::span<const Vec3d> x) {
  const Vec3d first = x[static_cast<size_t>(grab.slots[0])];
  Vec3d point = first;
  for (size_t j = 1; j < grab.slots.size(); ++j)
    point += grab.weights[j] * (x[static_cast<size_t>(grab.slots[j])] - first);
  return point;
}

Grab in_step(const GrabScript& grab, std::span<const Vec3d> x, double h) {
  Grab step;
  step.count = static_cast<int32_t>(grab.slots.size());
  for (size_t j = 0; j < grab.slots.size(); ++j) {
    step.vertices[j] = grab.slots[j];
    step.weights[j] = grab.weights[j];
  }
  step.stiffness = grab.stiffness;
  step.anchor = grab.target;
  if (h == 0 || grab.damping == 0) return step;
  const double r = grab.damping / h;
  step.stiffness *= 1 + r;
  step.anchor += (r / (1 + r)) * (point_of(grab, x) + h * grab.velocity - grab.target);
  return step;
}

Vec3d force_of(const GrabScript& grab, std::span<const Vec3d> x, std::span<const Vec3d> v) {
  return grab.stiffness * (grab.target - point_of(grab, x) + grab.damping * (grab.velocity - point_of(grab, v)));
}

double energy_of(const GrabScript& grab, std::span<const Vec3d> x) {
  const Vec3d stretch = point_of(grab, x) - grab.target;
  return 0.5 * grab.stiffness * dot(stretch, stretch);
}

}  // namespace sinew
