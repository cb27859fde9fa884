// The rest shape of a tetrahedron's corners, which linear and quadratic ones have in common.
#pragma once

#include "element/solid_element.h"

namespace sinew {

// p, q, r: rest edges [m] from the first corner, det[p q r] != 0.
template <class T>
SINEW_INLINE RestShape<T> tet_rest_shape(Vec3<T> p, Vec3<T> q, Vec3<T> r) {
  const Vec3<T> a = cross(q, r), b = cross(r, p), c = cross(p, q);
  const T det = dot(p, a);
  const T inverse = splat<T>(1) / det;
  return {{inverse * a, inverse * b, inverse * c}, det / splat<T>(6)};
}

}  // namespace sinew
