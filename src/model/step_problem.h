// What one step asks of every solver: find x with
//   backward Euler   m (x - y) / h^2 + dPsi/dx + damping = 0,  y = x_prev + h v + h^2 f_ext / m
//   quasistatic      dPsi/dx - f_ext = 0
// for the vertices that are not held; those are where the script put them. f_ext enters here and nowhere else.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec.h"
#include "model/model.h"

namespace sinew {

struct StepProblem {
  const Model* model = nullptr;
  bool quasistatic = false;
  double h = 0;                    // [s]; 0 if quasistatic
  std::vector<uint8_t> held;       // per slot; padding and massless vertices are held
  std::vector<Vec3d> x_prev;       // [m] positions at the start of the step
  std::vector<Vec3d> x_start;      // [m] the initial guess; held vertices at their targets. For begin_step only
  std::vector<Vec3d> x_target;     // [m] where held vertices are; of free ones the inertial target y (backward Euler)
  std::vector<double> activation;  // [-] of each muscle of the model, at the end of the step

  double inverse_h2() const { return quasistatic ? 0 : 1 / (h * h); }
};

}  // namespace sinew
