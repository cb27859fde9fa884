// Did a run go wrong, though no step diverged? Watches its frames, and says so at its end: one warning for each way,
// with what helped where it was tried.
//   inverted elements   in the last frame
//   out of balance      in a tenth of the frames or in the last one, a residual larger than weight and loads: these
//   might
//                       as well not have been there. Without any, reactions of pins are taken
//   energy              kinetic + elastic - work of constant forces, which backward Euler only ever lowers, rose by
//                       more than a tenth of what was exchanged, though no pin moved and no muscle pulled
// The 2-norms are over vertices, as the residual is.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "sinew/report.h"

namespace sinew {

class RunHealth {
 public:
  // Of a frame, the first before any step; `forces` [N] per slot with minus the reactions at held vertices, or empty.
  void look(const Engine& engine, const Evaluation& evaluation, const std::vector<Vec3d>& forces);
  // At the end. Sentences without a full stop.
  std::vector<std::string> warnings(Engine& engine) const;

 private:
  std::string inverted(Engine& engine) const;

  Evaluation last_;
  double last_loads_ = 0;                      // [N] at the last frame
  int64_t frames_ = 0, out_of_balance_ = 0;    // after the first
  double worst_ = 0;                           // residual over loads
  double first_energy_ = 0, energy_ = 0;       // [J]
  double largest_energy_ = 0, exchanged_ = 0;  // [J] of kinetic energy at most
  bool work_ = false;                          // was done by pins, muscles or loads
  std::vector<Vec3d> first_x_;                 // [m] in the first frame
};

}  // namespace sinew
