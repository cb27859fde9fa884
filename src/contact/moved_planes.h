// Colliders that are half spaces, on their ways under Limits: they stop for what is above them.
#pragma once

#include <span>
#include <vector>

#include "contact/contact_surface.h"
#include "contact/ignored_pairs.h"

namespace sinew {

// The half spaces [first, last) of a collider, moved from where they are towards `wanted` as far as the points of
// bodies let all of them, which stay above. Points that are not above one now do not count, nor those of bodies that it
// is ignored with. The least gap as in Limits::divide.
std::vector<ContactPlane> moved_planes(const ContactSurface& surface, std::span<const ContactPlane> now,
                                       std::span<const ContactPlane> wanted, size_t first, PointPositions x,
                                       double least_gap, const IgnoredPairs& ignored = {});

}  // namespace sinew
