#include "compile/muscles.h"

#include <span>

#include "compile/fibres.h"
#include "compile/selection.h"
#include "element/quadratic_tetrahedron.h"
#include "scene/places.h"

namespace sinew {

Activation activation_of(const SceneFibres& fibres) {
  if (fibres.activation_curve) return {fibres.activation_curve->times, fibres.activation_curve->values};
  return {{0}, {fibres.activation}};
}

Status add_fibres(Draft& draft, size_t number_of_object) {
  const SceneObject& muscle = draft.scene.objects[number_of_object];
  const SceneFibres& fibres = *muscle.fibres;
  const ObjectPart& object = draft.out.objects[number_of_object];
  const Draft::KeptTets& tets = draft.kept_tets[number_of_object];
  const std::string path = "objects." + object.name + ".fibres";
  const Transform& t = muscle.transform;
  const Vec3d s = to_vec(t.scale);
  const auto first = static_cast<size_t>(object.first_tet), count = static_cast<size_t>(object.last_tet) - first;
  const FibreBody body{.rest = draft.mesh.vertices,
                       .tets = std::span(draft.mesh.tets).subspan(first, count),
                       .regions = draft.out.regions.empty() ? std::span<const int32_t>()
                                                            : std::span(draft.out.regions).subspan(first, count),
                       .groups = object.groups,
                       .placing = rotation(to_vec(t.rotation_axis), t.rotation_degrees) * diagonal(s.x, s.y, s.z),
                       .tets_in_file = tets.in_file,
                       .kept_tets = tets.kept};
  const auto chosen = [&](const Selection& selection, const std::string& at) {
    Result<std::vector<int32_t>> vertices =
        select_vertices(selection, draft.mesh.vertices, range_of(object), draft.folder());
    if (vertices) return vertices;
    const Error& e = vertices.error();
    return Result<std::vector<int32_t>>(Error{at + e.where, e.what, e.remedy});
  };
  const Result<std::vector<Vec3d>> along = fibre_directions(fibres.along, body, draft.folder(), chosen);
  if (!along) return draft.fault(path + along.error().where + along.error().what, along.error().remedy);
  const auto number = static_cast<int32_t>(draft.input.muscles.size());
  draft.input.muscles.push_back(activation_of(fibres));
  for (size_t e = 0; e < count; ++e) {
    const Vec3d v = (*along)[e];
    if (dot(v, v) == 0) continue;
    if (muscle.quadratic) {
      draft.out.fibre_tets.insert(draft.out.fibre_tets.end(), QuadraticTetrahedron::points,
                                  static_cast<int32_t>(first + e));
      draft.input.ties.add_fibre(body.tets[e], draft.mesh.middles[first + e], draft.mesh.vertices, v,
                                 fibres.peak_stress, fibres.optimal_stretch, number);
      continue;
    }
    draft.out.fibre_tets.push_back(static_cast<int32_t>(first + e));
    draft.input.ties.add_fibre(body.tets[e], draft.mesh.vertices, v, fibres.peak_stress, fibres.optimal_stretch,
                               number);
  }
  return {};
}

}  // namespace sinew
