// The surfaces of a run's objects, as `sinew render` and the point caches read them: the boundary of an object's tets,
// or its skin (meshing/skin.h).
//   surface/rest.bin             names, triangles, rest positions (doubles), materials, user's vertex indices
//   surface/frame_000000.bin     positions and scalars at one frame, in the precision of the run; and where the
//   colliders
//                                are that move (record/collider_store.h)
// One small file per frame, so that a frame exists whole or not at all, and a run is cut back to a checkpoint by
// removing files. The positions are those of all objects, object by object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"
#include "meshing/skin.h"
#include "model/model.h"

namespace sinew {

struct RecordedSurface {
  std::string name;                 // of the object
  std::string file;                 // its name adapted for a file name, unique in the run, without suffix
  std::vector<int32_t> vertices;    // the user's vertex index of each point, ascending; empty for a skin
  std::vector<Vec3d> rest;          // [m], of each point
  std::vector<Triangle> triangles;  // indices of points; counter-clockwise seen from outside
  std::vector<int32_t> materials;   // of each triangle, by index in the scene; empty if not recorded
  int32_t first = 0;                // index of its first point among those of all surfaces
  int32_t point_count = 0;
};

// The plane of a collider, solid on the side that its normal does not point to.
struct RecordedPlane {
  Vec3d point, normal, along;  // along: in the plane, at right angles to its normal; both of length 1
};

// T: float or double.
template <class T>
struct SurfaceFrameOf {
  int64_t frame = 0;
  double time = 0;  // [s]
  int64_t step = 0;
  std::vector<Vec3<T>> positions;              // [m]
  std::vector<T> strain;                       // [-] mean of the tets around (record/surface_strain.h)
  std::vector<T> residual;                     // [N] force out of balance at the vertex; empty if not recorded
  std::vector<T> von_mises;                    // [Pa] of the mean stress of the tets around; empty if not recorded
  std::vector<Vec3<T>> collider_points;        // [m] of the colliders that move, one after the other
  std::vector<RecordedPlane> collider_planes;  // the same of their planes
};
using SurfaceFrame = SurfaceFrameOf<double>;

// Surfaces from the skin of each object; or from its triangles, in the user's vertex indices; or all points of an
// object that has neither.
struct RecordedObject {
  std::string name;
  int32_t first_vertex = 0, last_vertex = 0;  // [first, last)
  int32_t first_tet = 0, last_tet = 0;
  std::vector<Triangle> boundary;  // the user's vertex indices
  std::vector<int32_t> materials;  // of each triangle, by number in the scene; or empty
  std::shared_ptr<const Skin> skin{};
};
std::vector<RecordedSurface> make_surfaces(const Model& model, std::span<const RecordedObject> objects);

Status save_rest(const std::filesystem::path& path, std::span<const RecordedSurface> surfaces);
Result<std::vector<RecordedSurface>> load_rest(const std::filesystem::path& path);

// In the precision of T.
template <class T>
Status save_surface_frame(const std::filesystem::path& path, const SurfaceFrameOf<T>& frame);
// In either precision. Errors: missing, truncated, damaged, of other surfaces.
Result<SurfaceFrame> load_surface_frame(const std::filesystem::path& path, size_t point_count);
// Only its time, without reading the rest of the file.
Result<double> load_frame_time(const std::filesystem::path& path, size_t point_count);

}  // namespace sinew
