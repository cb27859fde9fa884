// The output folder of a run. See docs/output.md for what each file holds.
//
//   manifest.txt                 the names of all these files (record/manifest.h)
//   run.json                     the scene as resolved, version, machine, dates, progress
//   frames.pvd                   the list of frames for ParaView
//   frames/frame_000000.vtu      a frame: tetrahedra (or boundary triangles) with fields
//   contacts.pvd                 the list of their contacts, if these are recorded
//   contacts/frame_000000.vtp    the contacts of a frame
//   surface/<object>.obj         rest surface; its caches have the same vertex order
//   surface/<object>.pc2, .mdd   point caches for Blender
//   surface/<collider>.obj, ...  the same of colliders made of triangles; caches of those that move
//   surface/origin.json          origin of the coordinates of these three (record/origin.h)
//   surface/rest.bin, colliders.bin, frame_000000.bin    surfaces for `sinew render`
//   stats.csv                    one row per step
//   checkpoint.bin               the state to resume from
//   film.mp4, pictures/frame_000000.png    by `sinew render`
//   stills/frame_000000.png                by `sinew render --frame`
//
// Files appear whole or not at all; stats.csv grows by whole rows. Files are numbered by simulated frame: 0, 2, 4, ...
// if every second one is written.
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
#include "sinew/folder.h"

namespace sinew {

struct OutputPaths {
  explicit OutputPaths(std::filesystem::path folder) : root(std::move(folder)) {}

  std::filesystem::path root;
  std::filesystem::path run_file() const { return root / "run.json"; }
  std::filesystem::path pvd() const { return root / "frames.pvd"; }
  std::filesystem::path contacts_pvd() const { return root / "contacts.pvd"; }
  std::filesystem::path contacts() const { return root / "contacts"; }
  std::filesystem::path stats() const { return root / "stats.csv"; }
  std::filesystem::path checkpoint() const { return root / "checkpoint.bin"; }
  std::filesystem::path frames() const { return root / "frames"; }
  std::filesystem::path surface() const { return root / "surface"; }
  std::filesystem::path lock() const { return root / ".sinew.lock"; }
  std::filesystem::path rest() const { return surface() / "rest.bin"; }
  std::filesystem::path colliders() const { return surface() / "colliders.bin"; }
  std::filesystem::path origin() const { return surface() / "origin.json"; }
  std::filesystem::path film() const { return root / "film.mp4"; }
  std::filesystem::path pictures() const { return root / "pictures"; }
  std::filesystem::path stills() const { return root / "stills"; }
  std::filesystem::path volume_frame(int64_t frame) const { return root / volume_frame_name(frame); }
  std::filesystem::path surface_frame(int64_t frame) const { return root / surface_frame_name(frame); }
  std::filesystem::path contact_frame(int64_t frame) const { return root / contact_frame_name(frame); }
  // Relative to the folder, for frames.pvd and the manifest.
  static std::string volume_frame_name(int64_t frame);
  static std::string contact_frame_name(int64_t frame);
  static std::string surface_frame_name(int64_t frame);
  static std::string picture_name(int64_t frame);
  static std::string still_name(int64_t frame);
};

// The numbers of the frames in a folder of files "frame_<number><suffix>", ascending.
std::vector<int64_t> list_frames(const std::filesystem::path& folder, const std::string& suffix);

// The content of a folder before writing to it.
struct FolderContent {
  enum class Kind {
    empty,  // or does not exist
    other,  // files, but not a run: no manifest
    run,    // a run, or the rest of one
  } kind = Kind::empty;
  bool being_written = false;  // by a live process
  bool has_checkpoint = false;
  std::optional<RunSummary> summary;  // if run.json can be read
};
// Errors: a file is in the way, not readable; the folder belongs to another command.
Result<FolderContent> inspect_output_folder(const std::filesystem::path& folder);
// The error of `sinew run` on an existing run: suggests --resume and --overwrite as they apply.
Error refuse_existing_run(const std::filesystem::path& folder, const FolderContent& content);

// Removes the film and its pictures, including those of a killed rendering, if listed: they could be mistaken for those
// of the next rendering.
Status clear_film(const Manifest& manifest);
// Removes the listed files of a run and its renderings, run.json last. The caller must hold the lock.
Status clear_run(Manifest& manifest);

}  // namespace sinew
