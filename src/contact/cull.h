// A first look at candidates, in single precision and several at once: which are surely farther apart than a limit. The
// kernels are written once over the lane type (cull_kernel.h) and compiled for each instruction set (kernels_*.cpp).
#pragma once

#include <cstdint>

#include "contact/body_motion.h"
#include "contact/candidates.h"
#include "contact/contact_surface.h"

namespace sinew {

struct CullInput {
  const Vec3d* slots = nullptr;
  const Vec3d* colliders = nullptr;  // points from slot_count on
  int32_t slot_count = 0;
  const Triangle* triangles = nullptr;
  const Edge* edges = nullptr;
  const double* sharpness = nullptr;
  const int32_t* body_of = nullptr;    // by point; needed where there is a motion, as `rest` is
  const Vec3d* rest = nullptr;         // [m] by point
  const BodyMotion* motion = nullptr;  // by body; null: none has moved
  // [m] Candidates are dropped that are farther apart than `reach`. Vertices and triangles must also be farther apart
  // than `depth` and the way between their bodies, or, of one body, than `own_share` of their largest distance at rest
  // and `own_slack`; edges of two bodies only if points move. Infinite: none is too far.
  double reach = 0, depth = 0;
  double own_share = 1, own_slack = 0;
  bool points_move = false;  // they will: edges may come to be closest within their ends
  // [m^2] Of each vertex and triangle, if its limit has been found before (CullKernels::vertex_squares); may be null.
  const float* vertex_squares = nullptr;
};

// Write the numbers of the candidates [0, count) that are left, ascending, and return how many. `kept` has room for
// count + cull_batch.
struct CullKernels {
  // is_clear: of each that is left, whether the vertex is surely farther than `reach` and on the outer side of the
  // triangle's plane; may be null.
  int32_t (*vertex_triangle)(const CullInput& input, const CandidatePairs::VertexTriangle* pairs, int32_t count,
                             int32_t* kept, uint8_t* is_clear);
  // The limits of vertices and triangles, squared. They do not depend on where points are.
  void (*vertex_squares)(const CullInput& input, const CandidatePairs::VertexTriangle* pairs, int32_t count,
                         float* squares);
  // Drops also edges that are not sharp, and, unless points move, pairs whose lines are closest beyond the edges' ends.
  int32_t (*edge_edge)(const CullInput& input, const CandidatePairs::EdgeEdge* pairs, int32_t count, int32_t* kept);
};

inline constexpr int32_t cull_batch = 64;

// float_lanes 1, 4, 8, 16, or 0: those in use (sinew/lanes.h). Null: not available here.
const CullKernels* cull_kernels_with_lanes(int float_lanes);

}  // namespace sinew
