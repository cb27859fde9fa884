// The box that encloses points; empty (low above high) until the first one.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "math/inline.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

struct Bounds {
  Vec3d low{infinity, infinity, infinity};
  Vec3d high{-infinity, -infinity, -infinity};

  bool empty() const { return !(low.x <= high.x); }

  SINEW_INLINE void add(Vec3d p) { take_in(p, p); }
  SINEW_INLINE void merge(const Bounds& b) { take_in(b.low, b.high); }
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

 private:
  SINEW_INLINE void take_in(Vec3d lower, Vec3d upper) {
    low = {std::min(low.x, lower.x), std::min(low.y, lower.y), std::min(low.z, lower.z)};
    high = {std::max(high.x, upper.x), std::max(high.y, upper.y), std::max(high.z, upper.z)};
  }
};

}  // namespace sinew
