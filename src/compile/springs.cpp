#include "compile/springs.h"

#include <cmath>

#include "compile/placing.h"
#include "compile/spring_mesh.h"
#include "scene/places.h"

namespace sinew {

Status add_springs(Draft& draft, const SceneObject& object) {
  const std::string path = "objects." + object.name;
  SpringMesh springs = make_springs(object.mesh);
  TetMesh mesh{.vertices = std::move(springs.points), .tets = {}, .regions = {}, .middles = {}};
  place(object.transform, mesh.vertices);
  if (Status s = check_count(draft, object, mesh, path); !s) return s;
  ObjectPart part = new_part(draft, object);
  part.surface = std::move(springs.triangles);
  for (Triangle& triangle : part.surface)
    for (int32_t& v : triangle) v += part.first_vertex;
  append_copies(draft, object, mesh, part);

  draft.input.point_mass.resize(static_cast<size_t>(part.first_vertex), 0.0);
  const auto points = static_cast<int32_t>(mesh.vertices.size());
  for (int32_t first = part.first_vertex; first < part.last_vertex; first += points) {
    draft.input.point_mass.insert(draft.input.point_mass.end(), springs.masses.begin(), springs.masses.end());
    for (const SpringMesh::Spring& spring : springs.springs) {
      const Vec3d along = mesh.vertices[spring.a] - mesh.vertices[spring.b];
      draft.input.ties.add_spring(first + spring.a, first + spring.b, spring.stiffness, std::sqrt(dot(along, along)),
                                  springs.damping);
    }
  }
  draft.kept_tets.emplace_back();
  draft.out.objects.push_back(std::move(part));
  return {};
}

}  // namespace sinew
