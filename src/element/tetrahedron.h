// The linear tetrahedron (P1).
#pragma once

#include "element/solid_element.h"

namespace sinew {

struct Tetrahedron {
  static constexpr ElementTraits traits = {.name = "tetrahedron", .corners = 4, .dimension = 3};

  // p, q, r: rest edges [m] from the first corner, det[p q r] != 0.
  template <class T>
  static SINEW_INLINE RestShape<T> rest_of_edges(Vec3<T> p, Vec3<T> q, Vec3<T> r) {
    const Vec3<T> a = cross(q, r), b = cross(r, p), c = cross(p, q);
    const T det = dot(p, a);
    const T inverse = splat<T>(1) / det;
    return {{inverse * a, inverse * b, inverse * c}, det / splat<T>(6)};
  }
  template <class T>
  static SINEW_INLINE RestShape<T> rest(const Vec3<T>* x) {
    return rest_of_edges(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
  }
};

}  // namespace sinew
