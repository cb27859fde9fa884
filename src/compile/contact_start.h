// What is done about bodies that intersect, or lie inside each other, when a simulation starts, by the rule
// of the two (contact.start). Those to be separated come first:
//
//   separate   bodies are moved apart as wholes, until nothing intersects and no gap is below its radius. Each pair
//              moves along the shortest of a few ways out: along the coordinate axes, and across the surfaces where
//              they cross. What pins hold and colliders stay; what bindings and springs join moves together
//   allow      pairs that meet pass through each other until they are apart (contact/ignored_pairs.h)
//   refuse     an Error that names the two, the triangles and the place
//
// Triangles are judged exactly (mesh/crossing_triangles.h): surfaces that touch in a point intersect. A gap below the
// radius is no intersection: it is told of, and the law of contact pushes bodies apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compile/compile.h"

namespace sinew {

// To be called with a compiled scene before its first step, not for one that is resumed. Moves compiled.start.x, or
// sets compiled.ignored, and adds what is to be told to compiled.warnings. Errors: intersections, as above; bodies that
// cannot be moved apart.
Status start_contact(const Scene& scene, CompiledScene& compiled, ThreadPool& pool);

// The same for what is added to a simulation that runs: an Error where a body or a collider that is new meets anything,
// also with `separate`; with `allow` they are ignored. `points` [m]: of the surface, slots first; `planes`: its planes
// where they are; `is_new`: of each object, then of each collider.
Status check_added(const Scene& scene, CompiledScene& compiled, std::vector<Vec3d> points,
                   std::vector<ContactPlane> planes, std::span<const uint8_t> is_new, ThreadPool& pool);

// The same for a state that is set: an Error where anything meets.
Status check_placed(const Scene& scene, CompiledScene& compiled, std::vector<Vec3d> points,
                    std::vector<ContactPlane> planes, ThreadPool& pool);

// What intersects, to be shown.
enum class StartMark : char { none, meets, first };  // first: of the two that start_contact names
struct StartView {
  std::vector<Vec3d> points;         // [m] by point of the surface of contact
  std::vector<ContactPlane> planes;  // where they are
  // By triangle of it: that meets another, is of a body inside another, or has a corner below a plane.
  std::vector<StartMark> marks;
};
// As compiled.start has it. In a scene without contact nothing is marked.
StartView view_start(const Scene& scene, CompiledScene& compiled, ThreadPool& pool);

}  // namespace sinew
