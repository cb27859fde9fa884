// Did a run go wrong, though no step diverged? Watches its frames, and says so at its end: one warning for each way,
// with what helped where it was tried.
//   inverted elements   in the last frame; where there are none, quadratic tets that are folded over at a corner
//   not converged       equilibria: forces out of balance, as a 2-norm over vertices as the residual is, or in their
//                       sum or moments, by more than a twentieth of weight and loads, in the last frame or in a tenth
//                       of all. Where pins move or muscles pull, or no load acts, of the forces at pins if these are
//                       larger
//                       motions: in the last frame or in a quarter of all, a residual larger than weight and loads,
//                       which might as well not have been there; without any, than the forces at pins
//   energy              kinetic + elastic - work of constant forces, which backward Euler only ever lowers, rose by
//                       more than a tenth of what was exchanged, and by what strains of 1e-4 throughout take, in the
//                       last frame or in a quarter of all, though no pin or collider moved and no muscle pulled
//   other equilibria    bodies that nothing acts on keep a shape at the end in which they are strained by a fiftieth or
//                       more: they began out of shape
// Weight, loads and forces at pins are taken as the largest so far. What rounding leaves counts for nothing; in a
// motion that is what rounding to single precision would leave, for nobody sees less.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "sinew/report.h"

namespace sinew {

class RunHealth {
 public:
  // Of a frame, the first before any step; `forces` [N] per slot with minus the reactions at held vertices, or empty;
  // how the frame's last step ended.
  void look(Engine& engine, const Evaluation& evaluation, const std::vector<Vec3d>& forces, SolveStatus status);
  // At the end. Sentences without a full stop.
  std::vector<std::string> warnings(Engine& engine) const;

 private:
  // How large forces by slot are: in 2-norm [N], in the sum of their lengths [N], in that times the distance from the
  // body's middle [N m].
  struct Size {
    double norm = 0, sum = 0, moment = 0;
    void add(Vec3d force, Vec3d arm);
    void finish();
    void raise(const Size& other);
  };

  void begin(Engine& engine);
  void weigh(Engine& engine);
  double imbalance(const Engine& engine, const Evaluation& evaluation, const std::vector<Vec3d>& forces) const;
  std::string remedy(const Engine& engine) const;
  std::string inverted(Engine& engine, const std::string& if_not_converged) const;
  std::string out_of_shape(const Engine& engine) const;
  static std::string folded(const Engine& engine);
  static std::string of_pressures(const Engine& engine);

  Evaluation last_;
  int32_t inverted_at_first_ = 0;
  SolveStatus last_status_ = SolveStatus::converged;
  Size loads_, reactions_;  // the largest so far
  double grain_ = 0;        // [N] residual that rounding to single precision leaves
  double precision_ = 1;    // of the solver, over single precision
  bool lost_at_the_end_ = false, richer_at_the_end_ = false;
  int64_t frames_ = 0;                         // after the first
  int64_t out_of_balance_ = 0, richer_ = 0;    // of these
  double worst_ = 0;                           // out of balance, over loads
  double first_energy_ = 0, energy_ = 0;       // [J]
  double largest_energy_ = 0, exchanged_ = 0;  // [J] of kinetic energy at most
  double least_energy_ = 0;                    // [J] of strains that nobody sees
  double elastic_ = 0;                         // [J] in the last frame
  int64_t in_shape_ = 0;                       // frames since it changed
  Vec3d first_momentum_{};                     // [N s]
  double largest_momentum_ = 0;                // [N s] sum of m |v|
  double lost_momentum_ = 0;                   // [N s] at most, of what nothing from outside acts on but gravity
  double momentum_grain_ = 0;                  // [N s] that rounding to the solver's precision leaves in a step
  bool weighed_ = false, outside_acts_ = false;
  bool pulled_ = false;         // by pins that moved or muscles
  bool work_ = false;           // was done by these, by colliders or by loads
  Vec3d middle_{};              // [m] of what has mass, at first
  std::vector<Vec3d> first_x_;  // [m] in the first frame
};

}  // namespace sinew
