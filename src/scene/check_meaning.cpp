#include <algorithm>
#include <cmath>
#include <set>

#include "base/format.h"
#include "base/picture_size.h"
#include "scene/check.h"
#include "scene/describe.h"
#include "scene/mesher_settings.h"
#include "scene/methods.h"
#include "scene/object_kinds.h"
#include "scene/pin_names.h"
#include "scene/region_labels.h"
#include "scene/value_text.h"

namespace sinew {

namespace {

class MeaningCheck {
 public:
  MeaningCheck(const Scene& scene, Faults& faults) : scene_(scene), faults_(faults) {
    for (const SceneMaterial& m : scene.materials) materials_.push_back(m.name);
    for (const SceneObject& o : scene.objects) objects_.push_back(o.name);
  }

  void run() {
    const bool all_of_springs = std::all_of(scene_.objects.begin(), scene_.objects.end(),
                                            [](const SceneObject& o) { return is_of_springs(o.mesh); });
    if (scene_.objects.empty() || !all_of_springs) some("materials", scene_.materials.empty());
    some("objects", scene_.objects.empty());
    if (const Status s = check_pair(scene_.solver); !s.ok())
      faults_.add(s.error().where, " " + s.error().what, s.error().remedy);
    names("materials", materials_);
    names("objects", objects_);
    for (const SceneMaterial& m : scene_.materials) material(m, "materials." + m.name);
    for (const SceneObject& o : scene_.objects) object(o, "objects." + o.name);
    for (size_t k = 0; k < scene_.pins.size(); ++k) pin(scene_.pins[k], format("pins.%zu", k));
    pin_names();
    for (size_t k = 0; k < scene_.loads.size(); ++k) {
      const std::string path = format("loads.%zu", k);
      refers(path + ".object", scene_.loads[k].object, objects_, "object");
      selection(path + ".select", scene_.loads[k].select);
      load(scene_.loads[k], path);
    }
    Words probes;
    for (const SceneProbe& p : scene_.probes) {
      probes.push_back(p.name);
      refers("probes." + p.name + ".object", p.object, objects_, "object");
      selection("probes." + p.name + ".select", p.select);
    }
    names("probes", probes);
    for (size_t k = 0; k < scene_.bindings.size(); ++k) binding(scene_.bindings[k], format("bindings.%zu", k));
    check_plane(scene_, faults_);
    Words colliders;
    for (const SceneCollider& c : scene_.colliders) colliders.push_back(c.name);
    names("colliders", colliders);
    check_contact(scene_, faults_);
    if (scene_.grid) grid();
    if (const RenderSettings& r = scene_.render; !size_fault(r.width, r.height).empty())
      faults_.add("render.width", format(" = %d [px] with height = %d: the picture ", r.width, r.height) +
                                      size_fault(r.width, r.height));
    if (is_zero(scene_.render.camera.direction))
      faults_.add("render.camera.direction", " = [0, 0, 0]: has no direction");
    const CameraSettings& camera = scene_.render.camera;
    if (camera.eye && camera.target && *camera.eye == *camera.target)
      faults_.add("render.camera.target", " = " + vector_text(*camera.target) + ": must not be where eye is");
  }

 private:
  // Of a scene with a grid.
  void guarantees() {
    const auto check = [&](std::optional<ContactGuarantee> guarantee, const std::string& path) {
      if (guarantee == ContactGuarantee::intersection_free)
        faults_.add(path + ".guarantee",
                    " = \"intersection_free\": vertices on a grid move with its nodes, which nothing limits",
                    "leave it out, or leave out grid");
    };
    if (scene_.contact) {
      check(scene_.contact->guarantee, "contact");
      for (size_t k = 0; k < scene_.contact->pairs.size(); ++k)
        check(scene_.contact->pairs[k].guarantee, format("contact.pairs.%zu", k));
    }
    for (const SceneObject& o : scene_.objects) check(o.contact.guarantee, "objects." + o.name + ".contact");
    for (const SceneCollider& c : scene_.colliders) check(c.contact.guarantee, "colliders." + c.name + ".contact");
  }

  void grid() {
    if (scene_.time.quasistatic)
      faults_.add("time.integrator", " = \"quasistatic\": a grid moves with velocities", "leave out grid");
    guarantees();
    for (const SceneObject& o : scene_.objects)
      if (o.on_grid && (is_of_springs(o.mesh) || is_plane(o)))
        faults_.add("objects." + o.name + ".on_grid", ": only bodies of tets can be on a grid", "set it to false");
    for (const SceneObject& o : scene_.objects)
      if (o.on_grid && o.quadratic)
        faults_.add("objects." + o.name + R"(.element = "quadratic")", ": a grid carries linear tets only",
                    "leave it out, or set on_grid to false");
    for (size_t k = 0; k < scene_.pins.size(); ++k)
      if (scene_.pins[k].free != ScenePin::Free::nothing)
        faults_.add(format("pins.%zu.free", k), ": pins hold all directions in scenes with a grid", "leave it out");
  }
  static bool is_zero(const Real3& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

  // A missing key has already been reported.
  void some(const char* path, bool none) {
    if (none && !faults_.names(path)) faults_.add(path, ": there are none", "a scene needs at least one");
  }

  // Names become parts of paths and of file names.
  void names(const std::string& path, const Words& list) {
    std::set<std::string_view> seen;
    for (const std::string_view name : list) {
      const bool has_forbidden = std::any_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
               std::string_view("./\\:*?\"<>|").find(c) != std::string_view::npos;
      });
      const std::string at = path + "." + std::string(name.substr(0, 80));
      if (name.empty() || name.size() > 80 || has_forbidden || name.front() == ' ' || name.back() == ' ')
        faults_.add(at, ": is not a valid name",
                    "use 1 to 80 characters, none of . / \\ : * ? \" < > | and no blank at the ends");
      else if (!seen.insert(name).second)
        faults_.add(at, ": the name is used twice");
    }
  }
  void refers(const std::string& path, const std::string& name, const Words& list, const char* what) {
    // A missing or faulty key has already been reported.
    if (name.empty() || std::find(list.begin(), list.end(), name) != list.end()) return;
    faults_.add(path, " = \"" + name + "\": there is no such " + what, did_you_mean(name, list));
  }

  void material(const SceneMaterial& m, const std::string& path) {
    const auto kind = material_named(m.model);
    if (!kind) return;
    const std::vector<MaterialForm>& forms = material_forms(*kind);
    const MaterialForm& form = forms[form_given(forms, m)];
    const std::vector<double> values = values_of(form, m);
    // What is missing or out of range by itself has been reported.
    for (size_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k]) || !form.parameters[k].range.contains(values[k])) return;
    if (const Error fault = form.fault(values); !fault.what.empty())
      faults_.add(joined({path, ".", fault.where}), " " + fault.what, fault.remedy);
  }

  void filling(const SceneObject& o, const std::string& path) {
    const auto filled = [&](const MesherSettings& settings, const char* form) {
      if (const Status s = check_settings(settings); !s)
        faults_.add(joined({path, ".mesh.", form, ".", s.error().where}),
                    (s.error().what.starts_with('=') ? " " : ": ") + s.error().what, s.error().remedy);
    };
    if (const auto* arrays = std::get_if<MeshArrays>(&o.mesh))
      check_mesh_arrays(*arrays, path + ".mesh.arrays", faults_);
    if (const auto* surface = std::get_if<MeshSurface>(&o.mesh)) filled(surface->settings, "surface");
    if (const auto* shape = std::get_if<MeshShape>(&o.mesh)) {
      filled(shape->settings, "shape");
      if (shape->settings.mesher == Mesher::tetgen)
        faults_.add(path + ".mesh.shape.mesher", " = \"tetgen\": fills surfaces, not shapes", "use stuffing");
      if (shape->settings.sharp_edges)
        faults_.add(path + ".mesh.shape.sharp_edges", " = true: is for surfaces, not shapes", "leave it out");
    }
  }

  void springs(const SceneObject& o, const std::string& path) {
    if (const auto* chain = std::get_if<MeshChain>(&o.mesh); chain && is_zero(chain->direction))
      faults_.add(path + ".mesh.chain.direction", " = [0, 0, 0]: has no direction", "e.g. [0, -1, 0]");
    const auto no_tets = [&](const char* key) {
      faults_.add(path + key, ": chains and grids are made of springs and have no tetrahedra", "leave it out");
    };
    if (!o.material.empty()) no_tets(".material");
    if (!o.skin.empty()) no_tets(".skin");
    if (!o.regions.empty()) no_tets(".regions");
    if (o.stiffness_factors) no_tets(".stiffness_factors");
    if (o.fibres) no_tets(".fibres");
    if (o.quadratic) no_tets(R"(.element = "quadratic")");
  }

  void fibres(const SceneFibres& f, const std::string& path) {
    const auto direction = [&](const std::string& at, const Real3& v) {
      if (is_zero(v)) faults_.add(at, " = [0, 0, 0]: has no direction", "e.g. [1, 0, 0]");
    };
    if (const auto* constant = std::get_if<FibreConstant>(&f.along))
      direction(path + ".direction", constant->direction);
    if (const auto* by = std::get_if<FibreRegions>(&f.along)) {
      std::set<RegionId> labels;
      for (size_t k = 0; k < by->regions.size(); ++k) {
        const std::string at = path + format(".regions.%zu", k);
        direction(at + ".direction", by->regions[k].direction);
        if (!labels.insert(by->regions[k].region).second)
          faults_.add(at + ".region", " = " + region_text(by->regions[k].region) + ": the label is listed twice");
      }
      if (by->regions.empty()) faults_.add(path + ".regions", " = []: gives no fibres to anything");
    }
    if (const auto* ends = std::get_if<FibreHarmonic>(&f.along)) {
      selection(path + ".harmonic.from", ends->from);
      selection(path + ".harmonic.to", ends->to);
    }
    if (f.activation_curve) curve(*f.activation_curve, path + ".activation_curve");
  }

  void load(const SceneLoad& l, const std::string& path) {
    if (l.curve) curve(*l.curve, path + ".curve");
    const auto object = std::find_if(scene_.objects.begin(), scene_.objects.end(),
                                     [&](const SceneObject& o) { return o.name == l.object; });
    if (object == scene_.objects.end() || !is_of_springs(object->mesh)) return;
    if (l.kind == SceneLoad::Kind::body_force)
      faults_.add(path + ".body_force", ": chains and grids are made of points and springs, which have no volume",
                  "use acceleration, a force per mass, or force, in newtons");
    const bool on_faces =
        l.kind == SceneLoad::Kind::traction || l.kind == SceneLoad::Kind::pressure || l.kind == SceneLoad::Kind::wind;
    if (on_faces && std::holds_alternative<MeshChain>(object->mesh))
      faults_.add(path + ".object", " = \"" + l.object + "\": a chain has no faces",
                  "use force, in newtons, or acceleration");
  }

  template <class Curve>
  void curve(const Curve& curve, const std::string& path) {
    const auto& [times, values] = curve;
    if (times.empty() || times.size() != values.size())
      faults_.add(path + ".values", format(": %zu, but there are %zu times", values.size(), times.size()),
                  "give one for each time, and one time at least");
    for (size_t k = 1; k < times.size(); ++k)
      if (!(times[k] > times[k - 1]))
        faults_.add(path + format(".times.%zu", k),
                    " = " + number_text(times[k]) + " [s]: must be after the one before it", "order them");
  }

  void object(const SceneObject& o, const std::string& path) {
    filling(o, path);
    if (is_of_springs(o.mesh))
      springs(o, path);
    else if (o.material.empty() && o.regions.empty() && !faults_.names(path + ".material") && !faults_.names(path))
      faults_.add(path + ".material", ": missing", "the name of one of the materials");
    refers(path + ".material", o.material, materials_, "material");
    std::set<RegionId> labels;
    for (const auto& [label, material] : o.regions) {
      const std::string at = path + ".regions." + region_text(label);
      refers(at, material, materials_, "material");
      if (!labels.insert(label).second) faults_.add(at, ": the label is listed twice");
    }
    if (o.fibres) fibres(*o.fibres, path + ".fibres");
    check_transform(o.transform, path + ".transform", faults_);
  }

  void selection(const std::string& path, const Selection& selection) {
    if (const auto* box = std::get_if<SelectBox>(&selection)) {
      for (size_t k = 0; k < 3; ++k)
        if (box->min[k] > box->max[k]) {
          faults_.add(path + ".box.min",
                      " = " + vector_text(box->min) + " [m]: must not be above max = " + vector_text(box->max));
          break;
        }
    } else if (const auto* plane = std::get_if<SelectPlane>(&selection)) {
      if (is_zero(plane->normal))
        faults_.add(path + ".plane.normal", " = [0, 0, 0]: has no direction", "e.g. [1, 0, 0]");
    } else if (const auto* list = std::get_if<SelectIndices>(&selection)) {
      if (list->indices.empty()) faults_.add(path + ".indices", " = []: selects nothing");
    }
  }

  void binding(const SceneBinding& b, const std::string& path) {
    refers(path + ".bind.object", b.bind.object, objects_, "object");
    refers(path + ".to.object", b.to.object, objects_, "object");
    selection(path + ".bind.select", b.bind.select);
    selection(path + ".to.select", b.to.select);
    for (const SceneObject& o : scene_.objects)
      if (o.name == b.to.object && std::holds_alternative<MeshChain>(o.mesh))
        faults_.add(path + ".to.object", " = \"" + o.name + "\": a chain has no surface to bind to",
                    "exchange bind and to");
  }

  void pin(const ScenePin& p, const std::string& path) {
    refers(path + ".object", p.object, objects_, "object");
    selection(path + ".select", p.select);
    check_motion(p.motion, path + ".motion", faults_);
    const auto goes_with = [&](const std::optional<Real3>& v, const char* key, bool wanted, const char* word) {
      const std::string at = path + "." + key;
      if (wanted && !v)
        faults_.add(at, ": missing", format("free = \"%s\" needs it, e.g. [0, 1, 0]", word));
      else if (!wanted && v)
        faults_.add(at, format(": goes with free = \"%s\" only", word), "leave it out");
      else if (v && is_zero(*v))
        faults_.add(at, " = [0, 0, 0]: has no direction", "e.g. [0, 1, 0]");
    };
    goes_with(p.normal, "normal", p.free == ScenePin::Free::plane, "plane");
    goes_with(p.direction, "direction", p.free == ScenePin::Free::axis, "axis");
  }

  // Checks the names of columns, including those that pins have by their numbers.
  void pin_names() {
    std::set<std::string> seen;
    for (size_t k = 0; k < scene_.pins.size(); ++k) {
      const std::string name = pin_name(scene_.pins[k], k);
      if (const bool is_new = seen.insert(name).second; !is_new)
        faults_.add(format("pins.%zu.name", k), " = \"" + name + "\": another pin has this name", "give it another");
    }
  }

  const Scene& scene_;
  Faults& faults_;
  Words materials_, objects_;
};

}  // namespace

void check_meaning(const Scene& scene, Faults& faults) {
  MeaningCheck(scene, faults).run();
}

}  // namespace sinew
