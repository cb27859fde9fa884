#include "record/collider_store.h"

#include <deque>
#include <set>

#include "files/read_file.h"
#include "record/envelope_file.h"
#include "record/file_name.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

constexpr FileKind kColliderKind{"SINEWCOL", 1, "the colliders of a run"};
const char* const kRunAgain = "the output folder is damaged; run again with --overwrite or into a new folder";

// Gives the colliders their places in frames. False: more than an int32 can number.
bool place_in_frames(std::vector<RecordedCollider>& colliders) {
  size_t points = 0, planes = 0;
  for (RecordedCollider& collider : colliders) {
    if (!collider.moves) continue;
    collider.first_point = static_cast<int32_t>(points);
    collider.first_plane = static_cast<int32_t>(planes);
    points += collider.rest.size();
    planes += collider.planes.size();
    if (points > INT32_MAX || planes > INT32_MAX) return false;
  }
  return true;
}

}  // namespace

void place_in_run(std::vector<RecordedCollider>& colliders, std::span<const RecordedSurface> surfaces) {
  std::set<std::string> taken;
  for (const RecordedSurface& surface : surfaces) file_name(surface.file, taken);
  for (RecordedCollider& collider : colliders)
    collider.file = collider.triangles.empty() ? "" : file_name(collider.name, taken);
  [[maybe_unused]] const bool numbered = place_in_frames(colliders);
  SINEW_ASSERT(numbered);
}

Status save_colliders(const fs::path& path, std::span<const RecordedCollider> colliders) {
  std::deque<std::string> heads;  // small headers; views of them stay valid
  std::vector<std::string_view> parts;
  const auto add = [&](Packer& packer) { parts.push_back(heads.emplace_back(packer.take())); };
  add(Packer().put<uint64_t>(colliders.size()));
  for (const RecordedCollider& collider : colliders) {
    add(Packer()
            .put_text(collider.name)
            .put_text(collider.file)
            .put<uint64_t>(collider.moves)
            .put<uint64_t>(collider.rest.size())
            .put<uint64_t>(collider.triangles.size())
            .put<uint64_t>(collider.planes.size()));
    parts.insert(parts.end(), {bytes_of(collider.rest), bytes_of(collider.triangles), bytes_of(collider.planes)});
  }
  return write_envelope(path, kColliderKind, parts);
}

Result<std::vector<RecordedCollider>> load_colliders(const fs::path& path) {
  const Result<std::string> file = read_file(path);
  if (!file) return file.error();
  const Result<std::string_view> payload = open_envelope(*file, kColliderKind, path.string(), kRunAgain);
  if (!payload) return payload.error();
  const Error broken{path.string(), "is damaged: its content is not that of colliders", kRunAgain};

  Unpacker unpacker(*payload);
  std::vector<RecordedCollider> colliders;
  uint64_t count = 0;
  if (!unpacker.take(count)) return broken;
  for (uint64_t k = 0; k < count; ++k) {
    RecordedCollider collider;
    uint64_t moves = 0, points = 0, triangles = 0, planes = 0;
    if (!unpacker.take_text(collider.name) || !unpacker.take_text(collider.file) || !unpacker.take(moves) ||
        !unpacker.take(points) || !unpacker.take(triangles) || !unpacker.take(planes) || points > INT32_MAX ||
        !unpacker.take_all(collider.rest, points) || !unpacker.take_all(collider.triangles, triangles) ||
        !unpacker.take_all(collider.planes, planes))
      return broken;
    for (const Triangle& triangle : collider.triangles)
      for (const int32_t v : triangle)
        if (v < 0 || static_cast<uint64_t>(v) >= points) return broken;
    collider.moves = moves != 0;
    colliders.push_back(std::move(collider));
  }
  if (!unpacker.at_end() || !place_in_frames(colliders)) return broken;
  return colliders;
}

bool has_places_of(const SurfaceFrame& frame, std::span<const RecordedCollider> colliders) {
  size_t points = 0, planes = 0;
  for (const RecordedCollider& collider : colliders) {
    if (!collider.moves) continue;
    points += collider.rest.size();
    planes += collider.planes.size();
  }
  return frame.collider_points.size() == points && frame.collider_planes.size() == planes;
}

std::span<const Vec3d> points_of(const RecordedCollider& collider, const SurfaceFrame& frame) {
  if (!collider.moves) return collider.rest;
  return std::span(frame.collider_points).subspan(static_cast<size_t>(collider.first_point), collider.rest.size());
}

std::span<const RecordedPlane> planes_of(const RecordedCollider& collider, const SurfaceFrame& frame) {
  if (!collider.moves) return collider.planes;
  return std::span(frame.collider_planes).subspan(static_cast<size_t>(collider.first_plane), collider.planes.size());
}

}  // namespace sinew
