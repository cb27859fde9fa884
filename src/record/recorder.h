// Writes a run into its output folder (output_folder.h): frames, caches, statistics, checkpoints.
//
//   Result<Recorder> recorder = Recorder::create(description);      or Recorder::resume(description)
//   recorder->write_frame(frame 0)
//   each step: recorder->add_stats(row);  each frame: write_frame(...);  if (checkpoint_due(frame))
//   write_checkpoint(...) recorder->finish(RunState::complete)
//
// Input is in the solver's order, as stored in memory; files are in the user's order. A killed run leaves only complete
// frames, and the frames of a run resumed from a checkpoint are bit-identical to those of an uninterrupted one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "files/vtu_writer.h"
#include "io/pvd.h"
#include "model/model.h"
#include "record/checkpoint.h"
#include "record/collider_store.h"
#include "record/frame_data.h"
#include "record/output_folder.h"
#include "record/run_file.h"
#include "record/stats.h"
#include "record/surface_measures.h"
#include "record/surface_store.h"
#include "sinew/scene.h"

namespace sinew {

// Optional fields of these frames.
struct VtuFields {
  bool stress = false, principal_stress = false, von_mises = false;  // of cells; of points in surface frames
  bool reaction = false, pinned = false;                             // of points

  bool of_stress() const { return stress || principal_stress || von_mises; }
};

struct RecorderOptions {
  VtuFrames vtu = VtuFrames::volume;
  VtuFields fields{};
  bool contacts = false;  // a file of them with each frame, also where there are none
  int every = 1;          // write each n-th frame
  bool pc2 = true;        // point caches for Blender
  bool mdd = false;
  int checkpoint_every = 10;  // frames; 0: only on request
  bool in_double = false;     // all numbers of frames, if the run computes in double precision
};

struct RunDescription {
  std::filesystem::path folder;
  bool overwrite = false;  // replace an existing run
  // The last frame that the run can reach: unlisted files of later frames are not in its way. Absent: unknown.
  std::optional<int64_t> last_frame;
  // Changes relative to the resumed run; stored in run.json with the frame.
  std::vector<std::string> changes;
  const Model* model = nullptr;  // of all objects; must outlive the recorder
  std::vector<RecordedObject> objects;
  std::vector<RecordedCollider> colliders;  // without names of files and places in frames
  std::vector<int32_t> regions;             // label of each tet, in the user's order; or empty
  std::vector<int32_t> material_of_block;   // index of the material of each of the model's blocks; or empty
  std::vector<int32_t> fibre_tets;          // the user's tet of each fibre among the model's ties, in order
  StatsColumns columns;                     // of stats.csv
  RunInfo info;
  RecorderOptions options;
  ThreadPool* pool = nullptr;
  // The checkpoint of the folder where it is of the same scene, but not in the model's order of vertices and tets,
  // brought into that. Only resume calls it. May be empty.
  std::function<Result<Checkpoint>()> checkpoint_in_other_order;
  // Called after all checks and before anything is written: later errors are write errors. May be empty.
  std::function<void()> on_write;
};

// The identity of a run's checkpoints: the version, the scene and the meshes.
CheckpointIdentity identity_of(const RunDescription& description);

class Recorder {
 public:
  // Creates the folder and writes everything known before the first frame.
  // Errors: the folder holds a run (without `overwrite`), belongs to another command, holds files that would be
  // replaced but are links or not the run's own, is being written, cannot be written; scene_json is not JSON.
  static Result<Recorder> create(const RunDescription& description);
  // Loads the checkpoint and removes everything written after it. Missing parts that only other programs read (of
  // stats.csv, of frames/) are noted in run.json and in the result; rest surfaces are rewritten.
  // Errors: those of load_checkpoint; no run in the folder; surface frames missing; foreign files or links in the way;
  // another process is writing. On an Error the folder is unchanged.
  struct Resumed;
  static Result<Resumed> resume(const RunDescription& description);

  // Whether it writes the interior of bodies.
  bool wants_volume() const { return options_.vtu == VtuFrames::volume; }
  // Whether it writes contacts.
  bool wants_contacts() const { return options_.contacts; }
  // Whether this frame is written.
  bool wants_frame(int64_t frame) const { return frame % options_.every == 0; }
  // Writes the frame, if wanted, and flushes the statistics in any case. A frame whose positions or velocities are not
  // finite in single precision, which caches and pictures have, is rejected with the vertex's number; earlier frames
  // are kept.
  Status write_frame(const FrameData& data);

  // Keeps the row until the next frame or checkpoint. Write time is added to the latest row.
  void add_stats(const StatsRow& row) { stats_.add(row); }
  // Drops the rows kept, if their frame was abandoned.
  void drop_stats() { stats_.drop(); }

  bool checkpoint_due(int64_t frame) const {
    return options_.checkpoint_every > 0 && frame > 0 && frame % options_.checkpoint_every == 0;
  }
  Status write_checkpoint(const State& state, std::string_view contacts, int64_t frame);

  // Completes the point caches and records in run.json how the run ended; `message` is the reason of a failure. If this
  // cannot be written, it may be called again with the state failed.
  Status finish(RunState state, const std::string& message = "");

  const RunProgress& progress() const { return progress_; }
  // Of the steps before a resumption that stats.csv tells of.
  const StepCounts& earlier_steps() const { return stats_.earlier(); }
  const ContactTotals& earlier_contacts() const { return stats_.earlier_contacts(); }
  const std::filesystem::path& folder() const { return paths_.root; }

 private:
  Recorder(const RunDescription& description, Manifest manifest, FolderLock lock, RunFile run_file, StatsFile stats,
           std::vector<RecordedSurface> surfaces, std::vector<RecordedCollider> colliders);
  void set_up_topology(const RunDescription& description);
  Status write_finite_frame(const FrameData& data);
  template <class T>
  Status write_in(const FrameData& data);
  template <class T>
  Status write_vtu(const FrameData& data, const SurfaceFrameOf<T>& surface, std::span<const Sym3<double>> stress);
  Status write_volume(const FrameData& data, std::span<const VtuField> point_fields, const VtuField& points);
  Status write_contacts(const FrameData& data);
  void add_pinned(const FrameData& data, std::vector<VtuField>& fields) const;
  Status resumable(Status status) const;
  template <class T>
  Status check_finite(const SurfaceFrameOf<T>& frame) const;
  Status write_caches();
  Status make_durable();
  Status cut_back(const Checkpoint& checkpoint);

  OutputPaths paths_;
  RecorderOptions options_;
  CheckpointIdentity identity_;
  const Model* model_;
  std::vector<RecordedObject> objects_;  // without their boundaries and skins
  ThreadPool* pool_;
  Manifest manifest_;
  FolderLock lock_;
  RunFile run_file_;
  StatsFile stats_;
  RunProgress progress_;

  std::vector<RecordedSurface> surfaces_;  // without the content of surface/rest.bin
  std::vector<RecordedCollider> colliders_;
  Vec3d origin_;                  // of OBJ files and caches
  SurfaceMeasures measures_;      // of all surfaces
  std::vector<int32_t> springs_;  // the model's ties shown as lines
  std::optional<VtuWriter> vtu_;
  std::vector<int64_t> frames_;  // written
  std::vector<PvdEntry> pvd_;
  std::vector<PvdEntry> contacts_pvd_;
  size_t cached_frames_ = 0;   // in the point caches
  size_t durable_frames_ = 0;  // frames whose surfaces are on disk for certain
};

struct Recorder::Resumed {
  Recorder recorder;
  Checkpoint checkpoint;
  std::vector<std::string> notes;  // missing parts of the record, and changes; sentences
};

// Point caches of the frames in a folder, relative to an origin; of the colliders, those that move.
Status write_point_caches(const OutputPaths& paths, std::span<const RecordedSurface> surfaces,
                          std::span<const RecordedCollider> colliders, std::span<const int64_t> frames,
                          const Vec3d& origin, bool pc2, bool mdd);

}  // namespace sinew
