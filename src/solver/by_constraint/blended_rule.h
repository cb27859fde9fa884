// The rule of B-PXPBD (Chen et al. 2024, PXPBD, eqs. 19 and 22, with the multiplier that was just updated): XPBD's
// step, blended with the change that makes the impulse t_j [kg m] of a constraint on its corner j equal to that of its
// multiplier,
//   dt_j = zeta dl grad_j C + (1 - zeta) (l grad_j C - t_j),   t_j += dt_j,   x_j += w_j dt_j.
// With t of compliant_rule.h and u = l/n, both from one division, dl grad C = t g and l grad C = u g.
//
// The second part follows rotating gradients by a step that ignores its own effect on them: with K = l d2C/dx2 it
// overshoots from 1 - zeta = 2/(1 + |w K|) on. So the automatic zeta is, for each tet,
//   1 - zeta = 1/(1 + caution k),   k = max(2 mu V h^2, |l|) sum w |grad N|^2,
// with the multiplier l of the volume; |l|/C of the other constraint is about stiffness V h^2.
//
// The impulses of a constraint sum to 0, so that of the last corner is not stored.
#pragma once

#include "solver/by_constraint/constraint_kernel.h"

namespace sinew::constraint_kernel {

template <class T>
class BlendedRule {
 public:
  using Real = ScalarOf<T>;
  using Sweep = BlendedSweep<Real>;
  template <class Material>
  SINEW_INLINE BlendedRule(const Sweep& sweep, const Material&)
      : sweep_(sweep),
        relaxation_(splat<T>(static_cast<double>(sweep.relaxation))),
        caution_(splat<T>(static_cast<double>(sweep.caution))),
        stiffness_(splat<T>(2 * sweep.block->block.material.lame.mu)) {}

  template <int count, class Corners>
  SINEW_INLINE void begin(const Batch<T, lane_count<T>>& batch, const AlignedTetFrame<T>& frame, T h2,
                          const Corners& x) {
    constexpr int w = lane_count<T>, ahead = 128 / w;  // in batches
    multipliers_ = sweep_.multipliers + batch.number * count * w;
    impulses_ = sweep_.impulses + batch.number * count * stored_impulses * w;
    prefetch<count * w>(multipliers_ + ahead * count * w);
    prefetch<count * stored_impulses * w>(impulses_ + ahead * count * stored_impulses * w);
    const T volume = load<T>(multipliers_ + (count - 1) * w);
    const T k = max(stiffness_ * frame.volume * h2, max(volume, -volume)) * weighted_gradient_square(frame, x);
    share_ = relaxation_ / (splat<T>(1) + caution_ * k);
  }

  template <int k, class Material, class Corners, class Meanwhile>
  SINEW_INLINE void project(const Material& material, const AlignedTetFrame<T>& frame, T h2, Corners& x,
                            Meanwhile meanwhile) {
    constexpr int w = lane_count<T>;
    const Scaled<T> c = scaled_constraint<k>(material, frame, h2, x);
    const Vec3<T>(&g)[4] = c.gradient.at;
    Real* multiplier = multipliers_ + k * w;
    Real* impulse = impulses_ + k * stored_impulses * w;
    const T lambda = load<T>(multiplier);
    const T d = c.s * weighted_square(g, x) + c.square;
    const T inverse = splat<T>(1) / positive(d * c.scale);
    meanwhile();
    const T t = -(c.s * c.value + c.weight * lambda) * (c.scale * inverse);
    const T u = lambda * (d * inverse) + t;
    store<T>(multiplier, lambda + c.scale * t);

    const T step = (splat<T>(1) - share_) * t + share_ * u;
    Vec3<T> changes[4], sum{};
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
      Real* at = impulse + 3 * j * w;
      const Vec3<T> before{load<T>(at), load<T>(at + w), load<T>(at + 2 * w)};
      const Vec3<T> change = step * g[j] - share_ * before;
      const Vec3<T> after = before + change;
      store<T>(at, after.x);
      store<T>(at + w, after.y);
      store<T>(at + 2 * w, after.z);
      changes[j] = change;
      sum += change;
    }
    changes[3] = -sum;
    move(x, changes);
  }

 private:
  const Sweep& sweep_;
  T relaxation_, caution_, stiffness_, share_{};
  Real* multipliers_ = nullptr;
  Real* impulses_ = nullptr;
};

}  // namespace sinew::constraint_kernel
