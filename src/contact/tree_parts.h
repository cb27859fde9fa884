// What a SurfaceTree consists of, as its kernels see it. They are written once over the lane type (tree_kernel.h) and
// compiled for each instruction set (kernels_*.cpp).
#pragma once

#include <cstdint>

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

// The children of a node, the triangles of a leaf, and as many of its vertices or edges as are tested at once.
inline constexpr int block_size = 16;

struct alignas(64) BoxBlock {
  float low[3][block_size], high[3][block_size];
};

// Up to 16 triangles of one body, with the vertices and edges that are met in them first. A vertex has a *seat*: the
// blocks of all leaves' vertices, numbered throughout; so have edges. A leaf begins at a new block of each.
struct TreeLeaf {
  int32_t vertex_block = 0, edge_block = 0;          // its first ones
  int32_t vertices = 0, edges = 0, sharp_edges = 0;  // sharp ones come first
  int32_t side = 0;                                  // row and column of TreeParts::meets
  int32_t body = 0;
  int32_t first_neighbour = 0, last_neighbour = 0;  // of TreeParts::neighbours
  bool crowded = false;                             // has a point that too many leaves share for masks
};
// A leaf with a higher or the same number that shares points, and the rows of 16 bits that say which primitives do:
//   for each vertex of this leaf, the triangles of the other;
//   unless the two are one, for each vertex of the other, the triangles of this one;
//   for each block of the other's edges, for each edge of this leaf, the edges of that block, and if the two leaves are
//   one, the edge itself and those before it in its block, so that each pair is found once.
struct LeafNeighbour {
  int32_t leaf;
  int64_t first_row;
};
struct LeafPair {
  int32_t a, b;  // a <= b
};
// [m] Boxes go no farther: infinite ones would overlap those that are empty.
inline constexpr float farthest_side = 3e38f, longest_reach = 1e38f;
// By how much boxes reach farther down and up along each axis [m].
struct Reach {
  float below[3]{}, above[3]{};
};

SINEW_INLINE bool is_zero(Vec3d a) {
  return a.x == 0 && a.y == 0 && a.z == 0;
}

// How far the boxes of a body reach back that has come this way [m].
SINEW_INLINE Reach reach_of(Vec3d way, double rounding) {
  Reach reach;
  const double ways[3] = {way.x, way.y, way.z};
  for (int axis = 0; axis < 3; ++axis) {
    // Rounded up, and more than what is lost where it is added.
    const double down = ((ways[axis] > 0 ? ways[axis] : 0) + rounding) * (1 + 1.3e-7);
    const double up = ((ways[axis] < 0 ? -ways[axis] : 0) + rounding) * (1 + 1.3e-7);
    reach.below[axis] = static_cast<float>(down < longest_reach ? down : longest_reach);
    reach.above[axis] = static_cast<float>(up < longest_reach ? up : longest_reach);
  }
  return reach;
}

struct TreeParts {
  int32_t leaf_count = 0;
  const TreeLeaf* leaves = nullptr;
  const LeafNeighbour* neighbours = nullptr;
  const uint16_t* rows = nullptr;  // the first 16 are empty, for leaves that share no point
  const uint8_t* meets = nullptr;  // whether sides a and b may touch: [a * side_count + b]
  int32_t side_count = 0;

  const int32_t* point_of = nullptr;     // by seat of a vertex; -1: empty
  const int32_t* edge_of = nullptr;      // by seat of an edge
  const int32_t* triangle_of = nullptr;  // by 16 leaf + lane
  const int32_t* corners = nullptr;      // seats of vertices: [48 leaf + 16 corner + lane]
  const int32_t* ends = nullptr;         // likewise: [32 block + 16 end + lane]

  // Where leaves are carried (SurfaceTree::find), else null, by leaf: their ways, and how far back they reach on these
  // from where their boxes are, in a frame that moves with all of them.
  const Vec3d* shift = nullptr;
  const Reach* behind = nullptr;
  double rounding = 0;  // [m] of sums of coordinates and ways, at most

  // By seat of a vertex: from where to where it moves; w: 1 if it is carried from there, else 0. Not a number: nowhere,
  // as the last seat is, for lanes without a primitive.
  Vec4<float>*point_from = nullptr, *point_to = nullptr;
  uint8_t* changed = nullptr;  // likewise: whether fit_points has found others there
  double margin = 0;           // [m] of boxes
  // Boxes of motion.
  BoxBlock *vertex_boxes = nullptr, *edge_boxes = nullptr, *triangle_boxes = nullptr;
  Vec4<float>*leaf_low = nullptr, *leaf_high = nullptr;

  // Level 0: nodes whose children are leaves, at[16 node + child]; -1: none. Child k of node n of the next level is
  // node 16 n + k. The last level is the root.
  static constexpr int most_levels = 8;
  int levels = 0;
  const int32_t* at = nullptr;
  int32_t node_count[most_levels]{};
  BoxBlock* nodes[most_levels]{};
  const uint16_t* has_body[most_levels]{};  // of each node: bit k, whether child k has leaves of a body

  // Only pairs with one that has grown are looked for: by leaf, and of the primitives of each block. Null: all.
  const uint8_t* grown = nullptr;
  const uint16_t *grown_vertices = nullptr, *grown_edges = nullptr, *grown_triangles = nullptr;
};

struct TreeMotion {
  const Vec3d *from_slots, *to_slots, *from_colliders, *to_colliders;
  int32_t slot_count;
  Vec3d origin;              // [m] boxes are relative to it
  const uint8_t* stays_put;  // by slot: is not carried; null: all are
};

// Pairs, and where more can be stored.
struct PairRoom {
  int32_t *first, *second;
  int64_t count, capacity;
};

// Which edges are tested against each other.
enum class EdgeChoice : uint8_t {
  none,
  sharp,  // those with ContactSurface::sharpness > 0
  all,
};

struct TreeKernels {
  // Places of the leaves [first, last)'s vertices; then boxes of all they have, and their own.
  void (*fit_points)(const TreeParts& tree, const TreeMotion& motion, int32_t first, int32_t last);
  void (*fit_leaves)(const TreeParts& tree, EdgeChoice edges, int32_t first, int32_t last);
  // Boxes of the children of nodes [first, last) of a level.
  void (*fit_nodes)(const TreeParts& tree, int level, int32_t first, int32_t last);
  // Appends the pairs of leaves that overlap and may touch, each once, with one at [place, last). Returns the place at
  // which it ran out of room. `opened` counts nodes.
  int32_t (*overlaps)(const TreeParts& tree, int32_t place, int32_t last, LeafPair* out, int64_t capacity,
                      int64_t& count, int64_t& opened);
  // Appends the pairs of primitives with overlapping boxes of pairs of leaves [first, last). Returns where it ran out
  // of room. `tested` counts tests of a box against a block.
  int64_t (*pairs)(const TreeParts& tree, EdgeChoice edges, const LeafPair* leaves, int64_t first, int64_t last,
                   PairRoom& vertex_triangle, PairRoom& edge_edge, int64_t& tested);
};

// What `pairs` needs as room: for the most pairs that two leaves can have, and whole blocks.
inline constexpr int most_in_leaf = 3 * block_size;  // vertices, and edges
inline constexpr int64_t most_vertex_triangle = 2 * most_in_leaf * block_size + block_size;
inline constexpr int64_t most_edge_edge = most_in_leaf * most_in_leaf + block_size;

// float_lanes 1, 4, 8, 16, or 0: those in use (sinew/lanes.h). Null: not available here.
const TreeKernels* tree_kernels_with_lanes(int float_lanes);

}  // namespace sinew
