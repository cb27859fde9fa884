#include "compile/loads.h"

#include "base/format.h"
#include "compile/lists_of_corners.h"
#include "compile/load_forces.h"
#include "scene/places.h"

namespace sinew {
namespace {

Error nothing_whole(const Draft& draft, const SceneLoad& load, const std::string& path, std::span<const int32_t> chosen,
                    const char* what) {
  const std::string left_out =
      left_out_middles(load.select, chosen, draft.part(load.object), draft.mesh, path, "are not");
  return draft.fault(
      path + format(".select: %zu vertices, but no %s has all of its vertices among them", chosen.size(), what),
      left_out.empty() ? "select more of the object"
                       : "list the middles of edges too: those of a quadratic object have numbers of their own, behind "
                         "its corners; or select by place or group");
}

Error no_face(const Draft& draft, const SceneLoad& load, const std::string& path, std::span<const int32_t> chosen) {
  return nothing_whole(draft, load, path, chosen, "face of the boundary");
}

Status spread(const Draft& draft, const SceneLoad& load, const std::string& path, std::vector<Vec3d>& force) {
  Result<std::vector<int32_t>> chosen = draft.select(load.select, load.object, path);
  if (!chosen) return chosen.error();
  if (spread_load(load, draft.part(load.object), draft.mesh, *chosen, force) > 0) return {};
  return load.kind == SceneLoad::Kind::traction ? no_face(draft, load, path, *chosen)
                                                : nothing_whole(draft, load, path, *chosen, "tetrahedron");
}

// The forces of a load at vertices, in the user's order.
Status forces_of(Draft& draft, const SceneLoad& load, const std::string& path, std::vector<Vec3d>& force) {
  if (load.kind == SceneLoad::Kind::body_force || load.kind == SceneLoad::Kind::traction)
    return spread(draft, load, path, force);
  Result<std::vector<int32_t>> chosen = draft.select(load.select, load.object, path);
  if (!chosen) return chosen.error();
  std::string left_out =
      left_out_middles(load.select, *chosen, draft.part(load.object), draft.mesh, path, "get nothing");
  if (!left_out.empty()) draft.warn(std::move(left_out));
  const Vec3d value = to_vec(load.value);
  std::vector<double> mass(draft.mesh.vertices.size());
  for (size_t v = 0; v < mass.size(); ++v) mass[v] = draft.out.model.mass[draft.slot_of(static_cast<int32_t>(v))];
  if (load.kind == SceneLoad::Kind::acceleration) {
    for (const int32_t v : *chosen) force[v] = mass[v] * value;
    return {};
  }
  const std::vector<double> shares = shares_of_force(draft.part(load.object), draft.mesh, *chosen, mass);
  for (size_t k = 0; k < shares.size(); ++k) force[(*chosen)[k]] = shares[k] * value;
  return {};
}

}  // namespace

bool is_constant_density(const SceneLoad& load) {
  return !load.curve && (load.kind == SceneLoad::Kind::body_force || load.kind == SceneLoad::Kind::traction);
}

Status add_constant_density(Draft& draft, const SceneLoad& load, const std::string& path) {
  draft.input.extra_force.resize(draft.mesh.vertices.size());
  return spread(draft, load, path, draft.input.extra_force);
}

Status add_load(Draft& draft, const SceneLoad& load, const std::string& path) {
  LoadScript script;
  if (load.curve) script.factor = {load.curve->times, load.curve->values};
  if (load.kind == SceneLoad::Kind::pressure || load.kind == SceneLoad::Kind::wind) {
    Result<std::vector<int32_t>> chosen = draft.select(load.select, load.object, path);
    if (!chosen) return chosen.error();
    std::vector<Face> faces;
    for (const Triangle& t : chosen_faces(draft.part(load.object), draft.mesh, *chosen))
      faces.push_back({draft.slot_of(t[0]), draft.slot_of(t[1]), draft.slot_of(t[2])});
    if (faces.empty()) return no_face(draft, load, path, *chosen);
    if (load.kind == SceneLoad::Kind::pressure) {
      script.load = PressureLoad{std::move(faces), load.pressure};
    } else {
      const SceneWind& w = load.wind;
      const ObjectPart& object = draft.part(load.object);
      script.load = WindLoad{
          std::move(faces), to_vec(w.velocity), w.density, w.drag, w.lift, object.first_tet == object.last_tet};
    }
    draft.out.loads.push_back(std::move(script));
    return {};
  }
  std::vector<Vec3d> force(draft.mesh.vertices.size());
  if (Status s = forces_of(draft, load, path, force); !s) return s;
  if (!load.curve) {
    std::vector<Vec3d>& constant = draft.out.model.extra_force;
    constant.resize(static_cast<size_t>(draft.out.model.slot_count()));
    for (size_t v = 0; v < force.size(); ++v) constant[draft.slot_of(static_cast<int32_t>(v))] += force[v];
    return {};
  }
  ForceLoad given;
  for (size_t v = 0; v < force.size(); ++v) {
    if (dot(force[v], force[v]) == 0) continue;
    given.slots.push_back(draft.slot_of(static_cast<int32_t>(v)));
    given.forces.push_back(force[v]);
  }
  script.load = std::move(given);
  draft.out.loads.push_back(std::move(script));
  return {};
}

}  // namespace sinew
