// The linear triangle of plane strain: in a plane of constant z, counter-clockwise seen from above, 1 m thick. Its
// volume is its area times that.
#pragma once

#include "element/solid_element.h"

namespace sinew {

struct PlaneTriangle {
  static constexpr ElementTraits traits = {.name = "triangle", .corners = 3, .nodes = 3, .dimension = 2};

  // p, q: rest edges [m] from the first corner, p x q != 0.
  template <class T>
  static SINEW_INLINE RestShape<T> rest_of_edges(Vec3<T> p, Vec3<T> q) {
    const T det = p.x * q.y - p.y * q.x;
    const T inverse = splat<T>(1) / det;
    return {{{inverse * q.y, -(inverse * q.x), T{}}, {-(inverse * p.y), inverse * p.x, T{}}, Vec3<T>{}},
            splat<T>(0.5) * det};
  }
  template <class T>
  static SINEW_INLINE RestShape<T> rest(const Vec3<T>* x) {
    return rest_of_edges(x[1] - x[0], x[2] - x[0]);
  }
};

}  // namespace sinew
