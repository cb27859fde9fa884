// How two objects, or an object and a collider, act on each other: the rule that follows from what the scene says of
// all pairs, of each of the two, and of this pair.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_rule.h"
#include "contact/contact_surface.h"
#include "sinew/scene.h"

namespace sinew {

struct ContactSide {
  ObjectContact own;                                               // what the scene says of it
  double auto_radius = std::numeric_limits<double>::infinity();    // [m] that its mesh suggests; of colliders infinite
  bool touchable = true;                                           // has a surface
  std::string path = {};                                           // in the scene
  double shortest_edge = std::numeric_limits<double>::infinity();  // [m] of an object's surface
  int32_t bodies = 0;
  bool self = true;      // each of its bodies touches itself
  bool on_grid = false;  // of an object whose vertices are embedded, or a collider that holds the nodes of the grid
};

// `pair`: the scene's entry for the two, or null; `bound`: a binding joins them, so that they do not touch unless the
// entry says so, nor do two sides on a grid, which that keeps apart. A value is the entry's; else that of both sides,
// combined, or of the one that has it; else the scene's.
ContactRule contact_rule(const ContactSettings& settings, const ContactSide& a, const ContactSide& b,
                         const SceneContactPair* pair, bool bound);

// The radius that the scene gives to the two [m], if it gives one.
std::optional<double> given_radius(const ContactSettings& settings, const ContactSide& a, const ContactSide& b,
                                   const SceneContactPair* pair);

// Sets the rules of all pairs, as the scene has them now. `sides`: of all objects, then of all colliders. Appends to
// `warnings` which radii are larger than the edges of a surface. Error: one is so large that each vertex would touch
// hundreds of triangles.
Status set_rules(const Scene& scene, std::span<const ContactSide> sides, ContactSurface& surface,
                 std::vector<std::string>& warnings);

}  // namespace sinew
