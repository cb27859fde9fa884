// The output folder of a run. See docs/output.md for what each file holds.
//
//   manifest.txt                 the names of all of these (record/manifest.h)
//   run.json                     the scene as resolved, version, machine, dates, how far it came
//   frames.pvd                   the list of frames for ParaView
//   frames/frame_000000.vtu      a frame: tetrahedra (or boundary triangles) with fields
//   surface/<object>.obj         rest surface; the caches beside it have its vertex order
//   surface/<object>.pc2, .mdd   point caches for Blender
//   surface/origin.json          what the coordinates of these three are relative to (record/origin.h)
//   surface/rest.bin, frame_000000.bin    surfaces for `sinew render`
//   stats.csv                    a row per step
//   checkpoint.bin               the state to resume from
//   film.mp4, pictures/frame_000000.png    by `sinew render`
//   stills/frame_000000.png                by `sinew render --frame`
//
// Files appear under these names whole or not at all; stats.csv grows by whole rows. A frame's number is that of the
// simulated frame: with every second one written, they are 0, 2, 4, ...
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/manifest.h"
#include "record/run_file.h"

namespace sinew {

struct OutputPaths {
  explicit OutputPaths(std::filesystem::path folder) : root(std::move(folder)) {}

  std::filesystem::path root;
  std::filesystem::path run_file() const { return root / "run.json"; }
  std::filesystem::path pvd() const { return root / "frames.pvd"; }
  std::filesystem::path stats() const { return root / "stats.csv"; }
  std::filesystem::path checkpoint() const { return root / "checkpoint.bin"; }
  std::filesystem::path frames() const { return root / "frames"; }
  std::filesystem::path surface() const { return root / "surface"; }
  std::filesystem::path lock() const { return root / ".sinew.lock"; }
  std::filesystem::path rest() const { return surface() / "rest.bin"; }
  std::filesystem::path origin() const { return surface() / "origin.json"; }
  std::filesystem::path film() const { return root / "film.mp4"; }
  std::filesystem::path pictures() const { return root / "pictures"; }
  std::filesystem::path stills() const { return root / "stills"; }
  std::filesystem::path volume_frame(int64_t frame) const { return root / volume_frame_name(frame); }
  std::filesystem::path surface_frame(int64_t frame) const { return root / surface_frame_name(frame); }
  // Relative to the folder, for frames.pvd and the manifest.
  static std::string volume_frame_name(int64_t frame);
  static std::string surface_frame_name(int64_t frame);
  static std::string picture_name(int64_t frame);
  static std::string still_name(int64_t frame);
};

// The numbers of the frames in a folder of files "frame_<number><suffix>", ascending.
std::vector<int64_t> list_frames(const std::filesystem::path& folder, const std::string& suffix);

// What lies in a folder that is to be written to.
struct FolderContent {
  enum class Kind {
    empty,  // or not there yet
    other,  // files, but no run: no manifest of one
    run,    // a run, or what is left of one
  } kind = Kind::empty;
  bool being_written = false;  // by a process that is alive
  bool has_checkpoint = false;
  std::optional<RunSummary> summary;  // where run.json can be read
};
// Errors: a file is in the way, not readable; the folder is that of another command.
Result<FolderContent> inspect_output_folder(const std::filesystem::path& folder);
// What `sinew run` says when it finds a run where none is expected: names --resume and --overwrite as they fit.
Error refuse_existing_run(const std::filesystem::path& folder, const FolderContent& content);

// Held while a run writes, so that no second one does. Given back by the system when the process ends, however it ends.
class FolderLock {
 public:
  // Errors: held by another run, the lock is a link or somebody's file.
  static Result<FolderLock> acquire(const OutputPaths& paths);
  // Makes the folder where there is none, and takes it away again where it is still empty when the lock is given back.
  // Errors: as above; a file is in the way, no permission.
  static Result<FolderLock> claim(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock() { release(); }

 private:
  FolderLock() = default;
  void release() noexcept;
  int descriptor_ = -1;
  std::filesystem::path path_;
  bool made_folder_ = false;
};

// Removes the film and its pictures, also what a killed rendering left of them, and nothing that is not on the list:
// they would pass for those of the next rendering.
Status clear_film(const Manifest& manifest);
// Removes the files of a run and what was rendered of it, and nothing that is not on the list, run.json last. For a
// holder of the lock.
Status clear_run(Manifest& manifest);

}  // namespace sinew
