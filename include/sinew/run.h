// Runs of a scene: all its frames, with everything that is measured, into a folder or into memory. For a loop of one's
// own, see sinew/simulation.h.
//
//   auto scene = sinew::read_scene("bar.json");
//   auto run = sinew::run_scene(*scene, {.folder = "out/bar"}, {.on_frame = [](const sinew::RunFrame& f) {
//     std::printf("%lld: %g N\n", (long long)f.frame, f.evaluation.residual);
//   }});
//   for (const std::string& warning : run->warnings) ...
//
// docs/output.md describes the folder. A folder is resumed bit for bit after it was interrupted or killed.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/progress.h"
#include "sinew/real3.h"
#include "sinew/report.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

struct RunOptions {
  std::filesystem::path folder = {};             // empty: nothing is written
  std::optional<int64_t> frames = {};            // instead of the scene's duration
  int threads = 0;                               // 0: one per core; results do not depend on it
  bool resume = false;                           // continue from the folder's checkpoint
  bool overwrite = false;                        // replace the run in the folder
  std::string command = {};                      // what made the run, for readers of run.json
  bool keep_frames = false;                      // in RunOutcome::frames: each frame that would be written
  const std::atomic<bool>* interrupt = nullptr;  // set it to stop, even within a step
};

// What a stage of the set-up took.
struct SetupStage {
  std::string name;
  double milliseconds = 0;
  int64_t bytes = 0;  // of memory for its results
};

// After the set-up, before the first step.
struct RunStart {
  int32_t vertices = 0, tets = 0;
  int32_t triangles = 0;  // of these tets, those that stand for triangles of plane bodies
  int32_t colors = 0;
  int threads = 1;
  int64_t first_frame = 0, last_frame = 0;  // the frame to continue from, and the one to reach
  std::vector<SetupStage> stages;
  std::vector<std::string> notes;     // what was chosen for contact
  std::vector<std::string> warnings;  // of the scene, and of what a resumed folder lacks
};

// After each frame, when it is written.
struct RunFrame {
  int64_t frame = 0, last_frame = 0;
  double time = 0;          // [s] simulated
  Evaluation evaluation;    // of its end
  StageTimes milliseconds;  // of its steps
  double write_milliseconds = 0;
  int iterations = 0;  // of its steps
  // [m] and [m/s] in the user's order, if the observer wants them; valid during the call.
  const std::vector<Real3>* positions = nullptr;
  const std::vector<Real3>* velocities = nullptr;
};

struct RunObserver {
  Listener<Progress> on_setup = {};
  // Scene and folder are good: an Error from here on is not the fault of the input.
  std::function<void()> on_write = {};
  Listener<RunStart> on_start = {};
  Listener<StepReport> on_step = {};
  Listener<RunFrame> on_frame = {};
  bool wants_positions = false;  // in on_frame
};

// A frame in memory, in the user's order of vertices.
struct KeptFrame {
  int64_t frame = 0;
  double time = 0;                // [s]
  std::vector<Real3> positions;   // [m]
  std::vector<Real3> velocities;  // [m/s]
};

struct RunOutcome {
  // Before the last frame. What is there ends with a whole frame, from which the folder can be resumed.
  bool interrupted = false;
  int64_t last_frame = 0;
  // Of all steps, also those before a resume that stats.csv has.
  int64_t steps = 0;
  int64_t missed = 0;         // steps that used up their iterations or time before reaching their tolerance
  int64_t stalled = 0;        // steps that came to a standstill before it
  int64_t diverged = 0;       // the frames from the first such step on are not to be trusted
  double diverged_since = 0;  // [s] the end of that step
  // Steps taken now whose residual is known at both ends, and of those the ones that ended above ten times the first
  // residual without having diverged.
  int64_t watched = 0, raised = 0;
  CorrectionCounts corrections;              // of all steps; the nodes are those of the last one that had any
  std::vector<std::string> warnings;         // what makes the result doubtful, with a remedy
  std::vector<std::string> notes;            // what can be improved: steps that ended early or with a raised residual
  std::vector<std::filesystem::path> files;  // of the run, that are in the folder now, by name
  std::vector<KeptFrame> frames;             // with keep_frames: the first state, unless resumed, and the frames
  uint64_t hash = 0;                         // of the final state; equal for runs that are bit-identical
  double opening_milliseconds = 0;           // of measuring and writing before the first step
};

// Errors: every fault of the scene; a folder that has a run (without resume or overwrite), no run (with resume),
// another scene's run, files of others or links in the way; an interrupt of the set-up, which leaves nothing; a full
// disk; a state that is not finite. After the last two, the frames and the checkpoint before stay, and run.json has the
// reason.
Result<RunOutcome> run_scene(const Scene& scene, const RunOptions& options, const RunObserver& observer = {});

}  // namespace sinew
