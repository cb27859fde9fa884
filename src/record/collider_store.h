// The colliders of a run, as `sinew render` reads them:
//   surface/colliders.bin    names, triangles, planes, all before any motion
// Where those that move are at a frame is in the frame (record/surface_store.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"
#include "record/surface_store.h"

namespace sinew {

struct RecordedCollider {
  std::string name;
  std::string file{};  // as that of a RecordedSurface; empty: planes have no file
  bool moves = false;
  std::vector<Vec3d> rest;          // [m]; of planes empty
  std::vector<Triangle> triangles;  // counter-clockwise seen from outside
  std::vector<RecordedPlane> planes;
  int32_t first_point = 0, first_plane = 0;  // of those that move: where a frame's begin
};

// Gives them names of files that no surface has, and places in frames.
void place_in_run(std::vector<RecordedCollider>& colliders, std::span<const RecordedSurface> surfaces);

Status save_colliders(const std::filesystem::path& path, std::span<const RecordedCollider> colliders);
Result<std::vector<RecordedCollider>> load_colliders(const std::filesystem::path& path);

// Whether a frame has as many points and planes as move.
bool has_places_of(const SurfaceFrame& frame, std::span<const RecordedCollider> colliders);
// At a frame.
std::span<const Vec3d> points_of(const RecordedCollider& collider, const SurfaceFrame& frame);
std::span<const RecordedPlane> planes_of(const RecordedCollider& collider, const SurfaceFrame& frame);

}  // namespace sinew
