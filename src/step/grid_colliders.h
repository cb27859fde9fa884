// Colliders of a grid in a step: which nodes are inside, and how these move.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "grid/grid_boundary.h"
#include "grid/grid_embedding.h"
#include "grid/grid_shape.h"
#include "step/collider_script.h"

namespace sinew {

struct GridCollider {
  std::string place;  // for messages
  std::shared_ptr<const GridShape> shape;
  ColliderMotion motion;
};

// A node inside colliders.
struct InnerNode {
  int32_t number;
  std::vector<NodeInside> of;
};

struct ColliderStep {
  double start, h;  // [s]
  bool sticky;
};

// By ascending number, without those that are held. Colliders are where they are at the start of the step. Errors: one
// that moves by more than a cell where nodes are.
Result<std::vector<InnerNode>> nodes_inside(const GridEmbedding& embedding, std::span<const uint8_t> held,
                                            std::span<const GridCollider> colliders, const ColliderStep& step,
                                            ThreadPool& pool);

}  // namespace sinew
