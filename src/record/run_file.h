// run.json: the scene, the machine and the progress of a run. Its only file with dates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "record/collider_store.h"
#include "record/surface_store.h"

namespace sinew {

enum class RunState { running, complete, interrupted, failed };
const char* name_of(RunState state);

// The caller's information on the run.
struct RunInfo {
  std::string scene_json;    // the scene as resolved, a JSON object
  std::string scene_folder;  // base of its relative paths
  uint64_t scene_hash = 0;   // identity of the scene for checkpoints, in addition to meshes; 0: the hash of scene_json
  std::string version, commit;  // of Sinew
  std::string command;          // the command line
  int threads = 1, lanes = 1;   // lanes: as in sinew/lanes.h; a solver's own setting is in the scene
  char up = 'y';
  double frame_dt = 0;                                             // [s] between frames
  std::vector<std::pair<std::string, double>> setup_milliseconds;  // by stage
  // The meaning of numbers in frames: "material rubber" is 0.
  std::vector<std::pair<std::string, int32_t>> numbers;
};

struct RunProgress {
  RunState state = RunState::running;
  int64_t last_frame = -1;  // -1: none yet
  int64_t frames_written = 0;
  double time = 0;  // [s]
  int64_t step = 0;
  std::string message;  // why a failed run failed
};

// The text of run.json: first the part that changes with each frame; the rest is generated once.
class RunFile {
 public:
  // Errors: scene_json is not a JSON object.
  static Result<RunFile> make(const RunInfo& info, std::span<const RecordedSurface> surfaces,
                              std::span<const RecordedObject> objects, std::span<const RecordedCollider> colliders);
  // Keeps the dates and notes of the resumed run and adds this one's date.
  Status continue_from(const std::filesystem::path& path);
  // Adds a sentence for readers of the record; duplicates are ignored.
  void add_note(const std::string& note);
  Status save(const std::filesystem::path& path, const RunProgress& progress) const;
  // Records the failure and its reason; on a full disk, replaces "running" by "failed" within the existing file, which
  // takes no space.
  void save_failure(const std::filesystem::path& path, RunProgress progress, const std::string& message) const;

 private:
  std::string started_;
  std::vector<std::string> resumed_, notes_;
  std::string body_;  // the members that stay, from the second line on
};

// The content of run.json for readers of a folder. Errors: missing, not JSON, not of a run.
struct RunSummary {
  RunProgress progress;
  std::string version;
  std::string started;
  std::vector<std::string> resumed;
  std::vector<std::string> notes;  // changes and missing parts when it was resumed
  char up = 'y';
  int lanes = 0;           // SIMD lanes of the latest start
  double frame_dt = 0;     // [s]
  std::string scene_json;  // as resolved
  std::string text;        // the whole file
};
Result<RunSummary> read_run_file(const std::filesystem::path& path);

}  // namespace sinew
