// Colliders of a grid in a step: which points are inside, and how these move.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "grid/grid_boundary.h"
#include "grid/grid_shape.h"
#include "step/collider_script.h"

namespace sinew {

struct GridCollider {
  std::string place;  // for messages
  std::shared_ptr<const GridShape> shape;
  size_t script;  // its number among the colliders of the scene
};

// A point inside colliders.
struct InnerPoint {
  int32_t number;
  std::vector<NodeInside> of;
};

struct ColliderStep {
  double start, h;  // [s]
  bool sticky;
  double spacing;  // [m] of the grid
  double depth;    // [m] of points that count as inside
};

// By ascending number, without those to be skipped. Colliders are where their scripts have them at the start of the
// step. Errors: one
// that moves by more than a cell where points are.
Result<std::vector<InnerPoint>> points_inside(std::span<const Vec3d> points, std::span<const uint8_t> skip,
                                              std::span<const GridCollider> colliders,
                                              std::span<const ColliderScript> scripts, const ColliderStep& step,
                                              ThreadPool& pool);

}  // namespace sinew
