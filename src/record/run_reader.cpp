#include "record/run_reader.h"

#include <cmath>

#include "files/read_file.h"
#include "io/vtp.h"

namespace sinew {

RunReader::RunReader(OutputPaths paths, RunSummary summary, std::vector<RecordedSurface> surfaces,
                     std::vector<RecordedCollider> colliders)
    : paths_(std::move(paths)),
      summary_(std::move(summary)),
      surfaces_(std::move(surfaces)),
      colliders_(std::move(colliders)) {
  for (const RecordedSurface& surface : surfaces_) point_count_ += static_cast<size_t>(surface.point_count);
  refresh();
}

void RunReader::refresh() {
  frames_ = list_frames(paths_.surface(), ".bin");
  foreign_frames_.clear();
  // A copy of a run may lack the list: then all are its own.
  const Result<Manifest> manifest = Manifest::open(paths_.root, FolderKind::run);
  if (!manifest || !manifest->exists()) return;
  std::erase_if(frames_, [&](int64_t frame) {
    std::string name = OutputPaths::surface_frame_name(frame);
    if (manifest->names(name)) return false;
    foreign_frames_.push_back(std::move(name));
    return true;
  });
}

Result<SurfaceFrame> RunReader::frame(size_t k) const {
  SINEW_ASSERT(k < frames_.size());
  Result<SurfaceFrame> frame = load_surface_frame(paths_.surface_frame(frames_[k]), point_count_);
  if (frame && !colliders_.empty() && !has_places_of(*frame, colliders_))
    return Error{paths_.surface_frame(frames_[k]).string(), "has other colliders than surface/colliders.bin",
                 "the output folder is damaged; run again with --overwrite or into a new folder"};
  return frame;
}

Result<std::vector<RecordedContact>> RunReader::contacts(size_t k) const {
  SINEW_ASSERT(k < frames_.size());
  const std::filesystem::path path = paths_.contact_frame(frames_[k]);
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return Error{path.string(), "is missing: the run did not record its contacts",
                 "run again with output.contacts = true in the scene, or with --set output.contacts=true"};
  const Result<std::string> file = read_file(path);
  if (!file) return file.error();
  const Result<std::vector<Vec3d>> points = read_vtp_vectors(*file, path.string(), "Points"),
                                   forces = read_vtp_vectors(*file, path.string(), "force [N]");
  if (!points) return points.error();
  if (!forces) return forces.error();
  std::vector<RecordedContact> contacts;
  for (size_t c = 0; c < points->size(); ++c) contacts.push_back({(*points)[c], (*forces)[c]});
  return contacts;
}

Result<RunReader> open_run(const std::filesystem::path& folder) {
  OutputPaths paths(folder);
  const char* const remedy = "give the output folder of `sinew run`";
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(folder, code);
  if (status.type() == std::filesystem::file_type::not_found) return Error{folder.string(), "no such folder", remedy};
  if (!std::filesystem::is_directory(status)) return Error{folder.string(), "is not a folder", remedy};
  Result<RunSummary> summary = read_run_file(paths.run_file());
  if (!summary) return summary.error();
  Result<std::vector<RecordedSurface>> surfaces = load_rest(paths.rest());
  if (!surfaces) return surfaces.error();
  Result<std::vector<RecordedCollider>> colliders = std::vector<RecordedCollider>{};
  if (std::filesystem::exists(paths.colliders(), code)) colliders = load_colliders(paths.colliders());
  if (!colliders) return colliders.error();
  RunReader reader(std::move(paths), std::move(*summary), std::move(*surfaces), std::move(*colliders));
  if (reader.frame_count() == 0)
    return Error{folder.string(), "holds no frame yet", "let `sinew run` write some first"};
  return reader;
}

std::vector<float> displacement_of(std::span<const RecordedSurface> surfaces, const SurfaceFrame& frame) {
  std::vector<float> result;
  result.reserve(frame.positions.size());
  for (const RecordedSurface& surface : surfaces)
    for (size_t k = 0; k < surface.rest.size(); ++k) {
      const Vec3d d = frame.positions[static_cast<size_t>(surface.first) + k] - surface.rest[k];
      result.push_back(static_cast<float>(std::sqrt(dot(d, d))));
    }
  return result;
}

}  // namespace sinew
