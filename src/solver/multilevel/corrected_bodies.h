// The bodies of a model, and which of them multilevel descent corrects on a lattice: those that sweeps alone are slow
// for. On the CPU and on devices the same.
#pragma once

#include <vector>

#include "solver/multilevel/bodies.h"
#include "solver/multilevel/free_bodies.h"
#include "solver/multilevel/multilevel_options.h"

namespace sinew {

class CorrectedBodies {
 public:
  void prepare(const Model& model, const MultilevelOptions& options);
  // Chooses those of this step, by the model and the length of the step only, so that a run gives the same results on
  // every machine. True: they are not those of the last choice, and the lattice has to be built anew.
  bool choose(const MultilevelOptions& options, const StepProblem& problem);

  const Bodies& bodies() const { return bodies_; }
  const std::vector<uint8_t>& wanted() const { return wanted_; }  // of each body
  bool any() const { return any_; }                               // whether any is corrected
  // The over-relaxation of sweeps in a step, with corrections or alone.
  double omega(const MultilevelOptions& options, bool corrects) const;
  // The same after corrections are given up.
  double omega_given_up(const MultilevelOptions& options) const {
    return options.order == sweeps_jacobi ? jacobi_share_ : 1;
  }

  FreeBodies free;

 private:
  Bodies bodies_;
  bool convex_ = true;  // the energy is convex, or nearly, in each vertex alone
  std::vector<uint8_t> wanted_;
  bool any_ = false, chosen_ = false;
  double most_kappa_ = 0;  // [-] the largest of all bodies
  double jacobi_share_ = jacobi_share;
};

}  // namespace sinew
