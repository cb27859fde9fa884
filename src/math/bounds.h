// The box that encloses points; empty (low above high) until the first one.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

struct Bounds {
  Vec3d low{infinity, infinity, infinity};
  Vec3d high{-infinity, -infinity, -infinity};

  bool empty() const { return !(low.x <= high.x); }

  void add(Vec3d p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  void merge(const Bounds& b) {
    low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y), std::min(low.z, b.low.z)};
    high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y), std::max(high.z, b.high.z)};
  }
  template <class T>
  void add(std::span<const Vec3<T>> points) {
    for (const Vec3<T>& p : points) add({p.x, p.y, p.z});
  }
  double diagonal() const { return empty() ? 0 : sqrt(dot(high - low, high - low)); }
  Vec3d corner(int k) const { return {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z}; }
  // The minimum of up . p over the box: the height of the ground under it.
  double lowest(Vec3d up) const {
    double least = infinity;
    for (int k = 0; k < 8; ++k) least = std::min(least, dot(up, corner(k)));
    return least;
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
};

}  // namespace sinew
