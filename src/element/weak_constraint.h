// Two points that barycentric weights give are held together (Chen et al. 2023, PBNG, eqs. 22-23):
//   phi = 1/2 C^T K C,   K = k_n n n^T + k_t (1 - n n^T),
// k_n: `stiffness`, k_t: `tangential`, n: `normal`, or 0 where k_n = k_t.
#pragma once

#include "element/tie_law.h"

namespace sinew {

struct WeakConstraint {
  static constexpr TieTraits traits = {.name = "weak constraint", .binds = true};
  static constexpr unsigned uses = uses_stiffness | uses_tangential | uses_normal;

  template <class T>
  static SINEW_INLINE T energy(const TieNumbers<T>& n, Vec3<T> c, T) {
    const T along = dot(n.normal, c);
    return splat<T>(0.5) * (n.tangential * dot(c, c) + (n.stiffness - n.tangential) * (along * along));
  }
  template <class T>
  static SINEW_INLINE Vec3<T> gradient(const TieNumbers<T>& n, Vec3<T> c, T) {
    return n.tangential * c + ((n.stiffness - n.tangential) * dot(n.normal, c)) * n.normal;
  }
  template <class T>
  static SINEW_INLINE TieStiffness<T> stiffness(const TieNumbers<T>& n, Vec3<T>, T) {
    return {n.normal, n.stiffness, n.tangential};
  }
  static double largest_stiffness(const TieNumbers<double>& n) {
    return n.stiffness > n.tangential ? n.stiffness : n.tangential;
  }
  static double energy_scale(const TieNumbers<double>&) { return 0; }

  static constexpr int example_count = 3;
  static TieNumbers<double> example(int k) {
    if (k == 0) return {.stiffness = 5, .tangential = 5};
    return {.stiffness = 7, .tangential = k == 1 ? 2.0 : 0, .normal = {2.0 / 7, 3.0 / 7, 6.0 / 7}};
  }
};

}  // namespace sinew
