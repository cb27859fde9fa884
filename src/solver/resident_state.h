// The state of the bodies where a solver computes: a device (cuda/device.h) keeps it from step to step, and does what
// comes before and after the iterations of a step by the rules of the CPU (model/step_rules.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/model.h"
#include "model/step_problem.h"
#include "model/step_rules.h"
#include "sinew/report.h"

namespace sinew {

// A vertex of a pin, in a step.
struct ScriptedVertex {
  Vec3d target;  // [m] if it is held
  int32_t slot;
  int32_t held;

  bool operator==(const ScriptedVertex& o) const {
    return target.x == o.target.x && target.y == o.target.y && target.z == o.target.z && slot == o.slot &&
           held == o.held;
  }
};

struct StepScripts {
  std::span<const ScriptedVertex> vertices;  // by ascending slot, the same ones as long as no pin is added
  std::span<const int32_t> idle;             // slots that stay where they are, whatever pins say
  int initial_guess;                         // InitialGuess
  double h;                                  // [s] of the step, in quasistatics too
};

class ResidentState {
 public:
  virtual ~ResidentState() = default;

  // Takes over x, v and fall.
  virtual void take(const State& state) = 0;
  // Gives them as the last step left them. Errors: of the device, as everywhere here.
  virtual Status give(State& state) const = 0;
  // Gives x_prev and x_target of the step, by slot.
  virtual Status give(StepProblem& problem) const = 0;
  // [m/s^2] Gives what the last step imposed on the vertices of its scripts.
  virtual Status give(std::span<Vec3d> accelerations) const = 0;

  // Poses a step that has neither grabs nor contacts nor loads that change, and begins that of the solver.
  // problem: without x_prev, x_start and x_target, which are found here.
  virtual void pose_step(const StepProblem& problem, const StepScripts& scripts) = 0;
  // The step with so many iterations, at the cost of one launch. false: not this one, and it is still to
  // be posed.
  static constexpr int most_iterations = 200;
  virtual bool whole_step(const StepProblem& problem, const StepScripts& scripts, int iterations) = 0;
  // At the iterate of the step that was posed last; none: the objective is the CPU's. `tested`: the next motion counts
  // from here.
  struct Tested {
    Evaluation evaluation;
    double motion;  // [m] the 2-norm of the change of positions since the last test of the step; infinite at the first
  };
  virtual std::optional<Tested> evaluate(bool tested) = 0;
  // Of the last step, where it has brought the bodies. `forces`, unless null, receives the forces without zeroing, by
  // slot (Objective::evaluate).
  virtual std::optional<Evaluation> evaluate_end(std::vector<Vec3d>* forces) = 0;
  // 2-norms: [m] of the positions of the iterate, and [N] of the external forces on free vertices.
  struct Norms {
    double positions, external;
  };
  virtual Norms norms() = 0;

  // Waits for the iterations, and takes over what they found unless some of it is lost.
  virtual Result<StepEnd> end_step() = 0;
};

}  // namespace sinew
