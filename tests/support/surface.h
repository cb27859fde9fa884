// A tet mesh's boundary as a separate mesh.
#pragma once

#include "mesh/topology.h"

namespace sinew::support {

inline SurfaceMesh boundary_surface(const TetMesh& mesh) {
  SurfaceMesh surface{.vertices = {}, .triangles = extract_boundary(mesh).triangles};
  for (const int32_t v : renumber(surface.triangles, 0, static_cast<int32_t>(mesh.vertices.size())))
    surface.vertices.push_back(mesh.vertices[v]);
  return surface;
}

}  // namespace sinew::support
