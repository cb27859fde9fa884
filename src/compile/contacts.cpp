#include "compile/contacts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "base/format.h"
#include "base/nearest.h"
#include "compile/collider_mesh.h"
#include "compile/collider_shapes.h"
#include "compile/contact_rules.h"
#include "math/length.h"
#include "mesh/disjoint_sets.h"
#include "mesh/simplices.h"
#include "scene/object_kinds.h"
#include "scene/places.h"

namespace sinew {

namespace {

// [-] Share of the mean edge of a surface at which its contacts begin.
constexpr double radius_per_edge = 0.15;
// The rules of all pairs of them take a gigabyte.
constexpr size_t most_groups = 5000;

// What the rules are made of, and what is said about them.
struct Side {
  ContactSide rules;
  std::string path;
  double shortest_edge = std::numeric_limits<double>::infinity();  // [m]
  int32_t bodies = 0;
  bool self = true;  // whether each of them touches itself
};

// Bodies are joined by tets, so that a hollow ball is one.
DisjointSets bodies_of(const TetMesh& mesh, const ObjectPart& part) {
  DisjointSets bodies(static_cast<size_t>(part.last_vertex - part.first_vertex));
  for (int32_t e = part.first_tet; e < part.last_tet; ++e) {
    const Tet& t = mesh.tets[static_cast<size_t>(e)];
    for (size_t k = 1; k < 4; ++k) bodies.join(t[k] - part.first_vertex, t[0] - part.first_vertex);
  }
  return bodies;
}

// A surface is closed if each of its edges is passed as often in one direction as in the other.
void find_open(ContactSurface& surface, size_t first_triangle) {
  std::vector<Keyed<2>> edges;
  edges.reserve(3 * (surface.triangles.size() - first_triangle));
  for (size_t k = first_triangle; k < surface.triangles.size(); ++k) {
    const Triangle& t = surface.triangles[k];
    for (size_t c = 0; c < 3; ++c) {
      const int32_t a = t[c], b = t[(c + 1) % 3];
      edges.push_back({rising<2>({a, b}), a < b});
    }
  }
  for_each_group(sort_by_vertices(edges, surface.rest.size()), [&](std::span<const Keyed<2>> group) {
    size_t up = 0;
    for (const Keyed<2>& edge : group) up += static_cast<size_t>(edge.item);
    const int32_t body = surface.body_of[static_cast<size_t>(group[0].key[0])];
    if (2 * up != group.size()) surface.bodies[static_cast<size_t>(body)].closed = false;
  });
}

void measure(Draft& draft, const ObjectPart& part, Side& side) {
  double sum = 0;
  size_t flat = 0, first_flat = 0;
  for (size_t k = 0; k < part.surface.size(); ++k) {
    const Triangle& t = part.surface[k];
    const auto at = [&](size_t c) { return draft.mesh.vertices[static_cast<size_t>(t[c % 3])]; };
    for (size_t c = 0; c < 3; ++c) {
      const double edge = length(at(c + 1) - at(c));
      sum += edge;
      side.shortest_edge = std::min(side.shortest_edge, edge);
    }
    if (length(cross(at(1) - at(0), at(2) - at(0))) > 0) continue;
    if (flat++ == 0) first_flat = k;
  }
  side.rules.auto_radius = radius_per_edge * sum / (3 * static_cast<double>(part.surface.size()));
  if (flat > 0)
    draft.warn(side.path + format(".mesh: %zu triangle%s of its surface (number %zu%s) without area; contact is found "
                                  "by the edges there",
                                  flat, flat == 1 ? "" : "s", first_flat, flat == 1 ? "" : " and others"));
}

void add_object(Draft& draft, size_t object, Side& side) {
  ContactSurface& surface = draft.out.contact_surface;
  const ObjectPart& part = draft.out.objects[object];
  measure(draft, part, side);
  DisjointSets bodies = bodies_of(draft.mesh, part);
  std::vector<int32_t> number(static_cast<size_t>(part.last_vertex - part.first_vertex), -1);  // of a body
  const size_t first_triangle = surface.triangles.size();
  const size_t first_body = surface.bodies.size();
  for (const Triangle& t : part.surface) {
    Triangle slots{};
    for (size_t k = 0; k < 3; ++k) {
      int32_t& body = number[static_cast<size_t>(bodies.find(t[k] - part.first_vertex))];
      if (body < 0) {
        body = static_cast<int32_t>(surface.bodies.size());
        const auto at = static_cast<int32_t>(object);
        surface.bodies.push_back({.object = at, .group = at, .closed = true, .collider = false, .self = side.self});
      }
      slots[k] = draft.slot_of(t[k]);
      surface.body_of[static_cast<size_t>(slots[k])] = body;
    }
    surface.triangles.push_back(slots);
  }
  find_open(surface, first_triangle);
  side.bodies = static_cast<int32_t>(surface.bodies.size() - first_body);
}

MotionScript motion_of(const Motion& motion, Vec3d middle) {
  MotionScript script;
  script.center = motion.center ? to_vec(*motion.center) : middle;
  script.axis = to_vec(motion.axis);
  script.smooth = motion.smooth;
  for (const Keyframe& k : motion.keyframes)
    script.keys.push_back({k.time, to_vec(k.translate), k.rotate_degrees * std::numbers::pi / 180, to_vec(k.scale)});
  return script;
}

Status add_collider(Draft& draft, size_t collider, Side& side) {
  const SceneCollider& of = draft.scene.colliders[collider];
  ContactSurface& surface = draft.out.contact_surface;
  Result<ColliderSurface> made = collider_surface(of, draft.folder(), draft.pool);
  if (!made) return draft.fault(side.path + ".shape", made.error());
  for (const std::string& sentence : made->warnings) draft.warn(joined({side.path, ".shape: ", sentence}));
  if (static_cast<double>(surface.rest.size()) + static_cast<double>(made->mesh.vertices.size()) > most_items)
    return draft.fault(side.path + ".shape: all meshes together have more than 2^31 vertices", "use coarser ones");

  const auto object = static_cast<int32_t>(draft.scene.objects.size() + collider);
  ColliderScript script;
  static_cast<MotionScript&>(script) = motion_of(of.motion, made->middle);
  script.first_point = surface.point_count();
  script.first_plane = static_cast<int32_t>(surface.planes.size());
  const auto body = static_cast<int32_t>(surface.bodies.size());
  if (!made->mesh.triangles.empty())
    surface.bodies.push_back(
        {.object = object, .group = object, .closed = made->closed, .collider = true, .self = false});
  surface.rest.insert(surface.rest.end(), made->mesh.vertices.begin(), made->mesh.vertices.end());
  surface.body_of.resize(surface.rest.size(), body);
  for (const Triangle& t : made->mesh.triangles)
    surface.triangles.push_back({t[0] + script.first_point, t[1] + script.first_point, t[2] + script.first_point});
  for (const ColliderSurface::Plane& plane : made->planes)
    surface.planes.push_back({.collider = object,
                              .group = object,
                              .point = plane.point,
                              .normal = plane.normal,
                              .along = direction_across(plane.normal)});
  script.last_point = surface.point_count();
  script.last_plane = static_cast<int32_t>(surface.planes.size());
  draft.out.colliders.push_back(std::move(script));
  draft.out.collider_parts.push_back({of.name, object, of.color});
  return {};
}

class Rules {
 public:
  Rules(const Scene& scene, const ContactSettings& settings, const std::vector<Side>& sides)
      : settings_(settings), sides_(sides) {
    std::map<std::string_view, size_t> number;
    for (const SceneObject& o : scene.objects) number.emplace(o.name, number.size());
    for (const SceneCollider& c : scene.colliders) number.emplace(c.name, number.size());
    for (const SceneContactPair& p : settings.pairs) pairs_[std::minmax({number.at(p.a), number.at(p.b)})] = &p;
    // Two parts of one object that are bound together still touch: only pairs of objects have a rule.
    for (const SceneBinding& b : scene.bindings)
      if (b.bind.object != b.to.object) bound_.insert(std::minmax({number.at(b.bind.object), number.at(b.to.object)}));
  }

  ContactRule of(size_t a, size_t b) const {
    const std::pair<size_t, size_t> both{std::min(a, b), std::max(a, b)};
    return contact_rule(settings_, sides_[a].rules, sides_[b].rules, entry(both), bound_.contains(both));
  }
  std::optional<double> radius_given(size_t a, size_t b) const {
    return given_radius(settings_, sides_[a].rules, sides_[b].rules, entry({std::min(a, b), std::max(a, b)}));
  }

 private:
  const SceneContactPair* entry(std::pair<size_t, size_t> both) const {
    const auto at = pairs_.find(both);
    return at == pairs_.end() ? nullptr : at->second;
  }

  const ContactSettings& settings_;
  const std::vector<Side>& sides_;
  std::map<std::pair<size_t, size_t>, const SceneContactPair*> pairs_;
  std::set<std::pair<size_t, size_t>> bound_;
};

void add_rules(Draft& draft, const ContactSettings& settings, const std::vector<Side>& sides) {
  ContactSurface& surface = draft.out.contact_surface;
  const Rules rules(draft.scene, settings, sides);
  const size_t objects = draft.scene.objects.size(), groups = sides.size();
  surface.group_count = static_cast<int32_t>(groups);
  surface.rules.resize(groups * groups);
  for (size_t a = 0; a < groups; ++a)
    for (size_t b = a; b < groups; ++b) {
      ContactRule rule = rules.of(a, b);
      if (a >= objects) rule.touches = false;  // two colliders
      if (a == b && sides[a].bodies == 1 && !sides[a].self) rule.touches = false;
      surface.rules[a * groups + b] = surface.rules[b * groups + a] = rule;
    }
  for (size_t a = 0; a < objects; ++a) {
    double given = 0;
    for (size_t b = 0; b < groups; ++b) {
      const ContactRule& rule = surface.rules[a * groups + b];
      if (rule.touches && rule.law == ContactLaw::offset) given = std::max(given, rules.radius_given(a, b).value_or(0));
    }
    if (given > sides[a].shortest_edge)
      draft.warn(sides[a].path + format(": contacts begin at a radius of %g m, more than the shortest edge of its "
                                        "surface, %g m: finer features are rounded off and touch each other; take "
                                        "contact.radius = \"auto\", here %.3g m, or a coarser mesh",
                                        given, sides[a].shortest_edge, sides[a].rules.auto_radius));
  }
}

}  // namespace

Status add_contacts(Draft& draft) {
  const Scene& scene = draft.scene;
  const ContactSettings settings = scene.contact.value_or(ContactSettings{});
  if (scene.objects.size() + scene.colliders.size() > most_groups)
    return draft.fault(format("objects: %zu of them, with colliders: pairs of more than %zu are too many for contact",
                              scene.objects.size() + scene.colliders.size(), most_groups),
                       "make bodies of one shape copies of one object");
  ContactSurface& surface = draft.out.contact_surface;
  surface.slot_count = draft.out.model.order.slot_count();
  surface.rest = draft.out.model.order.to_slots(draft.mesh.vertices, Vec3d{});
  surface.body_of.assign(surface.rest.size(), -1);
  draft.out.contact = {settings.guarantee, settings.start, settings.detect_every};

  std::vector<Side> sides;
  for (size_t k = 0; k < scene.objects.size(); ++k) {
    const SceneObject& o = scene.objects[k];
    Side side{.rules = {.own = o.contact}, .path = "objects." + o.name};
    const bool springs = is_of_springs(o.mesh);
    side.self = o.contact.self.value_or(settings.self);
    side.rules.touchable = !springs && !is_plane(o) && !draft.out.objects[k].surface.empty();
    if (side.rules.touchable)
      add_object(draft, k, side);
    else
      draft.warn(side.path + (springs ? ": chains, grids and other springs take no part in contact yet: it passes "
                                        "through everything"
                                      : ": bodies of plane strain take no part in contact yet: it passes through "
                                        "everything"));
    sides.push_back(std::move(side));
  }
  for (size_t k = 0; k < scene.colliders.size(); ++k) {
    Side side{.rules = {.own = scene.colliders[k].contact}, .path = "colliders." + scene.colliders[k].name};
    if (Status s = add_collider(draft, k, side); !s) return s;
    sides.push_back(std::move(side));
  }
  if (settings.law == ContactLaw::penalty && settings.radius)
    draft.warn(format("contact.radius = %g m is not used: penalties begin where surfaces meet", *settings.radius));
  add_rules(draft, settings, sides);
  connect(surface);
  return {};
}

}  // namespace sinew
