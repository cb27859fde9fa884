// Colliders in the pictures of a film. Those of triangles are surfaces like any other. A half space that faces up is
// the ground; any other is the part of its plane around the bodies. A box that bodies stay in shows its edges, and
// those of its walls that face the camera from behind the bodies.
#pragma once

#include <optional>
#include <vector>

#include "math/bounds.h"
#include "record/shown_run.h"
#include "render/camera.h"
#include "render/render_scene.h"
#include "sinew/scene.h"

namespace sinew {

enum class Colliders { at_rest, moving };
// What a view of the bodies must also hold of these colliders at a frame: the outermost points of surfaces and boxes
// that are not much larger than all that the bodies take up, and of larger ones what is near that. Relative to
// `origin`, as `bodies` is.
std::vector<Vec3f> collider_points_in_view(const ShownRun& run, Colliders which, const SurfaceFrame& frame,
                                           const Vec3d& origin, const Bounds& bodies);

// The height of the ground that colliders make at a frame, relative to `origin`: the highest half space that faces up.
std::optional<double> floor_of(const ShownRun& run, const SurfaceFrame& frame, const Vec3d& origin, Vec3d up);

// Where colliders are seen from, and what around.
struct ColliderView {
  Vec3d origin, up;
  Bounds around;  // what planes are drawn around
  bool ground;    // there is one, which stands for half spaces that face up
  Vec3d eye;
};
std::vector<RenderMesh> collider_meshes(const ShownRun& run, const SurfaceFrame& frame, const Scene& scene,
                                        const ColliderView& view);

}  // namespace sinew
