// The rule of PBD (Mueller et al. 2007): x += -k C / (sum w |grad C|^2) w grad C, which is XPBD's without compliance
// and multipliers. k in (0, 1] is the share of a constraint that a projection removes. Only for constraints that vanish
// at rest, up to a constant that keeps their gradient defined there and is subtracted.
#pragma once

#include "solver/by_constraint/constraint_kernel.h"

namespace sinew::constraint_kernel {

template <class T>
class RigidRule {
 public:
  using Sweep = RigidSweep<ScalarOf<T>>;
  template <class Material>
  SINEW_INLINE RigidRule(const Sweep& sweep, const Material& material)
      : share_(splat<T>(static_cast<double>(sweep.share))) {
    const T one = splat<T>(1);
    [&]<int... k>(std::integer_sequence<int, k...>) {
      ((rest_[k] = material.template constraint<k>(diagonal(one, one, one)).value), ...);
    }
    (std::make_integer_sequence<int, Material::constraint_count>{});
  }

  template <int count>
  SINEW_INLINE void begin(const Batch<T, lane_count<T>>&, const AlignedTetFrame<T>&, T, const Lane4<T> (&)[4]) {
    static_assert(count <= most);
  }

  template <int k, class Material, class Meanwhile>
  SINEW_INLINE void project(const Material& material, const AlignedTetFrame<T>& frame, T, Lane4<T> (&x)[4],
                            Meanwhile meanwhile) {
    const Edges<T> e = edges_of(x);
    const Constraint<T> c = material.template constraint<k>(frame.deformation_gradient(e.p, e.q, e.r));
    const CornerVectors<T> g = frame.times_gradients(c.gradient);
    const T sum = weighted_square(g.at, x), zero = T{};
    // Nothing moves if all corners are held, or if the constraint has no direction.
    const auto usable = sum > splat<T>(1e-30);
    const T t = select(usable, share_ * (rest_[k] - c.value), zero) / select(usable, sum, splat<T>(1));
    meanwhile();
    for (int j = 0; j < 4; ++j) x[j].xyz += (x[j].w * t) * g.at[j];
  }

 private:
  static constexpr int most = 2;
  T share_, rest_[most];
};

}  // namespace sinew::constraint_kernel
