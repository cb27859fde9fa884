// One time step, in this sequence:
//   pins(t+h) -> loads(t+h) -> grabs -> x_prev = x -> inertial target (quasistatic: none) -> initial guess
//   -> colliders(t+h), what may touch
//   -> loop { solver -> accelerator -> what may touch, if due -> residual if asked for -> stop? } -> velocities ->
//   report
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "contact/contacts.h"
#include "exec/thread_pool.h"
#include "model/model.h"
#include "model/step_problem.h"
#include "model/step_rules.h"
#include "objective/partial_gradient.h"
#include "sinew/report.h"
#include "solver/options.h"
#include "solver/resident_state.h"
#include "step/body_guess.h"
#include "step/collider_script.h"
#include "step/grab_script.h"
#include "step/grid_motion.h"
#include "step/load_script.h"
#include "step/script.h"

namespace sinew {

class Accelerator;
class Objective;
class Solver;

// The force on a vertex that pins hold.
struct Reaction {
  int32_t slot;
  int32_t pin;  // its holder, by index in the list of pins
  Vec3d force;  // [N] on the body
};

class Stepper {
 public:
  struct Settings {
    bool quasistatic = false;
    double h = 1.0 / 60;  // [s]; in quasistatics, also the clock of the scripts advances by it
    SolveOptions solve;
  };

  // The model, the pool and the pins must outlive the stepper. `accelerator` may be null.
  Stepper(const Model& model, std::vector<PinScript> pins, const Settings& settings, std::unique_ptr<Solver> solver,
          std::unique_ptr<Accelerator> accelerator, ThreadPool& pool);
  ~Stepper();

  // Replaces the loads that are not in the model, from the next step on.
  void set_loads(std::vector<LoadScript> loads) { loads_ = std::move(loads); }
  // What may touch, from the next step on; null: nothing.
  void set_contacts(std::unique_ptr<Contacts> contacts, std::vector<ColliderScript> colliders);
  const Contacts* contacts() const { return contacts_.get(); }
  // What contacts keep from step to step (Contacts::save); empty without contact. To be restored with its state.
  std::string save_contacts() const { return contacts_ ? contacts_->save() : std::string(); }
  bool restore_contacts(std::string_view bytes) { return contacts_ ? contacts_->restore(bytes) : bytes.empty(); }
  // The same surface with other rules.
  void replace_contacts(std::unique_ptr<Contacts> contacts);
  // Goes on with what contacts kept on the surface of another stepper, from the time of `state` on.
  void take_contacts_of(const Stepper& earlier, const SurfaceMap& map, const State& state);
  void set_contact_stiffness(std::vector<double> stiffness);  // Contacts::set_stiffness
  // Pins, loads, grabs and the motions of colliders may be changed between steps. After adding a pin or slots to one,
  // call pins_added().
  std::vector<PinScript>& pins() { return pins_; }
  std::vector<LoadScript>& loads() { return loads_; }
  std::vector<GrabScript>& grabs() { return grabs_; }
  std::vector<ColliderScript>& colliders() { return colliders_; }
  // Where colliders are: with the guarantee where they have got to, else where their scripts have them at that time.
  // Points and planes as in place_colliders.
  void colliders_at(double time, std::span<Vec3d> points, std::span<ContactPlane> planes) const;
  void pins_added();
  // Slots of vertices that take no part: they are held where they are, whatever pins say. Ascending.
  void set_idle(std::vector<int32_t> slots) {
    idle_ = std::move(slots);
    holds_as_before_ = false;
  }
  // Counts steps by this stepper's length from here on, after steps of another length. `step`: the steps taken so far.
  void set_clock(int64_t step, double time) {
    clock_step_ = step;
    clock_time_ = time;
  }
  // To be called when the state was replaced and the problem of the last step no longer belongs to it.
  void forget_problem() { problem_.held.clear(); }
  // Takes over the stiffness and damping of the model's blocks (Solver::take_parameters). false: needs another stepper.
  bool take_parameters();
  void set_observer(Observer* observer) { observer_ = observer; }
  Observer* observer() const { return observer_; }
  // Ends the steps that follow at other residuals (SolveOptions).
  void set_tolerances(double absolute, double relative) {
    settings_.solve.tolerance = absolute;
    settings_.solve.relative_tolerance = relative;
  }
  // Tested before each iteration; if it is true the step is abandoned. May be null.
  void set_stop(const std::atomic<bool>* stop) { stop_ = stop; }

  // Embeds the vertices of model.grid in one; by default they are not. Between steps only.
  void set_grid(GridRules rules) { grid_ = std::make_unique<GridMotion>(model_, std::move(rules)); }

  // Advances the state by one step; where vertices on a grid are too fast for one, in equal parts. If the result is not
  // finite the state is unchanged, and the Error names the step, the first vertex (in the user's order) and a remedy.
  // The state is also unchanged if the step was abandoned. What contacts keep is then as it was too.
  Result<StepReport> step(State& state);
  // The same, but x, v and fall may stay where the solver computes until they are fetched; the time and the number of
  // steps are always here. If one of the three was changed here since the last step, state_changed() must be called.
  Result<StepReport> step_leaving(State& state);
  void state_changed() { kept_ = state_behind_ = false; }
  // Errors: the device failed. Then the state is that of the last time it was fetched.
  Status fetch(State& state);

  // The last step at its end, where the solver keeps the state and its objective; `forces` as of Objective::evaluate.
  std::optional<Evaluation> evaluate_there(std::vector<Vec3d>* forces);

  // The problem of the last step and its solver, for measurements.
  const StepProblem& problem() const;
  // The problem of the last step; before the first step, the problem that `state` poses.
  const StepProblem& problem_at(const State& state);
  const Solver& solver() const { return *solver_; }

  // The forces that hold the pinned vertices at the end of the last step, by slot. Together with all other forces on
  // the vertex they give it the acceleration that its pin imposes,
  //   reaction = m a + dPsi/dx + damping - f_ext;   a = (v - v_prev) / h, 0 in quasistatics and before the first step.
  // Idle vertices have none. `gradient` [N]: of that step's objective at the state's positions, unconstrained
  // (Objective::evaluate).
  std::vector<Reaction> reactions(const State& state, std::span<const Vec3d> gradient) const;
  // The same out of the elements at these vertices; before the first step, with the problem that `state` poses.
  std::vector<Reaction> reactions(const State& state);

 private:
  Result<StepReport> advance(State& state);
  double part_length() const { return settings_.h / static_cast<double>(parts_); }
  double end_of_part(int64_t step) const;
  bool stays_there() const;
  Result<StepReport> advance_there(State& state);
  StepScripts pose_there(const State& state);
  bool only_iterates() const;
  void fetch_accelerations() const;
  void outline(const State& state);
  void follow_pins();
  void predict(const State& state);
  StepStart start_of(const State& state, size_t slot) const;
  Status pose_grid(const State& state);
  void evaluate_loads(const State& state, double end);
  void guess(const State& state);
  void mend_guess(const State& state);
  void pose_contacts(const State& state);
  const std::vector<Vec3d>& expected();
  void look_for_contacts(StepReport& report, int iterations);
  void detect(std::span<const Vec3d> from, std::span<const Vec3d> to, StepReport& report);
  void note_detection(StepReport& report) const;
  bool start_apart(bool carried, StepReport& report);
  void keep_apart(const Objective& objective, StepReport& report, int iterations);
  int64_t follow_scripts(std::span<const Vec3d> from);
  void accelerate(int iteration);
  Vec3d stored(Vec3d x) const;
  Vec3d limited(size_t slot, Vec3d from, Vec3d to, StoppedBy& by) const;
  std::optional<SolveStatus> solve(int64_t step, StepReport& report);  // none: abandoned
  void finish(State& state);
  double time_of(int64_t step) const { return clock_time_ + static_cast<double>(step - clock_step_) * settings_.h; }
  StepEnd step_end() const;
  Status judge(const StepEnd& end, StepReport& report) const;
  double least_motion();
  double force_resolution(double motion);
  double external_norm();
  double largest_residual();
  Evaluation evaluate_current(bool tested);
  double distance_since_test() const;
  void notify(int64_t step, int iteration, double milliseconds, const Evaluation& evaluation);
  static Error interrupted(int64_t step);
  Error non_finite(int64_t step) const;

  const Model& model_;
  std::vector<uint8_t> is_middle_;  // by slot; empty: no tet is quadratic
  BodyGuess body_guess_;
  std::vector<PinScript> pins_;
  std::vector<LoadScript> loads_;
  std::vector<GrabScript> grabs_;
  std::unique_ptr<Contacts> contacts_;
  std::vector<ColliderScript> colliders_;
  std::vector<Vec3d> expected_;   // x_start, where there is a grid
  std::vector<Vec3d> looked_at_;  // the positions of the last detection
  int next_look_ = 0;             // the iterations after which contacts are looked for again
  // Where vertices of surfaces were before the accelerator.
  std::tuple<std::vector<Vec4<float>>, std::vector<Vec4<double>>> before_accelerated_;
  LimitCounts limited_;          // since then, by solver, accelerators and guesses
  int64_t unreached_ = 0;        // scripted vertices on their way
  std::vector<int32_t> pinned_;  // the slots of all pins, ascending
  // [m/s^2] of each of those in the last step
  mutable std::vector<Vec3d> pinned_acceleration_;
  std::optional<PartialGradient> at_pins_;  // at those slots, once reactions were asked for
  std::vector<int32_t> idle_;               // slots
  std::unique_ptr<GridMotion> grid_;        // null: there is no grid
  int64_t part_ = 0, parts_ = 1;            // of the step
  Settings settings_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Accelerator> accelerator_;
  ThreadPool& pool_;
  Observer* observer_ = nullptr;
  const std::atomic<bool>* stop_ = nullptr;

  struct StiffnessNorms {
    double bodies, ties;  // [N/m]
  };
  std::optional<StiffnessNorms> stiffness_norms_;  // if a residual was needed
  int64_t clock_step_ = 0;
  double clock_time_ = 0;  // [s] at that step
  mutable StepProblem problem_;

  // Of a solver that keeps the state itself.
  bool kept_ = false;             // it has that of the last step
  bool posed_there_ = false;      // the last problem was posed there
  bool holds_as_before_ = false;  // problem_.held is right but for pinned vertices
  std::atomic<bool> state_behind_{false};
  mutable std::atomic<bool> problem_behind_{false}, accelerations_behind_{false};  // what is here of these
  mutable std::mutex fetching_;  // by those who read the state between steps
  int64_t fetched_step_ = 0;     // of the state that is here
  double fetched_time_ = 0;
  std::vector<ScriptedVertex> scripted_;  // by `pinned_`

  std::vector<Vec3d> tested_at_;  // the positions of the last test in this step; empty: none
  double motion_ = 0;             // [m] at the last test, since the one before: 2-norm
  std::vector<Vec3d> x_;          // the iterate in double precision; the state keeps its own until the step succeeds
  std::vector<Real3> user_positions_;
};

}  // namespace sinew
