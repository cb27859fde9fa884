// Ties in the methods whose elements keep what they exert (FP-PXPBD, B-PXPBD): each tie keeps a force p of its own,
// with
//   M (x - y) + h^2 (that of the elements + sum s_j p) = 0   for every vertex,
// true at the start of a step with x = y and p = 0, and takes a Newton step for its vertices, the forces of the others
// fixed, towards p = phi'(C) (the visit of Chen et al. 2024, PXPBD, section 3.3.3, to an element of one vector):
//   (1 + t phi''(C)) dp = phi'(C) - p,   p += dp,   x_j -= w_j h^2 s_j dp,   t = h^2 sum_j w_j s_j^2.
// Where no vertex of it can move, p = phi'(C). Grabs are ties of the vector C - b (model/grab.h).
#pragma once

#include <span>

#include "solver/ties/colored_ties.h"

namespace sinew {

template <class Real>
class TieForces {
 public:
  // `ties` between slots. Linear in their number.
  void prepare(const Ties& ties, size_t slot_count) { ties_.prepare(ties, slot_count); }
  // Takes the activations and grabs of a step.
  void begin_step(const StepProblem& problem) { ties_.begin_step(problem); }

  // Numbers in all the forces of this step: three a tie.
  size_t size() const { return 3 * ties_.count(); }
  // x by slot, w = 1/m. The same bits for any number of threads.
  void sweep(ThreadPool& pool, Vec4<Real>* x, Real* forces, Real h2, const SweepOrder& order) const;
  // x_j -= w_j h^2 s_j p.
  void add_impulses(ThreadPool& pool, Vec4<Real>* x, const Real* forces, Real h2) const;
  // Adds h^2 s_j p [N s^2] to g at slots that are not held; returns the sum of ((phi'(C) - p) / stiffness)^2 [m^2].
  double add_residuals(const Vec4<Real>* x, const Real* forces, Real h2, std::span<const uint8_t> held,
                       std::span<Vec3d> g) const;
  size_t memory_bytes() const { return ties_.memory_bytes(); }

 private:
  using Item = typename ColoredTies<Real>::Item;
  ColoredTies<Real> ties_;
};

extern template class TieForces<float>;
extern template class TieForces<double>;

}  // namespace sinew
