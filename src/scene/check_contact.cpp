// Checks of contact and colliders: shapes that enclose something, pairs that can touch.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/format.h"
#include "scene/check.h"
#include "scene/mesher_settings.h"
#include "scene/object_kinds.h"
#include "scene/value_text.h"

namespace sinew {

namespace {

class ContactCheck {
 public:
  ContactCheck(const Scene& scene, Faults& faults) : scene_(scene), faults_(faults) {
    for (const SceneObject& o : scene.objects) objects_.push_back(o.name);
    for (const SceneCollider& c : scene.colliders) colliders_.push_back(c.name);
  }

  void run() {
    for (const SceneObject& o : scene_.objects) {
      if (o.contact == ObjectContact{}) continue;
      if (const char* kind = apart(o))
        faults_.add("objects." + o.name + ".contact", format(": %s take no part in contact yet", kind), "leave it out");
    }
    for (const SceneCollider& c : scene_.colliders) collider(c, "colliders." + c.name);
    if (!scene_.contact) return;
    for (size_t k = 0; k < scene_.contact->pairs.size(); ++k)
      pair(scene_.contact->pairs[k], format("contact.pairs.%zu", k));
  }

 private:
  // Objects that nothing touches, in the plural; null: it can be touched.
  static const char* apart(const SceneObject& o) {
    if (is_of_springs(o.mesh)) return "chains, grids and other springs";
    return is_plane(o) ? "bodies of plane strain" : nullptr;
  }
  static bool has(const Words& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  }

  void corners(const Real3& min, const Real3& max, const std::string& path) {
    for (size_t k = 0; k < 3; ++k) {
      if (min[k] < max[k] || std::isnan(min[k]) || std::isnan(max[k])) continue;
      faults_.add(path + ".min", " = " + vector_text(min) + " [m]: must be below max = " + vector_text(max));
      return;
    }
  }
  void arrays(const ColliderArrays& mesh, const std::string& path) {
    const size_t count = mesh.vertices.size() / 3;
    if (mesh.vertices.empty() || mesh.vertices.size() % 3 != 0)
      faults_.add(path + ".vertices", format(": %zu numbers", mesh.vertices.size()), "give three for each vertex");
    if (mesh.triangles.empty() || mesh.triangles.size() % 3 != 0)
      faults_.add(path + ".triangles", format(": %zu numbers", mesh.triangles.size()),
                  "give three vertices for each triangle");
    for (size_t k = 0; k < mesh.triangles.size(); ++k) {
      if (mesh.triangles[k] >= 0 && static_cast<size_t>(mesh.triangles[k]) < count) continue;
      faults_.add(format("%s.triangles.%zu", path.c_str(), k),
                  format(" = %lld: the mesh has %zu vertices", static_cast<long long>(mesh.triangles[k]), count),
                  "vertices are numbered from 0");
      break;
    }
  }
  void solid(const ColliderSolid& solid, const std::string& path) {
    if (const Status s = check_settings(solid.settings); !s)
      faults_.add(joined({path, ".", s.error().where}), (s.error().what.starts_with('=') ? " " : ": ") + s.error().what,
                  s.error().remedy);
    if (solid.settings.mesher == Mesher::tetgen)
      faults_.add(path + ".mesher", " = \"tetgen\": fills surfaces, not shapes", "use stuffing");
    if (solid.settings.sharp_edges)
      faults_.add(path + ".sharp_edges", " = true: is for surfaces, not shapes", "leave it out");
  }

  void collider(const SceneCollider& c, const std::string& path) {
    if (has(objects_, c.name)) faults_.add(path, ": an object has this name", "give it another");
    const std::string shape = path + ".shape";
    if (const auto* half = std::get_if<ColliderHalfSpace>(&c.shape)) {
      const Real3& n = half->normal;
      if (n[0] == 0 && n[1] == 0 && n[2] == 0)
        faults_.add(shape + ".half_space.normal", " = [0, 0, 0]: has no direction", "e.g. [0, 1, 0]");
    }
    if (const auto* box = std::get_if<ColliderBox>(&c.shape)) corners(box->min, box->max, shape + ".box");
    if (const auto* box = std::get_if<ColliderInwardBox>(&c.shape)) corners(box->min, box->max, shape + ".inward_box");
    if (const auto* mesh = std::get_if<ColliderArrays>(&c.shape)) arrays(*mesh, shape + ".arrays");
    if (const auto* of = std::get_if<ColliderSolid>(&c.shape)) solid(*of, shape + ".solid");
    check_transform(c.transform, path + ".transform", faults_);
    check_motion(c.motion, path + ".motion", faults_);
    for (size_t k = 0; k < c.motion.keyframes.size(); ++k) {
      const Real3& scale = c.motion.keyframes[k].scale;
      if (*std::min_element(scale.begin(), scale.end()) > 0) continue;
      faults_.add(path + format(".motion.keyframes.%zu.scale", k),
                  " = " + vector_text(scale) + " [-]: must be above 0, or it is turned inside out");
    }
    if (c.contact.self) faults_.add(path + ".contact.self", ": colliders do not touch themselves", "leave it out");
  }

  void side(const std::string& name, const std::string& path) {
    if (name.empty()) return;  // that has been reported
    const auto object = std::find_if(scene_.objects.begin(), scene_.objects.end(),
                                     [&](const SceneObject& o) { return o.name == name; });
    if (object != scene_.objects.end()) {
      if (const char* kind = apart(*object))
        faults_.add(path, " = \"" + name + format("\": %s take no part in contact yet", kind), "leave the pair out");
      return;
    }
    if (has(colliders_, name)) return;
    Words all = objects_;
    all.insert(all.end(), colliders_.begin(), colliders_.end());
    faults_.add(path, " = \"" + name + "\": there is no such object or collider", did_you_mean(name, all));
  }
  void pair(const SceneContactPair& p, const std::string& path) {
    side(p.a, path + ".a");
    if (p.b != p.a) side(p.b, path + ".b");
    if (has(colliders_, p.a) && has(colliders_, p.b))
      faults_.add(path, p.a == p.b ? ": colliders do not touch themselves" : ": colliders do not touch each other",
                  "one of the two must be an object");
    if (const bool is_new = seen_.insert(std::minmax(p.a, p.b)).second; !is_new && !p.a.empty() && !p.b.empty())
      faults_.add(path, ": '" + p.a + "' and '" + p.b + "' are paired twice", "give all in one entry");
  }

  const Scene& scene_;
  Faults& faults_;
  Words objects_, colliders_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

void check_contact(const Scene& scene, Faults& faults) {
  ContactCheck(scene, faults).run();
}

}  // namespace sinew
