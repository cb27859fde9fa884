// XPBD's rule (Macklin et al. 2016): dl = (-C - a l) / (sum w |grad C|^2 + a), l += dl, x += w grad C dl, with a = 1 /
// (stiffness V h^2). Multiplied by s = 1/a, it needs no division by a compliance that may be zero or infinite. With the
// scale n of constraint_kernel.h
//   t = dl/n = -(s n C + n l) / (s sum w |g|^2 + n^2),   l += n t,   x += w g t.
#pragma once

#include "solver/by_constraint/constraint_kernel.h"
#include "solver/by_constraint/strain_constraint.h"

namespace sinew::constraint_kernel {

// `w`: of rows; that of the lanes, or on a GPU, whose thread is one of these, more.
template <class T, template <class> class SweepOf = ConstraintSweep, int w = lane_count<T>>
class CompliantRule {
 public:
  using Real = ScalarOf<T>;
  using Sweep = SweepOf<Real>;
  template <class Material>
  SINEW_INLINE CompliantRule(const Sweep& sweep, const Material&) : all_(sweep.multipliers) {
    if constexpr (at_once) scale_ = splat<T>(static_cast<double>(sweep.scale));
  }

  template <int count, class Corners>
  SINEW_INLINE void begin(const Batch<T, w>& batch, const AlignedTetFrame<T>&, T, const Corners&) {
    constexpr int size = count * w, ahead = 128 / w;  // in batches
    multipliers_ = all_ + batch.number * size + batch.lane;
    prefetch<size>(multipliers_ + ahead * size);
  }
  template <int k, class Material, class Corners, class Meanwhile>
  SINEW_INLINE void project(const Material& material, const AlignedTetFrame<T>& frame, T h2, Corners& x,
                            Meanwhile meanwhile) {
    if constexpr (requires { material.strain_compliance(); }) {
      project_strain(material.strain_compliance(), frame, h2, x, meanwhile);
    } else {
      project_scalar<k>(material, frame, h2, x, meanwhile);
    }
  }

 private:
  template <int k, class Material, class Corners, class Meanwhile>
  SINEW_INLINE void project_scalar(const Material& material, const AlignedTetFrame<T>& frame, T h2, Corners& x,
                                   Meanwhile meanwhile) {
    const Scaled<T> c = scaled_constraint<k>(material, frame, h2, x);
    Real* multiplier = multipliers_ + k * w;
    const T lambda = load<T>(multiplier);
    const T t = -(c.s * c.value + c.weight * lambda) / (c.s * weighted_square(c.gradient.at, x) + c.square);
    meanwhile();
    store<T>(multiplier, lambda + of_change(c.scale) * t);
    move(x, t, c.gradient.at);
  }
  template <class Corners, class Meanwhile>
  SINEW_INLINE void project_strain(const StrainCompliance<T>& compliance, const AlignedTetFrame<T>& frame, T h2,
                                   Corners& x, Meanwhile meanwhile) {
    const Edges<T> e = edges_of(x);
    const Mat3<T> f = frame.deformation_gradient(e.p, e.q, e.r);
    const T s = h2 * frame.volume;
    const Sym3<T> l = six_multipliers<T>([&](int k) { return load<T>(multipliers_ + k * w); });
    const Sym3<T> fault = (compliance.mu * s) * green_strain_constraint(f) + compliance * l;
    meanwhile();
    const Sym3<T> step = strain_step(compliance, f, weighted_gram(frame, x), s, fault);
    const Sym3<T> after = l + of_change(splat<T>(1)) * step;
    const T numbers[6] = {after.xx, after.xy, after.xz, after.yy, after.yz, after.zz};
    for (int k = 0; k < 6; ++k) store<T>(multipliers_ + k * w, numbers[k]);
    move(x, frame.times_gradients(f * step).at);
  }

  static constexpr bool at_once = requires(const Sweep& sweep) { sweep.sums; };
  // n times the share of a multiplier's change that is applied.
  SINEW_INLINE T of_change(T n) const {
    if constexpr (at_once) return scale_ * n;
    return n;
  }

  Real* all_;
  Real* multipliers_ = nullptr;
  T scale_{};
};

}  // namespace sinew::constraint_kernel
