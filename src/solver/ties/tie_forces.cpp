#include "solver/ties/tie_forces.h"

#include "solver/ties/tie_rule.h"

namespace sinew {
namespace {

template <class Real>
Vec3<Real> force_of(const Real* forces, size_t tie) {
  return {forces[3 * tie], forces[3 * tie + 1], forces[3 * tie + 2]};
}

}  // namespace

template <class Real>
void TieForces<Real>::sweep(ThreadPool& pool, Vec4<Real>* x, Real* forces, Real h2, const SweepOrder& order) const {
  const TieItems<Real> ties = ties_.view();
  const auto visit = [&](size_t k, const Item& item) { tie_rule::relax(ties, item, x, forces + 3 * k, h2); };
  ties_.for_each(pool, visit, order);
}

template <class Real>
void TieForces<Real>::add_impulses(ThreadPool& pool, Vec4<Real>* x, const Real* forces, Real h2) const {
  const TieItems<Real> ties = ties_.view();
  ties_.for_each(pool, [&](size_t k, const Item& item) { ties.push(item, -h2 * force_of(forces, k), x); });
}

template <class Real>
double TieForces<Real>::add_residuals(const Vec4<Real>* x, const Real* forces, Real h2, std::span<const uint8_t> held,
                                      std::span<Vec3d> g) const {
  const TieItems<Real> ties = ties_.view();
  double squares = 0;
  for (size_t k = 0; k < ties_.count(); ++k) {
    const Item& item = ties_.items()[k];
    const Vec3<Real> p = force_of(forces, k);
    ties_.add(item, h2 * p, held, g);
    const double stiffness = largest_stiffness(item.law.template as<double>());
    if (stiffness == 0) continue;
    const Vec3<Real> lack = tie_gradient(item.law, ties.vector_of(item, x), ties.activation_of(item)) - p;
    squares += static_cast<double>(dot(lack, lack)) / (stiffness * stiffness);
  }
  return squares;
}

template class TieForces<float>;
template class TieForces<double>;

}  // namespace sinew
