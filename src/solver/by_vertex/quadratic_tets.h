// The quadratic tetrahedra of a solver by vertex: their layouts and multipliers (quadratic_pressure.h).
#pragma once

#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "solver/by_vertex/multiplier_law.h"
#include "solver/by_vertex/positions_ahead.h"
#include "solver/sweep.h"

namespace sinew {

// What a sweep reads of a layout, without multipliers; slope [Pa]: of the pressure of the mean J.
template <class Real, class Node>
QuadraticBlock<Real, Node> view_of(const QuadraticStream<Real, Node>& stream, double slope) {
  return {.block = stream.block,
          .points = stream.points,
          .layout = stream.layout,
          .row_begin = stream.row_begin.data(),
          .middle_begin = stream.middle_begin.data(),
          .nodes = stream.nodes.data(),
          .elements = stream.elements.data(),
          .first_visits = stream.first_visits.data(),
          .numbers = stream.numbers.data(),
          .laplacian = stream.laplacian.data(),
          .slope = slope};
}

template <class Real>
class QuadraticTets {
 public:
  void prepare(const Model& model, const Kernels& kernels, bool frames_only, ThreadPool& pool);
  // The stiffness and damping of the model's blocks, if the layouts permit that.
  bool can_take(const Model& model) const;
  void take(const Model& model);
  void begin_step(const StepProblem& problem, bool multipliers);
  // The multipliers after a sweep; `base`: what x is relative to, or empty. At once, or with the next forward sweep in
  // the first visits of the tets, unless x moves before: that takes `settle` first, as does whoever reads multipliers.
  void update(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base);
  void update_in_next_sweep() { due_ = has_multipliers(); }
  void settle(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base) {
    if (due_) update(x, base);
  }
  // Around a forward sweep that visits each vertex once.
  void begin_sweep();
  void end_sweep();

  bool any() const { return !streams_.empty(); }
  std::span<const QuadraticBlock<Real>> views() const { return views_; }
  bool has_multipliers() const { return pressures_.size() > 0; }
  void pressures(std::vector<double>& out) const;
  // Returns to multipliers of this step that were kept.
  void restore(std::span<const double> pressures);
  size_t memory_bytes() const;

 private:
  const Model* model_ = nullptr;
  const Kernels* kernels_ = nullptr;
  ThreadPool* pool_ = nullptr;
  bool frames_only_ = false;
  std::vector<QuadraticStream<Real>> streams_;
  std::vector<QuadraticBlock<Real>> views_;
  std::vector<MultiplierLaw> laws_;
  std::vector<PositionsAhead> ahead_;  // of each stream; none of materials that are not split
  Buffer<Real> inverse_volumes_;       // 1/(6 V), by tet of the model
  Buffer<Real> pressures_;             // s p, by tet of the model, and one of none; empty without multipliers
  bool due_ = false;                   // they are those before the last sweep
};

extern template class QuadraticTets<float>;
extern template class QuadraticTets<double>;

}  // namespace sinew
