// A compiled scene with its threads, solver and state: what the facade, `run` and `compare` drive.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accel/accelerator_list.h"
#include "compile/compile.h"
#include "engine/change_log.h"
#include "exec/thread_pool.h"
#include "objective/stress.h"
#include "sinew/live.h"
#include "sinew/scene.h"
#include "solver/solver_list.h"
#include "step/stepper.h"

namespace sinew {

// What replaces the scene's own solver settings, so that one compiled scene serves several solvers.
struct Method {
  const SolverInfo* solver = nullptr;
  SolveOptions options;
  std::unique_ptr<Stepper> stepper;
};

// A fault of a scene's key, with the scene's file before it: "scene.json: solver.lanes = 3 [-]: ...".
Error in_scene(const Scene& scene, const Error& fault);

// The scene's solver made ready for a model. Errors: unknown solver or accelerator, wrong options, pairs that cannot
// work, with the alternatives.
Result<Method> make_method(const SolverSettings& settings, const TimeSettings& time, const CompiledScene& compiled,
                           ThreadPool& pool, const ProgressListener& progress = {});

// [N/m] By slot, as contacts see it in steps of this length.
std::vector<double> stiffness_of_contact(const TimeSettings& time, const Model& model);
// What touches in a compiled scene, and how; null: it has no contact.
std::unique_ptr<Contacts> make_contacts(const TimeSettings& time, const CompiledScene& compiled, ThreadPool& pool);

// A force that was added live.
struct LiveForce {
  int32_t load = -1;           // which of the stepper's loads; -1: removed
  std::vector<double> shares;  // of the force, for each of its slots
  Vec3d force{};               // [N] in all
};

// Whether a simulation begins, or goes on from a checkpoint: then it is not looked at whether bodies intersect.
enum class Beginning { start, resume };

struct Engine {
  // The files are asked again when objects are added. Errors: every fault of the scene, and those of start_contact
  // (compile/contact_start.h).
  static Result<std::unique_ptr<Engine>> create(const Scene& scene, std::shared_ptr<const SceneFiles> files,
                                                std::shared_ptr<ThreadPool> threads,
                                                const ProgressListener& progress = {},
                                                Beginning beginning = Beginning::start);

  Scene scene;
  std::shared_ptr<const SceneFiles> files;
  std::shared_ptr<ThreadPool> threads;  // may be shared with other engines
  ThreadPool& pool;
  CompiledScene compiled;
  Method method;
  // Where the present step length began to hold.
  struct Clock {
    int64_t step = 0, frame = 0;
    double time = 0;  // [s]
  } clock;
  std::vector<LiveForce> live_forces;  // by handle
  std::vector<std::string> colliders;  // by handle, the names of the scene's; empty: removed
  int32_t snapshots = 0;               // that were taken
  bool keeps_changes = true;
  std::vector<SceneMaterial> built_for;         // the materials that the solver's layouts were built with
  std::vector<double> stiffness_squares;        // of the model's blocks (objective.h), once a modulus has changed
  std::optional<ElementStress> element_stress;  // of the model, once somebody has asked for a stress
  ChangeLog log;                                // of what was changed live
  std::vector<ObjectInfo> objects;              // of the model, and which of them are on
  std::optional<Ties> all_ties;  // of the model, where objects that are off leave out some; none: all are in it

  explicit Engine(std::shared_ptr<ThreadPool> pool_of) : threads(std::move(pool_of)), pool(*threads) {}

  // The state, and the state to be changed; fetched from where the solver keeps it (Stepper::step_leaving).
  const State& state() const;
  State& change_state();
  // Errors: the device failed that keeps it.
  Status fetch_state() const { return method.stepper->fetch(state_); }
  int64_t step() const { return state_.step; }
  double time() const { return state_.time; }  // [s]
  // Takes a step. Errors: those of Stepper::step.
  Result<StepReport> advance() { return method.stepper->step_leaving(state_); }

  double step_size() const { return scene.time.frame_dt / scene.time.substeps; }
  int64_t frame_count() const;
  int64_t frames_taken() const { return clock.frame + (step() - clock.step) / scene.time.substeps; }
  bool at_frame() const { return (step() - clock.step) % scene.time.substeps == 0; }
  // Of the last step's problem, or of the first one's before a step was taken. `forces`, if there, receives per slot
  // the force out of balance [N]; at held vertices minus the reaction.
  Evaluation evaluate(std::vector<Vec3d>* forces = nullptr);
  uint64_t hash() const;

 private:
  mutable State state_;
};

// What drives a simulation, for the rooms above.
class Simulation;
Engine& engine_of(const Simulation& simulation);

}  // namespace sinew
