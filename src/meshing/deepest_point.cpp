#include "meshing/deepest_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sinew {

namespace {

struct Cube {
  Vec3d middle;
  double half;                                                             // [m] of its side
  double value;                                                            // of the field in its middle
  bool operator<(const Cube& other) const { return value > other.value; }  // the least is at the top of a heap
};

constexpr double sqrt3 = 1.7320508075688772;
constexpr double rounding = 1e-12;  // of the solid's size

}  // namespace

double depth_of(const DistanceField& field, int points, bool any) {
  return depth_of(field, field.bounds(), points, any);
}

double depth_of(const DistanceField& field, const Bounds& within, int points, bool any) {
  if (within.empty()) return 0;
  const auto half_side = [](const Bounds& box) {
    const Vec3d size = box.high - box.low;
    return 0.5 * std::max({size.x, size.y, size.z});
  };
  const double half = half_side(within), least = 2 * rounding * half_side(field.bounds());
  double deepest = least;
  const auto found = [&] { return deepest > least ? deepest : 0.0; };

  std::vector<Cube> open;
  const auto look_at = [&](const Cube& cube) {
    if (!std::isfinite(cube.value)) return;
    deepest = std::max(deepest, -cube.value);
    if (sqrt3 * cube.half - cube.value <= deepest) return;  // not deeper anywhere
    open.push_back(cube);
    std::push_heap(open.begin(), open.end());
  };
  Cube whole{0.5 * (within.low + within.high), half, 0};
  field.distances({&whole.middle, 1}, {&whole.value, 1});
  look_at(whole);
  for (int seen = 1; seen < points && !open.empty() && !(any && found() > 0); seen += 8) {
    std::pop_heap(open.begin(), open.end());
    const Cube parent = open.back();
    open.pop_back();
    const double side = 0.5 * parent.half;
    std::array<Vec3d, 8> middles;
    std::array<double, 8> values;
    for (size_t k = 0; k < 8; ++k)
      middles[k] = parent.middle + side * Vec3d{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
    field.distances(middles, values);
    for (size_t k = 0; k < 8; ++k) look_at({middles[k], side, values[k]});
  }
  return found();
}

}  // namespace sinew
