// The gradient of the objective at some vertices, out of the elements, ties and grabs around them: for the forces of
// pins, which are at a few of many vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/model.h"
#include "model/step_problem.h"

namespace sinew {

class PartialGradient {
 public:
  // slots: ascending, each once. Valid as long as the model's elements and ties are the same ones.
  PartialGradient(const Model& model, std::span<const int32_t> slots);

  // By slot [N]: at the slots given what Objective::gradient_unconstrained writes, bit for bit; elsewhere 0. Valid
  // until the next call.
  std::span<const Vec3d> at(const StepProblem& problem, std::span<const Vec3d> x, ThreadPool& pool);

 private:
  // Consecutive elements, most of which touch one of the slots.
  struct Run {
    int32_t block, first, last;
    size_t begin, first_gradient;  // in the lists of results
  };

  std::vector<int32_t> slots_;
  std::vector<uint8_t> is_wanted_;  // by slot
  std::vector<Run> runs_;
  std::vector<int32_t> ties_;
  std::vector<double> energy_, det_f_;  // of the elements in runs
  std::vector<Vec3d> gradients_;        // gradients_each(block) of each
  std::vector<Vec3d> gradient_;         // by slot
};

}  // namespace sinew
