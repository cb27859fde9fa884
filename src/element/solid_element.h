// What every kind of solid element offers. The corners' positions of a linear one give one deformation gradient
//   F = sum_i (x_i - x_0) (x) g_i,   g_i = dN_i/dX,
// to which a plane element adds e_z (x) e_z. Energy, forces and stiffness follow from F, the g_i and the volume, and
// are written once for all kinds. A quadratic one (quadratic_tetrahedron.h) has several such points. A kind is a struct
// of static functions, over any lane type T:
//
//   traits                      an ElementTraits: what others have to know without the type
//   rest(x)                     the RestShape of corners at x[0], x[1], ... [m]
//
// `elements.def` lists them all.
#pragma once

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

struct ElementTraits {
  const char* name;
  int corners;
  int nodes;      // of which some may be at the middles of edges
  int dimension;  // of the space in which it deforms; 2: in a plane of constant z, 1 m thick

  constexpr bool plane() const { return dimension == 2; }
  constexpr bool quadratic() const { return nodes > corners; }
};

// The most corners that a kind has, and the most nodes.
inline constexpr int most_corners = 4;
inline constexpr int most_nodes = 10;

// Rest gradients [1/m] of the corners after the first, whose own is minus their sum, and the rest volume [m^3]. A
// corner that a kind lacks has the gradient 0.
template <class T>
struct RestShape {
  Vec3<T> gradient[most_corners - 1];
  T volume;
};

}  // namespace sinew
