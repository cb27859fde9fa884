// Keeps the vertices of surfaces within their limits (contact/limits.h) in a sweep by vertex: after a colour has moved,
// each vertex that went too far is put back on its way, so that whoever reads it next reads a place it may have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/limits.h"
#include "model/step_problem.h"
#include "solver/sweep.h"

namespace sinew {

template <class Real>
class VertexLimits {
 public:
  // `threads`: that sweep at once.
  void begin_step(const StepProblem& problem, int threads);
  bool any() const { return limits_ != nullptr; }

  // Before and after the slots [first, last) of a colour are moved in place.
  void keep(const VertexSweep<Real>& sweep, int thread, int32_t first, int32_t last);
  void apply(const VertexSweep<Real>& sweep, int thread, int32_t first, int32_t last, ThreadPool* pool);
  // Of all vertices that went from one place to another.
  void apply(const Buffer<Vec4<Real>>& from, Buffer<Vec4<Real>>& to, ThreadPool& pool);

  // Of the moves that were shortened since the last call.
  LimitCounts take_counts();
  size_t memory_bytes() const;

 private:
  std::span<const int32_t> slots_in(int32_t first, int32_t last) const;

  const Limits* limits_ = nullptr;
  std::vector<int32_t> slots_;  // on surfaces, ascending
  std::vector<Buffer<Vec4<Real>>> before_;
  std::vector<LimitCounts> counts_;  // by thread
};

extern template class VertexLimits<float>;
extern template class VertexLimits<double>;

}  // namespace sinew
