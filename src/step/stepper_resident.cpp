// Steps of a solver that keeps the state itself (solver/resident_state.h): what comes before and after the iterations
// is done there, and what is read here is fetched when it is asked for.
#include <algorithm>

#include "accel/accelerator.h"
#include "base/stopwatch.h"
#include "solver/solver.h"
#include "step/stepper.h"

namespace sinew {

// What a step finds at single vertices on the CPU, such as grabs, needs the state here.
bool Stepper::stays_there() const {
  if (!solver_->resident() || grid_ || contacts_ || !loads_.empty() || !model_.middles.empty()) return false;
  if (!std::all_of(grabs_.begin(), grabs_.end(), [](const GrabScript& grab) { return is_removed(grab); })) return false;
  return std::all_of(pinned_.begin(), pinned_.end(),
                     [&](int32_t s) { return model_.mass[static_cast<size_t>(s)] > 0; });
}

// Whether nobody looks at the step before its end.
bool Stepper::only_iterates() const {
  const SolveOptions& options = settings_.solve;
  if (options.iterations > ResidentState::most_iterations) return false;
  return !observer_ && !accelerator_ && options.tolerance == 0 && options.relative_tolerance == 0 &&
         options.time_budget == 0;
}

// Poses the problem but for what it has by slot.
StepScripts Stepper::pose_there(const State& state) {
  const auto slots = static_cast<size_t>(model_.slot_count());
  outline(state);
  problem_.x_target.resize(slots);
  const auto release = [&](size_t s) { problem_.held[s] = model_.mass[s] == 0; };
  if (holds_as_before_ && problem_.held.size() == slots) {
    for (const int32_t s : pinned_) release(static_cast<size_t>(s));
  } else {
    problem_.held.resize(slots);
    pool_.for_each(model_.slot_count(), release);
  }
  posed_there_ = true;
  holds_as_before_ = true;
  follow_pins();
  scripted_.clear();
  for (const int32_t slot : pinned_) {
    const auto s = static_cast<size_t>(slot);
    scripted_.push_back({problem_.held[s] ? problem_.x_target[s] : Vec3d{}, slot, problem_.held[s]});
  }
  problem_behind_ = true;
  return {scripted_, idle_, settings_.solve.initial_guess, part_length()};
}

Result<StepReport> Stepper::advance_there(State& state) {
  ResidentState& there = *solver_->resident();
  const SolveOptions& options = settings_.solve;
  StepReport report;
  report.step = state.step + 1;
  report.time = end_of_part(report.step);

  Stopwatch predicting;
  if (!kept_) there.take(state);
  kept_ = true;
  const StepScripts scripts = pose_there(state);
  if (Status s = solver_->check_step(problem_); !s) return s.error();
  if (stop_ && stop_->load(std::memory_order_relaxed)) return interrupted(report.step);
  Stopwatch solving;
  const bool whole = only_iterates() && there.whole_step(problem_, scripts, options.iterations);
  if (whole) {
    report.iterations = options.iterations;
    report.status = SolveStatus::budget;
  } else {
    there.pose_step(problem_, scripts);
    report.milliseconds.predict = predicting.milliseconds();
    const std::optional<SolveStatus> status = solve(report.step, report);
    if (!status) return interrupted(report.step);
    report.status = *status;
  }

  Stopwatch finishing;
  const Result<StepEnd> end = there.end_step();
  if (!end) return end.error();
  if (end->lost > 0) {  // whose positions are named
    x_.resize(problem_.unknown_count());
    solver_->positions(x_);
  }
  if (Status s = judge(*end, report); !s) return s.error();
  if (!state_behind_) {
    fetched_step_ = state.step;
    fetched_time_ = state.time;
  }
  state.step = report.step;
  state.time = report.time;
  state_behind_ = accelerations_behind_ = true;
  if (whole) {
    report.milliseconds.predict = predicting.milliseconds() - solving.milliseconds();
    report.milliseconds.solve = solving.milliseconds();
  } else {
    report.milliseconds.velocities = finishing.milliseconds();
  }
  return report;
}

Status Stepper::fetch(State& state) {
  if (!state_behind_) return {};
  const std::lock_guard lock(fetching_);
  if (!state_behind_) return {};
  if (Status s = solver_->resident()->give(state); !s) {
    state.step = fetched_step_;
    state.time = fetched_time_;
    return s;
  }
  state_behind_ = false;
  return {};
}

std::optional<Evaluation> Stepper::evaluate_there(std::vector<Vec3d>* forces) {
  if (!kept_ || !posed_there_ || problem_.held.empty()) return {};
  const std::lock_guard lock(fetching_);
  return solver_->resident()->evaluate_end(forces);
}

const StepProblem& Stepper::problem() const {
  if (!problem_behind_) return problem_;
  const std::lock_guard lock(fetching_);
  if (problem_behind_ && solver_->resident()->give(problem_)) problem_behind_ = false;
  return problem_;
}

void Stepper::fetch_accelerations() const {
  if (!accelerations_behind_) return;
  const std::lock_guard lock(fetching_);
  if (accelerations_behind_ && solver_->resident()->give(pinned_acceleration_)) accelerations_behind_ = false;
}

}  // namespace sinew
