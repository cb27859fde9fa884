#include "compile/skin.h"

#include "base/format.h"
#include "meshing/embedding.h"
#include "scene/places.h"

namespace sinew {

Result<CarriedSkin> read_skin(const SceneObject& object, const TetMesh& mesh, const SceneFolder& folder,
                              ThreadPool& pool) {
  const std::filesystem::path path = folder.at(object.skin);
  const Transform& transform = object.transform;
  Result<SurfaceMesh> surface = folder.files.surface(path, pool);
  if (!surface) return surface.error();
  place(transform, surface->vertices);
  if (mirrors(transform))
    for (Triangle& t : surface->triangles) std::swap(t[1], t[2]);
  Result<Embedding> embedding = embed(surface->vertices, mesh, pool);
  if (!embedding)
    return Error{path.string(), embedding.error().where + " " + embedding.error().what, embedding.error().remedy};

  CarriedSkin carried;
  Skin& skin = carried.skin;
  skin.triangles = std::move(surface->triangles);
  skin.weights = std::move(embedding->weights);
  skin.outside = embedding->outside;
  skin.farthest = embedding->farthest;
  skin.body_vertices = static_cast<int32_t>(mesh.vertices.size());

  // Numbers the vertices that carry something, in their order.
  std::vector<int32_t> number(mesh.vertices.size(), 0);
  const bool quadratic = !mesh.middles.empty();
  for (const int32_t tet : embedding->tets) {
    for (const int32_t v : mesh.tets[tet]) number[v] = 1;
    if (!quadratic) continue;
    for (const int32_t v : mesh.middles[tet]) number[v] = 1;
  }
  for (size_t v = 0; v < number.size(); ++v) {
    if (number[v] == 0) continue;
    number[v] = static_cast<int32_t>(skin.carriers.size());
    skin.carriers.push_back(static_cast<int32_t>(v));
  }
  for (const int32_t tet : embedding->tets) {
    const Tet& t = mesh.tets[tet];
    skin.corners.push_back({number[t[0]], number[t[1]], number[t[2]], number[t[3]]});
    if (!quadratic) continue;
    // The tet's own functions of the barycentric coordinates.
    std::array<double, 4>& l = skin.weights[skin.corners.size() - 1];
    std::array<int32_t, 6> middles;
    std::array<double, 6> weights;
    for (size_t k = 0; k < 6; ++k) {
      middles[k] = number[mesh.middles[tet][k]];
      weights[k] = 4 * l[static_cast<size_t>(edge_ends[k][0])] * l[static_cast<size_t>(edge_ends[k][1])];
    }
    for (double& w : l) w *= 2 * w - 1;
    skin.middles.push_back(middles);
    skin.middle_weights.push_back(weights);
  }
  if (embedding->far > 0)
    carried.warning = format(
        "%lld of %zu vertices lie more than one edge length, %.3g m, outside the tetrahedra, by up to %.3g m: their "
        "motion is extrapolated; use a finer mesh, or check that both files have the same coordinates",
        static_cast<long long>(embedding->far), skin.point_count(), embedding->mean_edge, skin.farthest);
  carried.tets = std::move(embedding->tets);
  return carried;
}

}  // namespace sinew
