// The sweeps by constraint over quadratic tets (quadratic_constraint_kernel.h), as the solver calls them.
#pragma once

#include "element/quadratic_tetrahedron.h"
#include "model/quadratic_constraint_stream.h"
#include "solver/sweep.h"

namespace sinew {

// The multipliers of a tet: those of its material at each of the four points, and that of its mean J.
constexpr int quadratic_multiplier_count(int at_point) {
  return QuadraticTetrahedron::points * at_point + 1;
}

template <class Real>
struct QuadraticConstraintSweep {
  const QuadraticConstraintStream<Real>* block = nullptr;
  Vec4<Real>* x = nullptr;      // w = 1/m; 0 if held
  Real* multipliers = nullptr;  // of this block: batches x quadratic_multiplier_count x W
  Real h2 = 0;                  // h^2 [s^2]
  // Where tets that share nodes are processed at once (constraint_order.h): x stays fixed, its changes are summed here,
  // and all changes, those of multipliers too, are scaled. Null: x is changed.
  Vec4<Real>* sums = nullptr;
  Real scale = 1;
};

// As MultiplierSweep.
template <class Real>
struct QuadraticMultiplierSweep {
  const QuadraticConstraintStream<Real>* block = nullptr;
  const Vec4<Real>* at = nullptr;
  Vec4<Real>* x = nullptr;
  const Real* multipliers = nullptr;
};

template <class Real>
struct QuadraticConstraintKernels {
  void (*compliant)(const QuadraticConstraintSweep<Real>&, int64_t first_batch, int64_t last_batch);
  void (*multiplier)(const QuadraticMultiplierSweep<Real>&, int64_t first_batch, int64_t last_batch);
};

}  // namespace sinew
