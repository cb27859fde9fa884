// Visits to a tie, by the CPU or by a thread of a GPU: XPBD's (tie_sweep.h), and that of methods whose ties keep a
// force (tie_forces.h). `ties` is a TieItems, or what stands for one on a grid (solver/by_constraint/embedded_ties.h).
#pragma once

#include "solver/ties/tie_items.h"

namespace sinew::tie_rule {

// dl = -(C + a l) / (W + a)
template <class Real>
SINEW_INLINE Real step_of(Real c, Real lambda, Real stiffness, Real h2, Real w) {
  const Real a = 1 / (stiffness * h2);
  return -(c + a * lambda) / (w + a);
}

// Moves the tie's vertices; l: its multipliers.
template <class Items, class Real>
SINEW_INLINE void project(const Items& ties, const TieItem<Real>& item, Vec4<Real>* x, Real* l, Real h2) {
  const Real w = ties.mobility(item, x);
  if (w == 0) return;

  const Vec3<Real> c = ties.vector_of(item, x);
  Vec3<Real> step{};
  const TieLaw<Real>& law = item.law;
  if (TieConstraint<Real> constraint; tie_constraint(law, c, ties.activation_of(item), constraint)) {
    if (law.stiffness == 0) return;
    const Real dl = step_of(constraint.value, l[0], law.stiffness, h2, w * constraint.square);
    l[0] += dl;
    step = dl * constraint.gradient;
  } else {
    // Along the normal, and what is left across it.
    const Vec3<Real> lambda{l[0], l[1], l[2]};
    const Real c_n = dot(law.normal, c), l_n = dot(law.normal, lambda);
    const Vec3<Real> c_t = c - c_n * law.normal, l_t = lambda - l_n * law.normal;
    if (law.stiffness > 0) step += step_of(c_n, l_n, law.stiffness, h2, w) * law.normal;
    if (law.tangential > 0) {
      step += Vec3<Real>{step_of(c_t.x, l_t.x, law.tangential, h2, w), step_of(c_t.y, l_t.y, law.tangential, h2, w),
                         step_of(c_t.z, l_t.z, law.tangential, h2, w)};
    }
    l[0] += step.x;
    l[1] += step.y;
    l[2] += step.z;
  }
  ties.push(item, step, x);
}

// The same of a tie with a force; p: its three numbers.
template <class Items, class Real>
SINEW_INLINE void relax(const Items& ties, const TieItem<Real>& item, Vec4<Real>* x, Real* p, Real h2) {
  const Vec3<Real> c = ties.vector_of(item, x), force{p[0], p[1], p[2]};
  const Real activation = ties.activation_of(item);
  const TieStiffness<Real> stiffness = tie_stiffness(item.law, c, activation, true);
  const Vec3<Real> change =
      stiffness.damped(h2 * ties.mobility(item, x), tie_gradient(item.law, c, activation) - force);
  p[0] += change.x;
  p[1] += change.y;
  p[2] += change.z;
  ties.push(item, -h2 * change, x);
}

// l grad C at c, but for the weights.
template <class Real>
SINEW_INLINE Vec3<Real> impulse_of(const TieItems<Real>& ties, const TieItem<Real>& item, Vec3<Real> c, const Real* l) {
  if (TieConstraint<Real> form; tie_constraint(item.law, c, ties.activation_of(item), form))
    return l[0] * form.gradient;
  return {l[0], l[1], l[2]};
}

}  // namespace sinew::tie_rule
