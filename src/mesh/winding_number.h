// The generalised winding number of a triangle soup (Jacobson, Kavan, Sorkine-Hornung 2013, "Robust Inside-Outside
// Segmentation using Generalized Winding Numbers", eq. 5): how often the triangles go around a point q,
//
//   w(q) = sum_t Omega_t(q) / (4 pi),
//
// where Omega_t is the signed solid angle at which q sees triangle t. For a closed surface w is an integer, 1 inside
// and 0 outside; with holes it varies smoothly between them. Triangles may be duplicated or flipped, cross each other
// or have no area. On a triangle w jumps by 1, and one of its limits is returned.
//
// Near triangles are summed one by one, with tan(Omega / 2) from van Oosterom and Strackee (1983), "The Solid Angle of
// a Plane Triangle", eq. 8; groups of far ones by their Taylor expansion of second order (Barill, Dickson, Schmidt,
// Levin, Jacobson 2018, "Fast Winding Numbers for Soups and Clouds"): a group with centre p and radius R is far if
// |q - p| > beta R.
#pragma once

#include "mesh/triangle_tree.h"

namespace sinew {

class WindingNumber {
 public:
  // The tree must outlive it. beta = 2 is accurate to about 5e-3; infinity sums all triangles one by one.
  explicit WindingNumber(const TriangleTree& tree, ThreadPool& pool = ThreadPool::caller(), double beta = 2);

  double at(Vec3d q) const;

 private:
  using Lanes = BoxTree::Lanes;
  using Pair = TriangleTree::Pair;
  // Expansions of the children of a node: harmonic polynomials of u = (p - q) / R,
  //   4 pi w = n.u / |u|^3 + s(u) / |u|^5 + t(u) / |u|^7,
  // s by its factors of x2 - z2, y2 - z2, xy, xz, yz and t by those of x (x2 - 3 z2), x (y2 - z2), y (y2 - 3 z2),
  // y (x2 - z2), z (3 x2 - z2), z (3 y2 - z2), xyz.
  struct Expansions {
    std::array<std::array<Pair, BoxTree::width / 2>, 3> centre;
    Lanes inverse_radius;  // 0: no triangles
    std::array<Lanes, 3> n;
    std::array<Lanes, 5> s;
    std::array<Lanes, 7> t;
  };

  const TriangleTree& tree_;
  float beta_squared_;
  Buffer<Expansions> expansions_;  // by node of the tree
};

}  // namespace sinew
