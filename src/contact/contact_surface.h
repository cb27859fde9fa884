// The surfaces that may touch: those of all bodies, and those of colliders, which no force moves. A *point* is a slot
// of the model, or from slot_count on a vertex of a collider.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "contact/contact_rule.h"
#include "math/vec.h"
#include "mesh/tet_mesh.h"

namespace sinew {

using Edge = std::array<int32_t, 2>;

// A body, one of the copies of an object: what its triangles connect. Or a collider.
struct ContactBody {
  int32_t object = -1;  // as the scene counts objects, then colliders
  int32_t group = 0;    // of the same rules
  bool closed = false;  // has an inside
  bool collider = false;
  bool self = true;  // touches itself; of bodies whose group touches its own
};

// The half space (x - point) . normal <= 0, which is solid. Its points move with `collider`.
struct ContactPlane {
  int32_t collider = -1;  // as ContactBody::object
  int32_t group = 0;
  Vec3d point{}, normal{};  // before any motion; |normal| = 1
  Vec3d along{};            // of length 1 in the plane: how it turns about its normal
};

struct ContactSurface {
  int32_t slot_count = 0;
  std::vector<Vec3d> rest;          // [m] by point: of colliders, before any motion (step/collider_script.h)
  std::vector<Triangle> triangles;  // of points, counter-clockwise seen from outside
  std::vector<ContactBody> bodies;
  std::vector<int32_t> body_of;  // by point; -1: on no surface
  std::vector<ContactPlane> planes;
  int32_t group_count = 0;
  std::vector<ContactRule> rules;  // of groups a and b: [a * group_count + b], symmetric

  // What follows from these.
  std::vector<int32_t> vertices;                       // points that triangles have, ascending
  std::vector<Edge> edges;                             // of triangles, each once, the smaller point first; ascending
  std::vector<std::array<int32_t, 3>> triangle_edges;  // edge k of a triangle joins its corners k and (k + 1) % 3
  std::vector<std::array<int32_t, 2>> edge_triangles;  // its first two triangles; -1: none
  std::vector<double> sharpness;  // of each edge [-]: of its dihedral angle at rest, .1 rad and more: 1; concave: 0

  bool empty() const { return triangles.empty() && planes.empty(); }
  int32_t point_count() const { return static_cast<int32_t>(rest.size()); }
  bool is_collider_point(int32_t point) const { return point >= slot_count; }
  std::span<const int32_t> slots() const;  // vertices that are no collider's
  const ContactRule& rule(int32_t body_a, int32_t body_b) const {
    return rules[static_cast<size_t>(bodies[static_cast<size_t>(body_a)].group * group_count +
                                     bodies[static_cast<size_t>(body_b)].group)];
  }
  const ContactRule& rule(int32_t body, const ContactPlane& plane) const {
    return rules[static_cast<size_t>(bodies[static_cast<size_t>(body)].group * group_count + plane.group)];
  }
  bool may_touch(int32_t body_a, int32_t body_b) const {
    return rule(body_a, body_b).touches && (body_a != body_b || bodies[static_cast<size_t>(body_a)].self);
  }
  // Whether two that touch are guaranteed never to intersect.
  bool kept_apart(int32_t body_a, int32_t body_b) const {
    return may_touch(body_a, body_b) && rule(body_a, body_b).apart;
  }
  bool kept_apart(int32_t body, const ContactPlane& plane) const {
    return rule(body, plane).touches && rule(body, plane).apart;
  }
  bool keeps_any_apart() const;
  double largest_radius() const;  // [m] of all rules
  size_t memory_bytes() const;
};

// Fills in what follows from points, triangles and bodies.
void connect(ContactSurface& surface);

// Whether two places are the same.
inline bool is_same_place(Vec3d a, Vec3d b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Where all points are: slots first, then the vertices of colliders.
struct PointPositions {
  std::span<const Vec3d> slots, colliders;

  Vec3d operator[](int32_t point) const {
    const auto p = static_cast<size_t>(point);
    return p < slots.size() ? slots[p] : colliders[p - slots.size()];
  }
};

}  // namespace sinew
