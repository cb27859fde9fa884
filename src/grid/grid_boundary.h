// What colliders do to the nodes of a grid inside them: nodes move with a sticky collider, and slip along another,
// which they may leave but not enter (Jiang et al. 2015, section 6).
#pragma once

#include <span>
#include <vector>

#include "math/vec.h"

namespace sinew {

// Of a node inside a collider.
struct NodeInside {
  Vec3d normal;    // out of the collider, of length 1
  Vec3d velocity;  // [m/s] of the collider there
  bool sticky = false;
};

// The velocity that a node may have, and the projector onto the directions in which it is given.
struct NodeBounds {
  Vec3d velocity{};
  Sym3<double> fixed{};
  int rank = 0;  // 0: it is free; 3: nothing is
};
// v [m/s]: of the node without colliders.
NodeBounds bounded(Vec3d v, std::span<const NodeInside> inside);

}  // namespace sinew
