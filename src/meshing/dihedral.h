// The dihedral angles of tets by their cosines, which need no inverse functions and order angles just as well.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/vec.h"

namespace sinew {

// Of one tet or several. A smaller angle has a larger cosine.
struct AngleCosines {
  double of_smallest = -1, of_largest = 1;
  double roughness = 0;  // sum of (cosine - 1/3)^2 over all angles: 0 if all tets are regular
  bool inverted = false;

  bool no_worse_than(const AngleCosines& other) const {
    return !inverted && of_smallest <= other.of_smallest && of_largest >= other.of_largest;
  }
  void add(const std::array<Vec3d, 4>& x) {
    const Vec3d a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
    // Outward area vectors of the faces opposite to corners 1, 2, 3 and 0.
    std::array<Vec3d, 4> n{cross(c, b), cross(a, c), cross(b, a), {}};
    n[3] = -(n[0] + n[1] + n[2]);
    if (!(dot(a, n[0]) < 0)) {
      inverted = true;
      return;
    }
    std::array<double, 4> scale;
    for (int k = 0; k < 4; ++k) scale[k] = 1 / std::sqrt(dot(n[k], n[k]));
    for (int k = 0; k < 4; ++k)
      for (int l = 0; l < k; ++l) {
        const double cosine = -dot(n[k], n[l]) * scale[k] * scale[l];
        of_smallest = std::max(of_smallest, cosine);
        of_largest = std::min(of_largest, cosine);
        roughness += (cosine - 1.0 / 3) * (cosine - 1.0 / 3);
      }
  }
};

// From angles in degrees.
inline AngleCosines angle_bounds(double smallest, double largest) {
  constexpr double radians = std::numbers::pi / 180;
  return {.of_smallest = std::cos(smallest * radians), .of_largest = std::cos(largest * radians)};
}

}  // namespace sinew
