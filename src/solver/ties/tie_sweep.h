// A sweep by constraints over springs, weak constraints, fibres and grabs: whoever sweeps the elements too says which
// come first. Macklin et al. 2016 (XPBD); Chen et al. 2023 (PBNG), section 4.1, for weak constraints; Chen et al. 2024
// (PXPBD) for fibres. With W = sum_j w_j s_j^2 and a = 1 / (stiffness h^2),
//   spring            C = |x_1 - x_2| - l0:  dl = -(C + a l) / (W + a),  l += dl,  x_j += w_j s_j n dl
//   fibre             C = sqrt(2 E(|F v| / lambda_ofl)), up to what keeps its gradient defined where E = 0
//   weak constraint   the same along n and across it, which are independent: C is the vector's part along n, or across;
//                     a stiffness of 0 does nothing
//   grab              the same, one stiffness, of the vector C - b (model/grab.h)
#pragma once

#include <span>
#include <vector>

#include "solver/ties/colored_ties.h"

namespace sinew {

template <class Real>
class TieSweep {
 public:
  // `ties` between slots. Linear in their number.
  void prepare(const Ties& ties, size_t slot_count);
  // Takes the activations and grabs of a step.
  void begin_step(const StepProblem& problem);

  // In order, for sweeps elsewhere; and the first multiplier of each.
  const ColoredTies<Real>& ties() const { return ties_; }
  std::span<const uint32_t> first_multipliers() const { return first_multiplier_; }
  // In this step: of a spring or fibre one [N s^2], of a weak constraint or a grab three: a vector.
  size_t multiplier_count() const { return multiplier_count_; }
  // x by slot, w = 1/m. The same bits for any number of threads.
  void sweep(ThreadPool& pool, Vec4<Real>* x, Real* multipliers, Real h2, const SweepOrder& order) const;
  // x_j += w_j l grad_j C, with gradients at `at`.
  void follow(ThreadPool& pool, const Vec4<Real>* at, Vec4<Real>* x, const Real* multipliers) const;
  // Takes l grad C [N s^2] off g at slots that are not held; returns the sum of (C + a l)^2 [m^2].
  double add_residuals(const Vec4<Real>* x, const Real* multipliers, Real h2, std::span<const uint8_t> held,
                       std::span<Vec3d> g) const;
  size_t memory_bytes() const { return ties_.memory_bytes() + first_multiplier_.capacity() * sizeof(uint32_t); }

 private:
  using Item = typename ColoredTies<Real>::Item;
  void count_multipliers();

  ColoredTies<Real> ties_;
  std::vector<uint32_t> first_multiplier_;  // of each item
  size_t multiplier_count_ = 0;
};

extern template class TieSweep<float>;
extern template class TieSweep<double>;

}  // namespace sinew
