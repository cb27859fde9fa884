#include "compile/placing.h"

#include "scene/object_kinds.h"
#include "scene/places.h"

namespace sinew {
namespace {

Tet shifted(Tet t, int32_t by) {
  for (size_t k = 0; k < corner_count(t); ++k) t[k] += by;
  return t;
}

// Appends the last `count` items again for each of the copies 1 .. copies-1.
template <class T, class Of>
void repeat(std::vector<T>& items, size_t count, size_t copies, const Of& of_copy) {
  const size_t first = items.size() - count;
  items.reserve(first + count * copies);
  for (size_t copy = 1; copy < copies; ++copy)
    for (size_t k = 0; k < count; ++k) items.push_back(of_copy(items[first + k], copy));
}

}  // namespace

ObjectPart new_part(const Draft& draft, const SceneObject& object) {
  ObjectPart part;
  part.name = object.name;
  part.color = object.color;
  part.bodies = static_cast<int32_t>(copy_count(object));
  part.first_vertex = static_cast<int32_t>(draft.mesh.vertices.size());
  part.first_tet = static_cast<int32_t>(draft.mesh.tets.size());
  return part;
}

Status check_count(const Draft& draft, const SceneObject& object, const TetMesh& mesh, const std::string& path) {
  const double copies = copy_count(object);
  if (static_cast<double>(draft.mesh.vertices.size()) + draft.skin_points +
              copies * static_cast<double>(mesh.vertices.size()) >
          most_items ||
      static_cast<double>(draft.mesh.tets.size()) + copies * static_cast<double>(mesh.tets.size()) > most_items)
    return draft.fault(path + ".mesh: all meshes together have more than 2^31 vertices or tetrahedra",
                       "use coarser ones");
  return {};
}

void append_copies(Draft& draft, const SceneObject& object, const TetMesh& mesh, ObjectPart& part) {
  const Copies& copies = object.copies;
  const auto count = static_cast<size_t>(copies.count[0]) * copies.count[1] * copies.count[2];
  draft.mesh.vertices.reserve(draft.mesh.vertices.size() + count * mesh.vertices.size());
  draft.mesh.tets.reserve(draft.mesh.tets.size() + count * mesh.tets.size());
  if (!mesh.regions.empty()) draft.out.regions.resize(draft.mesh.tets.size());
  constexpr Middles none{no_middle, no_middle, no_middle, no_middle, no_middle, no_middle};
  if (!mesh.middles.empty()) draft.mesh.middles.resize(draft.mesh.tets.size(), none);
  const auto labels = [&] {
    if (mesh.regions.empty() && draft.out.regions.empty()) return;
    draft.out.regions.insert(draft.out.regions.end(), mesh.regions.begin(), mesh.regions.end());
    draft.out.regions.resize(draft.mesh.tets.size());
  };
  const Vec3d spacing = to_vec(copies.spacing);
  for (int k = 0; k < copies.count[2]; ++k) {
    for (int j = 0; j < copies.count[1]; ++j) {
      for (int i = 0; i < copies.count[0]; ++i) {
        const Vec3d offset{i * spacing.x, j * spacing.y, k * spacing.z};
        const auto first = static_cast<int32_t>(draft.mesh.vertices.size());
        for (const Vec3d& x : mesh.vertices) draft.mesh.vertices.push_back(x + offset);
        for (const Tet& t : mesh.tets) draft.mesh.tets.push_back(shifted(t, first));
        for (Middles m : mesh.middles) {
          for (int32_t& v : m) v += first;
          draft.mesh.middles.push_back(m);
        }
        labels();
      }
    }
  }
  if (!draft.mesh.middles.empty()) draft.mesh.middles.resize(draft.mesh.tets.size(), none);
  const auto same = [](int32_t value, size_t) { return value; };
  repeat(draft.input.block_of_tet, mesh.tets.size(), count, same);
  if (object.stiffness_factors)
    repeat(draft.input.stiffness_factor, mesh.tets.size(), count, [](double value, size_t) { return value; });
  repeat(part.surface_materials, part.surface_materials.size(), count, same);
  repeat(part.surface, part.surface.size(), count, [&](const Triangle& t, size_t copy) {
    const auto shift = static_cast<int32_t>(copy * mesh.vertices.size());
    return Triangle{t[0] + shift, t[1] + shift, t[2] + shift};
  });
  part.last_vertex = static_cast<int32_t>(draft.mesh.vertices.size());
  part.last_tet = static_cast<int32_t>(draft.mesh.tets.size());
}

}  // namespace sinew
