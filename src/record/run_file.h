// run.json: what was run, where, and how far it came. The only file of a run with dates in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "record/surface_store.h"

namespace sinew {

enum class RunState { running, complete, interrupted, failed };
const char* name_of(RunState state);

// What the caller knows of the run.
struct RunInfo {
  std::string scene_json;       // the scene as resolved, a JSON object
  std::string scene_folder;     // what its relative paths are against
  uint64_t scene_hash = 0;      // what a checkpoint is bound to besides meshes; 0: the hash of scene_json
  std::string version, commit;  // of Sinew
  std::string command;          // the command line
  int threads = 1, lanes = 1;   // lanes: as in sinew/lanes.h; a solver's own are in the scene
  char up = 'y';
  double frame_dt = 0;                                             // [s] between frames
  std::vector<std::pair<std::string, double>> setup_milliseconds;  // by stage
  // What numbers in frames stand for: "material rubber" is 0.
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

// The text of run.json: what changes from frame to frame in front, the rest made once.
class RunFile {
 public:
  // Errors: scene_json is not a JSON object.
  static Result<RunFile> make(const RunInfo& info, std::span<const RecordedSurface> surfaces,
                              std::span<const RecordedObject> objects);
  // Keeps the dates and notes of the run that is resumed and adds this one's date.
  Status continue_from(const std::filesystem::path& path);
  // What readers of the record should know, as a sentence; nothing is noted twice.
  void add_note(const std::string& note);
  Status save(const std::filesystem::path& path, const RunProgress& progress) const;
  // That it failed, and why; where the disk is too full for that, "running" becomes "failed" within the file that is
  // there, which takes no space.
  void save_failure(const std::filesystem::path& path, RunProgress progress, const std::string& message) const;

 private:
  std::string started_;
  std::vector<std::string> resumed_, notes_;
  std::string body_;  // the members that stay, from the second line on
};

// What run.json tells those who look into a folder. Errors: missing, not JSON, not of a run.
struct RunSummary {
  RunProgress progress;
  std::string version;
  std::string started;
  std::vector<std::string> resumed;
  std::vector<std::string> notes;  // what was changed or missing when it was resumed
  char up = 'y';
  int lanes = 0;           // SIMD lanes that it ran with last
  double frame_dt = 0;     // [s]
  std::string scene_json;  // as resolved
  std::string text;        // the whole file
};
Result<RunSummary> read_run_file(const std::filesystem::path& path);

}  // namespace sinew
