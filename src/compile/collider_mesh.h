// The surface of a collider: made, read or meshed, then placed in the world.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/scene_files.h"
#include "contact/contact_surface.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

struct ColliderSurface {
  SurfaceMesh
      mesh;  // [m] without triangles that have no area or are there twice; of half spaces and inward boxes empty
  bool closed = false;
  struct Plane {
    Vec3d point, normal;  // out of the solid, of length 1
  };
  std::vector<Plane> planes;
  Vec3d middle{};                     // [m] mean of its vertices, or the middle of its planes
  std::vector<std::string> warnings;  // what was left out, and what else the user should know
};

// Errors: those of the file or the mesher, coordinates too far from the origin, nothing left.
Result<ColliderSurface> collider_surface(const SceneCollider& collider, const SceneFolder& folder, ThreadPool& pool);

}  // namespace sinew
