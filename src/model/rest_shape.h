// The rest shape of an element of a mesh (element/element.h). Its volume is positive.
#pragma once

#include <span>

#include "element/element.h"
#include "mesh/tet_mesh.h"

namespace sinew {

inline ElementKind element_kind(const Tet& t) {
  return is_triangle(t) ? ElementKind::PlaneTriangle : ElementKind::Tetrahedron;
}
// x: rest positions [m] of all vertices
inline RestShape<double> rest_shape(const Tet& t, std::span<const Vec3d> x) {
  Vec3d corners[most_corners];
  for (size_t k = 0; k < corner_count(t); ++k) corners[k] = x[t[k]];
  return rest_shape(element_kind(t), corners);
}

// All that energy, forces and stiffness of an element need of its rest shape.
struct ElementShape {
  int corners;
  bool plane;
  Vec3d gradient[most_corners];  // [1/m] of each corner
  double volume;                 // [m^3] times the stiffness factor: the weight of energies and stiffnesses

  ElementShape(const Tet& t, std::span<const Vec3d> x, double stiffness_factor = 1)
      : ElementShape(element_kind(t), rest_shape(t, x), stiffness_factor) {}
  ElementShape(ElementKind kind, const RestShape<double>& rest, double stiffness_factor = 1)
      : corners(traits_of(kind).corners),
        plane(traits_of(kind).plane()),
        gradient{-(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]), rest.gradient[0], rest.gradient[1],
                 rest.gradient[2]},
        volume(stiffness_factor * rest.volume) {}

  // at(k): the position of corner k [m]
  template <class At>
  Mat3d deformation_gradient(const At& at) const {
    const Vec3d x0 = at(0);
    Mat3d f = outer(at(1) - x0, gradient[1]) + outer(at(2) - x0, gradient[2]);
    if (corners > 3) f = f + outer(at(3) - x0, gradient[3]);
    if (plane) f.c2 = {0, 0, 1};
    return f;
  }
  Mat3d deformation_gradient(const Tet& t, std::span<const Vec3d> x) const {
    return deformation_gradient([&](int k) { return x[t[k]]; });
  }
};

}  // namespace sinew
