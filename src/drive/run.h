// `sinew run`: a scene from its start, or from a checkpoint, to an output folder.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "record/run_file.h"
#include "sinew/report.h"
#include "sinew/scene.h"

namespace sinew {

struct RunOptions {
  std::filesystem::path folder;
  std::optional<int64_t> frames;                 // instead of the scene's duration
  int threads = 0;                               // 0: one per core
  bool resume = false;                           // go on from the folder's checkpoint
  bool overwrite = false;                        // replace a run that is there
  std::string command;                           // kept in run.json
  const std::atomic<bool>* interrupt = nullptr;  // set: end at the last whole frame, with everything written
};

// After set-up, before the first step.
struct RunStart {
  int32_t vertices = 0, tets = 0;
  int32_t triangles = 0;  // of these tets, those that stand for triangles of plane bodies
  int32_t colors = 0;
  int threads = 1;
  int64_t first_frame = 0, last_frame = 0;  // frames already there, frames asked for
  std::vector<CompileStage> stages;
  std::vector<std::string> warnings;
};

// After each frame.
struct RunProgressReport {
  int64_t frame = 0, last_frame = 0;
  double time = 0;  // [s] simulated
  Evaluation evaluation;
  StageTimes milliseconds;  // of the frame's steps
  double write_milliseconds = 0;
  int iterations = 0;  // of the frame's steps
};

struct RunListener {
  ProgressListener on_setup;       // while it is set up
  std::function<void()> on_write;  // scene and folder are good: what goes wrong from here on is not the user's input
  std::function<void(const RunStart&)> on_start;
  std::function<void(const RunProgressReport&)> on_frame;
};

struct RunOutcome {
  RunState state = RunState::complete;
  int64_t last_frame = 0;
  // Of the steps that were taken now, not of those before a resume; stats.csv has all.
  int64_t steps = 0;
  int64_t missed = 0;         // steps whose iterations or time were used up before the tolerance they had
  int64_t stalled = 0;        // steps that came to a standstill before it
  int64_t diverged = 0;       // the record of a run with such steps is not to be trusted from there on
  double diverged_since = 0;  // [s] the end of the first one
  // Steps whose residual is known at both ends: where it is tested, and now and then where it is not; and of those the
  // ones that did not diverge and left it above ten times the first (drive/raised_residual.h).
  int64_t watched = 0, raised = 0;
  CorrectionCounts corrections;     // of all steps; the nodes are those of the last one that had any
  std::vector<std::string> ills;    // what looks wrong at the end, with a remedy (drive/run_health.h)
  uint64_t hash = 0;                // of the final state
  double opening_milliseconds = 0;  // to measure and write what there is before the first step
};

// Errors: what is wrong with scene or folder, a full disk, a state that is not finite (frames and checkpoint before it
// stay, and run.json says why it failed).
Result<RunOutcome> run_scene(const Scene& scene, const RunOptions& options, const RunListener& listener);

}  // namespace sinew
