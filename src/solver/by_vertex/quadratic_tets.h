// The quadratic tetrahedra of a solver by vertex: their layouts and multipliers (quadratic_pressure.h).
#pragma once

#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "solver/sweep.h"

namespace sinew {

// Of the multipliers of a block; none: sigma = 0. Blocks that are damped by own blocks, which are made of lambda_m,
// have none.
struct MultiplierLaw {
  double shrink = 1, sigma = 0;  // s, sigma [Pa]
};

// [Pa] What the sweeps have in place of lambda of the mean J: k if it has multipliers.
double mean_stiffness(const Model& model, const ElasticBlock& block, bool multipliers);

template <class Real>
class QuadraticTets {
 public:
  void prepare(const Model& model, const Kernels& kernels, bool frames_only, ThreadPool& pool);
  // The stiffness and damping of the model's blocks, if the layouts permit that.
  bool can_take(const Model& model) const;
  void take(const Model& model);
  void begin_step(const StepProblem& problem, bool multipliers);
  // The multipliers after a sweep; `base`: what x is relative to, or empty.
  void update(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base);

  bool any() const { return !streams_.empty(); }
  std::span<const QuadraticBlock<Real>> views() const { return views_; }
  void pressures(std::vector<double>& out) const { out.assign(pressures_.begin(), pressures_.end()); }
  // Returns to multipliers of this step that were kept.
  void restore(std::span<const double> pressures);
  size_t memory_bytes() const;

 private:
  VertexLayout layout_of(const Model& model, const ElasticBlock& block) const;
  void shrink();
  void update_linear(const ElasticBlock& block, const MultiplierLaw& law, const Buffer<Vec4<Real>>& x,
                     const Buffer<Vec4<Real>>& base);

  const Model* model_ = nullptr;
  const Kernels* kernels_ = nullptr;
  ThreadPool* pool_ = nullptr;
  bool frames_only_ = false;
  std::vector<QuadraticStream<Real>> streams_;
  std::vector<QuadraticBlock<Real>> views_;
  std::vector<MultiplierLaw> laws_;
  Buffer<Real> inverse_volumes_;     // 1/(6 V), by tet of the model
  Buffer<Real> pressures_, shrunk_;  // p, s p; empty without multipliers
};

extern template class QuadraticTets<float>;
extern template class QuadraticTets<double>;

}  // namespace sinew
