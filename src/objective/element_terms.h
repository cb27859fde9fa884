// The elastic terms of many single elements at once: energy, det F and the forces on the corners. The kernel is
// written once over the lane type (element_kernel.h) and compiled for each instruction set (kernels_*.cpp).
#pragma once

#include <cstdint>

#include "model/model.h"
#include "model/step_problem.h"

namespace sinew {

// The elements of a model, as arrays.
struct ElementArrays {
  const Tet* tets = nullptr;
  const Middles* middles = nullptr;          // by tet; null: all are linear
  const Vec3d* rest = nullptr;               // [m] by slot
  const double* stiffness_factor = nullptr;  // [-] by tet; null: 1
  DampingForm damping_form = DampingForm::strain_rate;

  static ElementArrays of(const Model& model) {
    const auto data = [](const auto& items) { return items.empty() ? nullptr : items.data(); };
    return {data(model.tets), data(model.middles), data(model.rest), data(model.stiffness_factor), model.damping_form};
  }
};

struct ElementTerms {
  ElementArrays elements;
  const ElasticBlock* block = nullptr;
  const Vec3d* x = nullptr;       // [m] by slot
  const Vec3d* x_prev = nullptr;  // [m] at the start of the step; read if the block is damped
  double damping_rate = 0;        // k_d / h [-]; 0: undamped

  // Results for elements [first, last), the first at index 0.
  double* energy = nullptr;   // [J] relative to rest, including what damping by the rate of strain dissipates
  double* det_f = nullptr;    // [-] the smallest of an element's points
  Vec3d* gradient = nullptr;  // [N] of the energy, with damping, gradients_each(block) per element; null: not needed
};

// A gradient for each node, or more.
inline int gradients_each(const ElasticBlock& block) {
  return block.quadratic() ? most_nodes : most_corners;
}

inline double damping_rate(const StepProblem& problem, const ElasticBlock& block) {
  return problem.quasistatic ? 0 : block.damping / problem.h;
}

using ElementKernel = void(const ElementTerms& terms, int32_t first, int32_t last);

// The kernel with this number of single-precision lanes (exec/instruction_set.h); 0: with those in use. Null if the CPU
// does not support it.
ElementKernel* element_kernel_with_lanes(int float_lanes);

}  // namespace sinew
