// Moves all points at once, straight to where they would like to go, before boxes of motion enclose what is left of
// their ways. Boxes have to hold for points that move one after the other; those of whole ways would enclose much that
// goes the same way and never meets.
//
// That nothing meets on the way is certified by continuous detection (ccd.h), of pairs whose boxes overlap at one time.
// Points of a pair that would meet go on together as long as they do not; what these may meet in turn is looked at
// again. Half spaces are kept to by each point for itself.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "contact/candidates.h"
#include "contact/contact_surface.h"
#include "contact/ignored_pairs.h"
#include "contact/surface_tree.h"

namespace sinew {

struct CarryQuery {
  const ContactSurface* surface = nullptr;
  std::span<const Vec3d> from, to;   // [m] by slot; `from` as it is stored
  bool single = false;               // floats are
  std::span<const Vec3d> colliders;  // [m] which stand still
  std::span<const ContactPlane> planes;
  const IgnoredPairs* ignored = nullptr;           // with half spaces
  std::function<void(CandidatePairs&)> leave_out;  // drops pairs that may intersect
  double radius = 0;                               // [m] of contact
  double least_gap = 0;                            // [m] what is nearer stays where it is
};

// Where the points of surfaces are then, by slot, as stored. Empty: it cannot be done, and they stay where they are.
std::vector<Vec3d> carry(const CarryQuery& query, SurfaceTree& tree, ThreadPool& pool);

}  // namespace sinew
