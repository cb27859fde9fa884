// Where a rigid collider is.
#pragma once

#include <cstdint>

#include "contact/contact_surface.h"
#include "math/vec.h"

namespace sinew {

// x -> x + (M - 1) (x - center) + translate, M = R diag(scale). In this form no motion leaves x unchanged to the last
// bit.
struct ColliderPlace {
  Mat3d m_minus_identity{};
  Vec3d translate{}, center{};

  Vec3d moved(Vec3d start) const { return start + m_minus_identity * (start - center) + translate; }
  ContactPlane moved(const ContactPlane& plane) const;
};

// From one place to another, of which it takes the centre: that moves straight, and all turns about it. t: 0 to 1.
ColliderPlace place_between(const ColliderPlace& from, const ColliderPlace& to, double t);

// A collider with triangles in a step: points [first, last) of the surface.
struct ColliderPath {
  int32_t first_point = 0, last_point = 0;
  ColliderPlace before, now;
};

}  // namespace sinew
