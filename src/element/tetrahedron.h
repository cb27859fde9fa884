// The linear tetrahedron (P1).
#pragma once

#include "element/solid_element.h"
#include "element/tet_rest.h"

namespace sinew {

struct Tetrahedron {
  static constexpr ElementTraits traits = {.name = "tetrahedron", .corners = 4, .nodes = 4, .dimension = 3};

  template <class T>
  static SINEW_INLINE RestShape<T> rest(const Vec3<T>* x) {
    return tet_rest_shape(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
  }
};

}  // namespace sinew
