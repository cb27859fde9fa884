// Reads an output folder back, for `sinew render`: the objects' surfaces over time. A run that is still being written,
// or was killed, is read up to its last complete frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/collider_store.h"
#include "record/output_folder.h"
#include "record/shown_run.h"
#include "record/surface_store.h"

namespace sinew {

class RunReader final : public ShownRun {
 public:
  // The understood part of run.json, with the scene as resolved.
  const RunSummary& summary() const { return summary_; }
  // Rest positions, triangles, names. Surface k's points are points [first, first + point_count) of a frame.
  const std::vector<RecordedSurface>& surfaces() const override { return surfaces_; }
  size_t point_count() const { return point_count_; }
  // None: also where surface/colliders.bin is missing.
  const std::vector<RecordedCollider>& colliders() const override { return colliders_; }

  size_t frame_count() const override { return frames_.size(); }
  // The number of the simulated frame: 0, 2, 4, ... if every second one was written.
  int64_t frame_number(size_t k) const { return frames_[k]; }
  Result<SurfaceFrame> frame(size_t k) const override;
  // With the frame. Errors: not recorded, damaged.
  Result<std::vector<RecordedContact>> contacts(size_t k) const override;
  // Files named like frames that are not on the run's list: not of this run, and left out.
  const std::vector<std::string>& foreign_frames() const { return foreign_frames_; }
  // Reads the list of frames again.
  void refresh();

 private:
  friend Result<RunReader> open_run(const std::filesystem::path& folder);
  RunReader(OutputPaths paths, RunSummary summary, std::vector<RecordedSurface> surfaces,
            std::vector<RecordedCollider> colliders);

  OutputPaths paths_;
  RunSummary summary_;
  std::vector<RecordedSurface> surfaces_;
  std::vector<RecordedCollider> colliders_;
  std::vector<int64_t> frames_;
  std::vector<std::string> foreign_frames_;
  size_t point_count_ = 0;
};

// Errors: no run, no frame yet, damaged files.
Result<RunReader> open_run(const std::filesystem::path& folder);

}  // namespace sinew
