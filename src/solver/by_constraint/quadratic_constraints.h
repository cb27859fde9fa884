// The quadratic tets of a solver by constraint: their layouts, coloured with the linear ones, and the sweeps over them
// (quadratic_constraint_kernel.h).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "solver/by_constraint/quadratic_sweep.h"
#include "solver/sweep_order.h"
#include "solver/sweep_solver.h"

namespace sinew {

template <class Real>
class QuadraticConstraints {
 public:
  explicit QuadraticConstraints(int lanes) : kernels_(kernels_with_lanes(lanes)) {}

  void prepare(const Model& model, ThreadPool& pool);
  bool any() const { return !streams_.empty(); }
  std::span<const QuadraticConstraintStream<Real>> streams() const { return streams_; }
  // Common to all blocks.
  int color_count() const { return any() ? static_cast<int>(streams_[0].color_begin.size()) - 1 : 0; }
  // Of multipliers: block by block, batches x numbers x lanes.
  size_t multiplier_count() const { return any() ? first_multiplier_.back() : 0; }
  size_t first_multiplier(size_t stream) const { return first_multiplier_[stream]; }

  // XPBD's sweep in this order of all colours of all blocks.
  void sweep(Vec4<Real>* x, Real* multipliers, Real h2, const SweepOrder& order) const;
  // The same over the colours [first_color, last_color) at once: adds the changes times `scale` to `sums`.
  void sweep_at_once(Vec4<Real>* x, Real* multipliers, Real h2, Vec4<Real>* sums, Real scale, int first_color,
                     int last_color) const;
  // x += w l grad C, with gradients at `at`.
  void follow(const Vec4<Real>* at, Vec4<Real>* x, const Real* multipliers) const;

  size_t memory_bytes() const;

 private:
  // That a thread takes at a time: a tet is several times the work of a linear one.
  int64_t least_batches() const { return std::max(least_shared / 4 / kernels_->lanes<Real>(), int64_t{1}); }
  void sweep_color(QuadraticConstraintSweep<Real> sweep, Real* multipliers, size_t block, int color) const;

  const Kernels* kernels_;
  ThreadPool* pool_ = nullptr;
  std::vector<QuadraticConstraintStream<Real>> streams_;
  std::vector<size_t> first_multiplier_;
};

extern template class QuadraticConstraints<float>;
extern template class QuadraticConstraints<double>;

}  // namespace sinew
