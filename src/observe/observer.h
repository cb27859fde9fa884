// What a solve reports while it runs. A solve without observers computes none of it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "math/vec.h"

namespace sinew {

// The state of the objective at one iterate, whatever the solver believes of itself.
struct Evaluation {
  double energy = 0;        // [J] the objective: inertia + elastic - work of external forces
  double residual = 0;      // [N] 2-norm of the gradient over vertices that are not held
  double residual_max = 0;  // [N] largest force on one vertex
  int32_t inverted = 0;     // elements with det F <= 0
  double min_j = std::numeric_limits<double>::infinity();  // smallest det F
  bool finite = true;  // false: energy or gradient are not finite; `bad_slot` is the first offender
  int32_t bad_slot = -1;
};

struct IterationReport {
  int64_t step = 0;
  int iteration = 0;        // 0 is the initial guess
  double milliseconds = 0;  // of solver and accelerator since the start of the step, without observation
  Evaluation evaluation;
  std::span<const Vec3d> x;  // [m] per slot, valid during the call
};

enum class SolveStatus { converged, stalled, diverged, budget };
inline const char* name_of(SolveStatus s) {
  constexpr const char* names[] = {"converged", "stalled", "diverged", "budget"};
  return names[static_cast<int>(s)];
}

class Observer {
 public:
  virtual ~Observer() = default;
  // Does this observer want iteration `iteration` evaluated? An evaluation costs about as much as a sweep.
  virtual bool wants(int64_t step, int iteration) const = 0;
  virtual void on_iteration(const IterationReport& report) = 0;
};

}  // namespace sinew
