// A compiled scene with its threads, solver and state: what the facade, `run` and `compare` drive.
#pragma once

#include <memory>
#include <optional>

#include "accel/accelerator_list.h"
#include "compile/compile.h"
#include "engine/change_log.h"
#include "exec/thread_pool.h"
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

struct Engine {
  static Result<std::unique_ptr<Engine>> create(const Scene& scene, const SceneFiles& files, int threads,
                                                const ProgressListener& progress = {});

  Scene scene;
  ThreadPool pool;
  CompiledScene compiled;
  Method method;
  State state;
  // Where the present step length began to hold.
  struct Clock {
    int64_t step = 0, frame = 0;
    double time = 0;  // [s]
  } clock;
  std::vector<int32_t> live_forces;  // that were added live: which of the stepper's loads; -1: removed
  int32_t snapshots = 0;             // that were taken
  bool keeps_changes = true;
  ChangeLog log;                    // of what was changed live
  std::vector<ObjectInfo> objects;  // for those who ask

  explicit Engine(int threads) : pool(threads) {}

  double step_size() const { return scene.time.frame_dt / scene.time.substeps; }
  int64_t frame_count() const;
  int64_t frames_taken() const { return clock.frame + (state.step - clock.step) / scene.time.substeps; }
  bool at_frame() const { return (state.step - clock.step) % scene.time.substeps == 0; }
  // Of the last step's problem, or of the first one's before a step was taken. `forces`, if there, receives per slot
  // the force out of balance [N]; at held vertices minus the reaction.
  Evaluation evaluate(std::vector<Vec3d>* forces = nullptr);
  uint64_t hash() const;
};

}  // namespace sinew
