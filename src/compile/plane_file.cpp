#include "compile/plane_file.h"

#include <cmath>

#include "base/format.h"
#include "math/bounds.h"

namespace sinew {

Result<TetMesh> read_plane(const std::filesystem::path& path, const SceneFiles& files, ThreadPool& pool,
                           std::vector<MeshGroup>* groups) {
  // Relative error of files in single precision that another program has rotated into the plane.
  constexpr double rounding = 1e-6;
  std::vector<int32_t> regions;
  Result<SurfaceMesh> surface = files.surface(path, pool, groups, &regions);
  if (!surface) return surface.error();
  TetMesh mesh;
  mesh.vertices = std::move(surface->vertices);
  mesh.regions = std::move(regions);
  mesh.tets.reserve(surface->triangles.size());
  Bounds bounds;
  for (const Triangle& t : surface->triangles) {
    mesh.tets.push_back({t[0], t[1], t[2], no_corner});
    for (const int32_t v : t) bounds.add(mesh.vertices[static_cast<size_t>(v)]);
  }
  if (mesh.tets.empty()) return Error{path.string(), "has no triangles", "give a file of triangles in a plane"};
  const double z = mesh.vertices[static_cast<size_t>(mesh.tets.front()[0])].z;
  for (const Tet& t : mesh.tets) {
    for (size_t k = 0; k < 3; ++k) {
      const double height = mesh.vertices[static_cast<size_t>(t[k])].z;
      if (!(std::abs(height - z) <= rounding * bounds.diagonal()))
        return Error{path.string(), format("vertex %d lies at z = %g m, the first triangle at %g m", t[k], height, z),
                     "turn the body into a plane of constant z, or fill a closed surface with tetrahedra"};
    }
  }
  for (Vec3d& p : mesh.vertices) p.z = z;
  return mesh;
}

}  // namespace sinew
