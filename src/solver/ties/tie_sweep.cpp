#include "solver/ties/tie_sweep.h"

#include "solver/ties/tie_rule.h"

namespace sinew {
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
  const TieItems<Real> ties = ties_.view();
  const auto visit = [&](size_t k, const Item& item) {
    tie_rule::project(ties, item, x, multipliers + first_multiplier_[k], h2);
  };
  ties_.for_each(pool, visit, order);
}

template <class Real>
void TieSweep<Real>::follow(ThreadPool& pool, const Vec4<Real>* at, Vec4<Real>* x, const Real* multipliers) const {
  const TieItems<Real> ties = ties_.view();
  ties_.for_each(pool, [&](size_t k, const Item& item) {
    const Vec3<Real> c = ties.vector_of(item, at);
    ties.push(item, tie_rule::impulse_of(ties, item, c, multipliers + first_multiplier_[k]), x);
  });
}

template <class Real>
double TieSweep<Real>::add_residuals(const Vec4<Real>* x, const Real* multipliers, Real h2,
                                     std::span<const uint8_t> held, std::span<Vec3d> g) const {
  const auto wide = [](Vec3<Real> v) { return Vec3d{v.x, v.y, v.z}; };
  const TieItems<Real> ties = ties_.view();
  double squares = 0;
  for (size_t k = 0; k < ties_.count(); ++k) {
    const Item& item = ties_.items()[k];
    const Real* const l = multipliers + first_multiplier_[k];
    const Vec3<Real> c = ties.vector_of(item, x), impulse = tie_rule::impulse_of(ties, item, c, l);
    ties_.add(item, -impulse, held, g);
    const TieLaw<Real>& law = item.law;
    const auto add = [&](Vec3d value, Vec3d multiplier, Real stiffness) {
      if (stiffness == 0) return;
      const Vec3d fault = value + (1 / (static_cast<double>(stiffness) * static_cast<double>(h2))) * multiplier;
      squares += dot(fault, fault);
    };
    if (TieConstraint<Real> form; tie_constraint(law, c, ties.activation_of(item), form)) {
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
