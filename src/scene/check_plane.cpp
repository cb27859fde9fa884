// Bodies of two dimensions must stay in their plane, so everything that moves or pulls them must lie in it.
#include <algorithm>

#include "base/format.h"
#include "scene/check.h"
#include "scene/object_kinds.h"
#include "scene/value_text.h"

namespace sinew {

namespace {

bool out_of_plane(const Real3& v) {
  return v[2] != 0;
}
bool is_normal(const Real3& axis) {
  return axis[0] == 0 && axis[1] == 0;
}

// Directions from files are checked when they are read.
void check_fibres(const SceneFibres& fibres, const std::string& path, Faults& faults) {
  const auto check = [&](const Real3& direction, const std::string& at) {
    if (out_of_plane(direction))
      faults.add(at, " = " + vector_text(direction) + " [-]: leaves the plane of the object", "let z be 0");
  };
  if (const auto* constant = std::get_if<FibreConstant>(&fibres.along)) check(constant->direction, path + ".direction");
  if (const auto* by = std::get_if<FibreRegions>(&fibres.along))
    for (size_t k = 0; k < by->regions.size(); ++k)
      check(by->regions[k].direction, path + format(".regions.%zu.direction", k));
}

}  // namespace

void check_plane(const Scene& scene, Faults& faults) {
  const auto plane = [&](const std::string& name) {
    return std::any_of(scene.objects.begin(), scene.objects.end(),
                       [&](const SceneObject& o) { return o.name == name && is_plane(o); });
  };
  const SceneObject* first = nullptr;
  for (const SceneObject& o : scene.objects) {
    if (!is_plane(o)) continue;
    if (!first) first = &o;
    const std::string path = "objects." + o.name;
    if (o.quadratic)
      faults.add(path + ".element", R"( = "quadratic": bodies of triangles have linear elements only)",
                 "leave it out, or take a mesh of tetrahedra");
    if (o.transform.rotation_degrees != 0 && !is_normal(o.transform.rotation_axis))
      faults.add(path + ".transform.rotation_axis",
                 " = " + vector_text(o.transform.rotation_axis) + ": a plane body turns in its plane only",
                 "use [0, 0, 1]");
    if (!o.skin.empty())
      faults.add(path + ".skin", ": it is made of triangles, and only tetrahedra carry a skin",
                 "leave it out, or use a mesh of tetrahedra");
    if (o.fibres) check_fibres(*o.fibres, path + ".fibres", faults);
    if (out_of_plane(o.velocity))
      faults.add(path + ".velocity", " = " + vector_text(o.velocity) + " [m/s]: leaves its plane", "let z be 0");
    if (o.stretch[2] != 1)
      faults.add(path + ".stretch", " = " + vector_text(o.stretch) + " [-]: leaves its plane", "let z be 1");
    if (o.scatter) faults.add(path + ".scatter", ": leaves its plane", "leave it out");
  }
  if (!first) return;
  if (out_of_plane(scene.gravity))
    faults.add("gravity", " = " + vector_text(scene.gravity) + " [m/s^2]: leaves the plane of '" + first->name + "'",
               "let z be 0");
  for (size_t k = 0; k < scene.loads.size(); ++k) {
    const SceneLoad& load = scene.loads[k];
    if (!plane(load.object)) continue;
    using Kind = SceneLoad::Kind;
    if (load.kind == Kind::traction || load.kind == Kind::pressure || load.kind == Kind::wind)
      faults.add(format("loads.%zu", k), ": a plane body has edges and no faces to act on", "use force or body_force");
    else if (out_of_plane(load.value))
      faults.add(format("loads.%zu.value", k), " = " + vector_text(load.value) + ": leaves its plane", "let z be 0");
  }
  for (size_t k = 0; k < scene.pins.size(); ++k) {
    const ScenePin& pin = scene.pins[k];
    if (!plane(pin.object)) continue;
    for (const auto& [v, key] : {std::pair{pin.normal, "normal"}, std::pair{pin.direction, "direction"}})
      if (v && out_of_plane(*v))
        faults.add(format("pins.%zu.", k) + key, " = " + vector_text(*v) + ": leaves the plane of the object",
                   "let z be 0");
    const std::string path = format("pins.%zu.motion", k);
    for (const Keyframe& key : pin.motion.keyframes) {
      if (out_of_plane(key.translate) || key.scale[2] != 1) {
        faults.add(path + ".keyframes", ": leave its plane", "let z be 0 in translate and 1 in scale");
        break;
      }
      if (key.rotate_degrees != 0 && !is_normal(pin.motion.axis)) {
        faults.add(path + ".axis", " = " + vector_text(pin.motion.axis) + ": a plane body turns in its plane only",
                   "use [0, 0, 1]");
        break;
      }
    }
  }
  for (size_t k = 0; k < scene.bindings.size(); ++k) {
    const SceneBinding& b = scene.bindings[k];
    if (plane(b.bind.object) != plane(b.to.object))
      faults.add(format("bindings.%zu", k), ": binds a plane body to a body of three dimensions",
                 "bind plane bodies to plane bodies");
  }
}

}  // namespace sinew
