// How two objects, or an object and a collider, act on each other: the rule that follows from what the scene says of
// all pairs, of each of the two, and of this pair.
#pragma once

#include <limits>

#include "contact/contact_rule.h"
#include "sinew/scene.h"

namespace sinew {

struct ContactSide {
  ObjectContact own;                                             // what the scene says of it
  double auto_radius = std::numeric_limits<double>::infinity();  // [m] that its mesh suggests; of colliders infinite
  bool touchable = true;                                         // has a surface
};

// `pair`: the scene's entry for the two, or null; `bound`: a binding joins them, so that they do not touch unless the
// entry says so. A value is the entry's; else that of both sides, combined, or of the one that has it; else the
// scene's.
ContactRule contact_rule(const ContactSettings& settings, const ContactSide& a, const ContactSide& b,
                         const SceneContactPair* pair, bool bound);

// The radius that the scene gives to the two [m], if it gives one.
std::optional<double> given_radius(const ContactSettings& settings, const ContactSide& a, const ContactSide& b,
                                   const SceneContactPair* pair);

}  // namespace sinew
