#include "compile/contacts.h"

#include <algorithm>
#include <numbers>
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

// Bodies are joined by tets, so that a hollow ball is one.
DisjointSets bodies_of(const TetMesh& mesh, const ObjectPart& part) {
  DisjointSets bodies(static_cast<size_t>(part.last_vertex - part.first_vertex));
  for (int32_t e = part.first_tet; e < part.last_tet; ++e) {
    const Tet& t = mesh.tets[static_cast<size_t>(e)];
    for (size_t k = 1; k < 4; ++k) bodies.join(t[k] - part.first_vertex, t[0] - part.first_vertex);
    if (mesh.middles.empty()) continue;
    for (const int32_t v : mesh.middles[static_cast<size_t>(e)])
      if (v != no_middle) bodies.join(v - part.first_vertex, t[0] - part.first_vertex);
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

void measure(Draft& draft, const ObjectPart& part, ContactSide& side) {
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
  side.auto_radius = radius_per_edge * sum / (3 * static_cast<double>(part.surface.size()));
  if (flat > 0)
    draft.warn(side.path + format(".mesh: %zu triangle%s of its surface (number %zu%s) without area; contact is found "
                                  "by the edges there",
                                  flat, flat == 1 ? "" : "s", first_flat, flat == 1 ? "" : " and others"));
}

void add_object(Draft& draft, size_t object, ContactSide& side) {
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

Status add_collider(Draft& draft, size_t collider, ContactSide& side) {
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
  script.middle = made->middle;
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

void number_points(Draft& draft) {
  ContactSurface& surface = draft.out.contact_surface;
  surface.slot_count = draft.out.model.order.slot_count();
  surface.rest = draft.out.model.order.to_slots(draft.mesh.vertices, Vec3d{});
  surface.body_of.assign(surface.rest.size(), -1);
}

}  // namespace

MotionScript motion_of(const Motion& motion, Vec3d middle) {
  MotionScript script;
  script.center = motion.center ? to_vec(*motion.center) : middle;
  script.axis = to_vec(motion.axis);
  script.smooth = motion.smooth;
  for (const Keyframe& k : motion.keyframes)
    script.keys.push_back({k.time, to_vec(k.translate), k.rotate_degrees * std::numbers::pi / 180, to_vec(k.scale)});
  return script;
}

Status add_grid_surface(Draft& draft) {
  number_points(draft);
  for (size_t k = 0; k < draft.scene.colliders.size(); ++k) {
    ContactSide side;
    side.path = "colliders." + draft.scene.colliders[k].name;
    if (Status s = add_collider(draft, k, side); !s) return s;
  }
  draft.out.grid_surface = std::exchange(draft.out.contact_surface, {});
  return {};
}

Status add_contacts(Draft& draft) {
  const Scene& scene = draft.scene;
  const ContactSettings settings = scene.contact.value_or(ContactSettings{});
  if (scene.objects.size() + scene.colliders.size() > most_groups)
    return draft.fault(format("objects: %zu of them, with colliders: pairs of more than %zu are too many for contact",
                              scene.objects.size() + scene.colliders.size(), most_groups),
                       "make bodies of one shape copies of one object");
  ContactSurface& surface = draft.out.contact_surface;
  number_points(draft);
  draft.out.detect_contact_every = settings.detect_every;

  std::vector<ContactSide>& sides = draft.out.contact_sides;
  for (size_t k = 0; k < scene.objects.size(); ++k) {
    const SceneObject& o = scene.objects[k];
    ContactSide side;
    side.own = o.contact;
    side.path = "objects." + o.name;
    side.on_grid = scene.grid && o.on_grid;
    const bool springs = is_of_springs(o.mesh);
    side.self = o.contact.self.value_or(settings.self);
    side.touchable = !springs && !is_plane(o) && !draft.out.objects[k].surface.empty();
    if (side.touchable)
      add_object(draft, k, side);
    else
      draft.warn(side.path + (springs ? ": chains, grids and other springs take no part in contact yet: it passes "
                                        "through everything"
                                      : ": bodies of plane strain take no part in contact yet: it passes through "
                                        "everything"));
    sides.push_back(std::move(side));
  }
  for (size_t k = 0; k < scene.colliders.size(); ++k) {
    ContactSide side;
    side.own = scene.colliders[k].contact;
    side.path = "colliders." + scene.colliders[k].name;
    side.on_grid = scene.grid.has_value();
    if (Status s = add_collider(draft, k, side); !s) return s;
    sides.push_back(std::move(side));
  }
  if (settings.law == ContactLaw::penalty && settings.radius)
    draft.warn(format("contact.radius = %g m is not used: penalties begin where surfaces meet", *settings.radius));
  if (Status s = set_rules(scene, sides, surface, draft.out.warnings); !s) return s;
  connect(surface);
  return {};
}

}  // namespace sinew
