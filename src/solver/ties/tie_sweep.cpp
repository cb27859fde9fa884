#include "solver/ties/tie_sweep.h"

namespace sinew {
namespace {

// dl = -(C + a l) / (W + a)
template <class Real>
Real step_of(Real c, Real lambda, Real stiffness, Real h2, Real w) {
  const Real a = 1 / (stiffness * h2);
  return -(c + a * lambda) / (w + a);
}

}  // namespace

template <class Real>
void TieSweep<Real>::prepare(const Ties& ties, size_t slot_count) {
  ties_.prepare(ties, slot_count);
  count_multipliers();
}

template <class Real>
void TieSweep<Real>::begin_step(const StepProblem& problem) {
  ties_.begin_step(problem);
  if (ties_.count() != first_multiplier_.size()) count_multipliers();
}

template <class Real>
void TieSweep<Real>::count_multipliers() {
  first_multiplier_.clear();
  multiplier_count_ = 0;
  for (const Item& item : ties_.items()) {
    first_multiplier_.push_back(static_cast<uint32_t>(multiplier_count_));
    multiplier_count_ += is_one_constraint(item.law.kind) ? 1 : 3;
  }
}

template <class Real>
void TieSweep<Real>::sweep(ThreadPool& pool, Vec4<Real>* x, Real* multipliers, Real h2, const SweepOrder& order) const {
  const auto visit = [&](size_t k, const Item& item) { project(item, x, multipliers + first_multiplier_[k], h2); };
  ties_.for_each(pool, visit, order);
}

template <class Real>
void TieSweep<Real>::project(const Item& item, Vec4<Real>* x, Real* l, Real h2) const {
  const Real w = ties_.mobility(item, x);
  if (w == 0) return;

  const Vec3<Real> c = ties_.vector_of(item, x);
  Vec3<Real> step{};
  const TieLaw<Real>& law = item.law;
  if (TieConstraint<Real> constraint; tie_constraint(law, c, ties_.activation_of(item), constraint)) {
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
  ties_.push(item, step, x);
}

template <class Real>
void TieSweep<Real>::follow(ThreadPool& pool, const Vec4<Real>* at, Vec4<Real>* x, const Real* multipliers) const {
  ties_.for_each(pool, [&](size_t k, const Item& item) {
    ties_.push(item, impulse_of(item, ties_.vector_of(item, at), multipliers + first_multiplier_[k]), x);
  });
}

// l grad C, but for the weights.
template <class Real>
Vec3<Real> TieSweep<Real>::impulse_of(const Item& item, Vec3<Real> c, const Real* l) const {
  if (TieConstraint<Real> form; tie_constraint(item.law, c, ties_.activation_of(item), form))
    return l[0] * form.gradient;
  return {l[0], l[1], l[2]};
}

template <class Real>
double TieSweep<Real>::add_residuals(const Vec4<Real>* x, const Real* multipliers, Real h2,
                                     std::span<const uint8_t> held, std::span<Vec3d> g) const {
  const auto wide = [](Vec3<Real> v) { return Vec3d{v.x, v.y, v.z}; };
  double squares = 0;
  for (size_t k = 0; k < ties_.count(); ++k) {
    const Item& item = ties_.items()[k];
    const Real* const l = multipliers + first_multiplier_[k];
    const Vec3<Real> c = ties_.vector_of(item, x), impulse = impulse_of(item, c, l);
    ties_.add(item, -impulse, held, g);
    const TieLaw<Real>& law = item.law;
    const auto add = [&](Vec3d value, Vec3d multiplier, Real stiffness) {
      if (stiffness == 0) return;
      const Vec3d fault = value + (1 / (static_cast<double>(stiffness) * static_cast<double>(h2))) * multiplier;
      squares += dot(fault, fault);
    };
    if (TieConstraint<Real> form; tie_constraint(law, c, ties_.activation_of(item), form)) {
      add({form.value, 0, 0}, {l[0], 0, 0}, law.stiffness);
    } else {
      const Vec3d n = wide(law.normal), c_n = dot(n, wide(c)) * n, l_n = dot(n, wide(impulse)) * n;
      add(c_n, l_n, law.stiffness);
      add(wide(c) - c_n, wide(impulse) - l_n, law.tangential);
    }
  }
  return squares;
}

template class TieSweep<float>;
template class TieSweep<double>;

}  // namespace sinew
