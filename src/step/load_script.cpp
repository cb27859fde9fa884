#include "step/load_script.h"

#include <cmath>

#include "math/length.h"

namespace sinew {
namespace {

// The outward normal, with twice the area as length.
Vec3d normal_of(const Face& f, std::span<const Vec3d> x) {
  return cross(x[f[1]] - x[f[0]], x[f[2]] - x[f[0]]);
}

// The share of each vertex in what acts on a face.
std::array<double, 3> shares_of(const Face& f, const LoadTime& now) {
  constexpr double third = 1.0 / 3;
  if (now.is_middle.empty()) return {third, third, third};
  const int middles = now.is_middle[f[0]] + now.is_middle[f[1]] + now.is_middle[f[2]];
  if (middles == 0) return {third, third, third};
  std::array<double, 3> shares;
  for (size_t k = 0; k < 3; ++k) shares[k] = static_cast<double>(now.is_middle[f[k]]) / middles;
  return shares;
}

void add(const ForceLoad& load, double factor, const LoadTime&, std::span<Vec3d> force) {
  for (size_t k = 0; k < load.slots.size(); ++k) force[load.slots[k]] += factor * load.forces[k];
}

void add(const PressureLoad& load, double factor, const LoadTime& now, std::span<Vec3d> force) {
  for (const Face& f : load.faces) {
    const Vec3d whole = (-factor * load.pressure / 2) * normal_of(f, now.x);
    const std::array<double, 3> shares = shares_of(f, now);
    for (size_t k = 0; k < 3; ++k) force[f[k]] += shares[k] * whole;
  }
}

void add(const WindLoad& load, double factor, const LoadTime& now, std::span<Vec3d> force) {
  std::vector<Vec3d> sum(force.size());
  std::vector<double> rate(force.size());  // [kg/s] force over speed
  for (const Face& f : load.faces) {
    const std::array<double, 3> shares = shares_of(f, now);
    const Vec3d w = load.velocity - (shares[0] * now.v[f[0]] + shares[1] * now.v[f[1]] + shares[2] * now.v[f[2]]);
    const Vec3d normal = normal_of(f, now.x);
    const double flow = dot(normal, w) / 2, speed = length(w), size = length(normal);  // flow [m^3/s]
    if (speed == 0 || size == 0 || (flow >= 0 && !load.both_sides)) continue;
    const double coefficient = factor * load.density / 2 * std::abs(flow);
    const Vec3d along = (1 / speed) * w, downwind = ((flow < 0 ? -1 : 1) / size) * normal;
    const Vec3d across = downwind - dot(downwind, along) * along;
    const Vec3d whole = coefficient * (load.drag * w + (load.lift * speed) * across);
    for (size_t k = 0; k < 3; ++k) {
      sum[f[k]] += shares[k] * whole;
      rate[f[k]] += shares[k] * std::abs(coefficient) * std::hypot(load.drag, load.lift);
    }
  }
  for (const Face& f : load.faces) {
    for (const int32_t s : f) {
      const double momentum = now.h * rate[s];
      force[s] += (momentum > now.mass[s] ? now.mass[s] / momentum : 1) * sum[s];
      sum[s] = {};  // counts once
    }
  }
}

}  // namespace

void add_loads(std::span<const LoadScript> loads, const LoadTime& now, std::span<Vec3d> force) {
  for (const LoadScript& script : loads) {
    const double factor = script.factor.at(now.time);
    if (factor == 0) continue;
    std::visit([&](const auto& load) { add(load, factor, now, force); }, script.load);
  }
}

}  // namespace sinew
