// Fits the boxes of a SurfaceTree and finds those that overlap, a block of 16 boxes at a time.
#pragma once

#include "contact/tree_parts.h"
#include "math/lane_bits.h"

namespace sinew::tree_kernel {

constexpr float infinity = __builtin_inff();

// The same number in every lane: s - 0 is s, whatever its sign, so that nothing is computed.
template <class T>
SINEW_INLINE T broadcast(float s) {
  return s - T{};
}

// The boxes of a block, in registers if there are enough.
template <class T>
struct Boxes {
  static constexpr int parts = block_size / lane_count<T>;
  T low[parts][3], high[parts][3];

  SINEW_INLINE explicit Boxes(const BoxBlock& block) {
    for (int part = 0; part < parts; ++part)
      for (int axis = 0; axis < 3; ++axis) {
        low[part][axis] = load<T>(block.low[axis] + part * lane_count<T>);
        high[part][axis] = load<T>(block.high[axis] + part * lane_count<T>);
      }
  }
};

// A box in every lane.
template <class T>
struct Query {
  T low[3], high[3];

  SINEW_INLINE Query(const float* lowest, const float* highest) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = broadcast<T>(lowest[axis]);
      high[axis] = broadcast<T>(highest[axis]);
    }
  }
  SINEW_INLINE Query(const BoxBlock& block, int k) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = broadcast<T>(block.low[axis][k]);
      high[axis] = broadcast<T>(block.high[axis][k]);
    }
  }
  SINEW_INLINE Query(const BoxBlock& block, int k, const Reach& reach) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = broadcast<T>(max(block.low[axis][k] - reach.below[axis], -farthest_side));
      high[axis] = broadcast<T>(min(block.high[axis][k] + reach.above[axis], farthest_side));
    }
  }
  // Bit k: whether box k overlaps this one. Empty boxes, low above high, overlap nothing.
  SINEW_INLINE uint32_t overlaps(const Boxes<T>& boxes) const {
    uint32_t bits = 0;
    for (int part = 0; part < boxes.parts; ++part) {
      const T(&l)[3] = boxes.low[part], (&h)[3] = boxes.high[part];
      const T below[6] = {l[0], low[0], l[1], low[1], l[2], low[2]};
      const T above[6] = {high[0], h[0], high[1], h[1], high[2], h[2]};
      bits |= bits_where_none_above<6>(below, above) << part * lane_count<T>;
    }
    return bits;
  }
  SINEW_INLINE uint32_t overlaps(const BoxBlock& block) const { return overlaps(Boxes<T>(block)); }
};

// As `is_finite`, without the standard library, which no kernel may call. A sum that overflows counts as not finite.
SINEW_INLINE bool is_finite_sum(Vec3d a) {
  const double sum = a.x + a.y + a.z;
  return sum - sum == 0;
}

SINEW_INLINE float place(double a, double origin) {
  return static_cast<float>(max(min(a - origin, double{farthest_side}), -double{farthest_side}));
}

// What is not a number is never the same.
SINEW_INLINE bool is_same(const Vec4<float>& a, const Vec4<float>& b) {
  return (a.x == b.x) & (a.y == b.y) & (a.z == b.z) & (a.w == b.w);
}

template <class T>
void fit_points(const TreeParts& tree, const TreeMotion& motion, int32_t first, int32_t last) {
  for (int32_t l = first; l < last; ++l) {
    const TreeLeaf& leaf = tree.leaves[l];
    for (int k = 0; k < leaf.vertices; ++k) {
      const int32_t seat = leaf.vertex_block * block_size + k, point = tree.point_of[seat],
                    other = point - motion.slot_count;
      const Vec3d& from = other < 0 ? motion.from_slots[point] : motion.from_colliders[other];
      const Vec3d& to = other < 0 ? motion.to_slots[point] : motion.to_colliders[other];
      const bool stays = motion.stays_put && other < 0 && motion.stays_put[point];
      const float nowhere = is_finite_sum(from) && is_finite_sum(to) ? 0.0f : __builtin_nanf("");
      const Vec4<float> start{place(from.x, motion.origin.x) + nowhere, place(from.y, motion.origin.y) + nowhere,
                              place(from.z, motion.origin.z) + nowhere, stays ? 0.0f : 1.0f};
      const Vec4<float> end{place(to.x, motion.origin.x) + nowhere, place(to.y, motion.origin.y) + nowhere,
                            place(to.z, motion.origin.z) + nowhere, 0};
      if (!is_same(start, tree.point_from[seat]) || !is_same(end, tree.point_to[seat])) tree.changed[seat] = 1;
      tree.point_from[seat] = start;
      tree.point_to[seat] = end;
    }
  }
}

// The boxes of as many primitives as there are lanes.
template <class T>
struct LaneBox {
  T low[3] = {splat<T>(infinity), splat<T>(infinity), splat<T>(infinity)};
  T high[3] = {splat<T>(-infinity), splat<T>(-infinity), splat<T>(-infinity)};

  // A point at two places, of which the first is carried by w times the way. What is not a number drops out.
  SINEW_INLINE void add(const Lane4<T>& from, const Lane4<T>& to, const float (&way)[3]) {
    const T start[3] = {from.xyz.x, from.xyz.y, from.xyz.z}, end[3] = {to.xyz.x, to.xyz.y, to.xyz.z};
    for (int axis = 0; axis < 3; ++axis) {
      const T carried = start[axis] + from.w * splat<T>(way[axis]);
      low[axis] = min(carried, min(end[axis], low[axis]));
      high[axis] = max(carried, max(end[axis], high[axis]));
    }
  }
  // Grown by the margin, and by more than the errors of all rounding on the way.
  SINEW_INLINE void write(float margin, const float (&way)[3], BoxBlock& block, int k) const {
    constexpr float rounding = 2.5e-7f, least = 1e-37f;
    for (int axis = 0; axis < 3; ++axis) {
      const T grown = splat<T>(min(margin + rounding * (abs(way[axis]) + margin) + least, longest_reach));
      const T most = splat<T>(farthest_side);
      const T below = grown + splat<T>(rounding) * min(abs(low[axis]), most);
      const T above = grown + splat<T>(rounding) * min(abs(high[axis]), most);
      store<T>(block.low[axis] + k, max(low[axis] - below, -most));
      store<T>(block.high[axis] + k, min(high[axis] + above, most));
    }
  }
};

template <class T, int corners>
SINEW_INLINE void fit_block(const TreeParts& tree, const int32_t* corner, const float (&way)[3], BoxBlock& block) {
  const auto margin = static_cast<float>(tree.margin * (1 + 1e-7));
  for (int k = 0; k < block_size; k += lane_count<T>) {
    LaneBox<T> box;
    for (int c = 0; c < corners; ++c) {
      const int32_t* const seats = corner + c * block_size + k;
      box.add(gather<T>(tree.point_from, seats), gather<T>(tree.point_to, seats), way);
    }
    box.write(margin, way, block, k);
  }
}

// The least, or largest, of 16 numbers.
template <class T, bool largest>
SINEW_INLINE float extreme(const float* row) {
  T all = load<T>(row);
  for (int k = lane_count<T>; k < block_size; k += lane_count<T>) {
    const T next = load<T>(row + k);
    all = largest ? max(all, next) : min(all, next);
  }
  if constexpr (lane_count<T> == 1) {
    return all;
  } else {
    float best = all[0];
    for (int k = 1; k < lane_count<T>; ++k) best = largest ? max(best, all[k]) : min(best, all[k]);
    return best;
  }
}
template <class T>
SINEW_INLINE void enclose(const BoxBlock& block, Vec4<float>& low, Vec4<float>& high) {
  low = {extreme<T, false>(block.low[0]), extreme<T, false>(block.low[1]), extreme<T, false>(block.low[2]), 0};
  high = {extreme<T, true>(block.high[0]), extreme<T, true>(block.high[1]), extreme<T, true>(block.high[2]), 0};
}

SINEW_INLINE int32_t edges_of(const TreeLeaf& leaf, EdgeChoice edges) {
  return edges == EdgeChoice::all ? leaf.edges : edges == EdgeChoice::sharp ? leaf.sharp_edges : 0;
}
SINEW_INLINE int32_t blocks_of(int32_t count) {
  return (count + block_size - 1) / block_size;
}
// The lanes of block `block` that have the first `count` items of all blocks.
SINEW_INLINE uint32_t lanes_of(int32_t count, int32_t block) {
  const int32_t left = count - block * block_size;
  return left >= block_size ? 0xFFFFu : (1u << left) - 1;
}

template <class T>
void fit_leaves(const TreeParts& tree, EdgeChoice edges, int32_t first, int32_t last) {
  for (int32_t l = first; l < last; ++l) {
    const TreeLeaf& leaf = tree.leaves[l];
    float way[3] = {0, 0, 0};
    if (tree.shift) {
      const Vec3d& shift = tree.shift[l];
      constexpr double most = longest_reach;
      way[0] = static_cast<float>(max(min(shift.x, most), -most));
      way[1] = static_cast<float>(max(min(shift.y, most), -most));
      way[2] = static_cast<float>(max(min(shift.z, most), -most));
    }
    const auto margin = static_cast<float>(tree.margin * (1 + 1e-7));
    for (int32_t b = leaf.vertex_block; b < leaf.vertex_block + blocks_of(leaf.vertices); ++b)
      for (int k = 0; k < block_size; k += lane_count<T>) {
        LaneBox<T> box;
        box.add(load4<T>(tree.point_from + b * block_size + k), load4<T>(tree.point_to + b * block_size + k), way);
        box.write(margin, way, tree.vertex_boxes[b], k);
      }
    fit_block<T, 3>(tree, tree.corners + 3 * block_size * static_cast<int64_t>(l), way, tree.triangle_boxes[l]);
    for (int32_t b = leaf.edge_block; b < leaf.edge_block + blocks_of(edges_of(leaf, edges)); ++b)
      fit_block<T, 2>(tree, tree.ends + 2 * block_size * static_cast<int64_t>(b), way, tree.edge_boxes[b]);
    enclose<T>(tree.triangle_boxes[l], tree.leaf_low[l], tree.leaf_high[l]);
  }
}

SINEW_INLINE void extend(const Reach& reach, Vec4<float>& low, Vec4<float>& high) {
  low = {max(low.x - reach.below[0], -farthest_side), max(low.y - reach.below[1], -farthest_side),
         max(low.z - reach.below[2], -farthest_side), 0};
  high = {min(high.x + reach.above[0], farthest_side), min(high.y + reach.above[1], farthest_side),
          min(high.z + reach.above[2], farthest_side), 0};
}

template <class T>
void fit_nodes(const TreeParts& tree, int level, int32_t first, int32_t last) {
  for (int32_t n = first; n < last; ++n) {
    BoxBlock& node = tree.nodes[level][n];
    for (int k = 0; k < block_size; ++k) {
      const int32_t child = n * block_size + k;
      Vec4<float> low{infinity, infinity, infinity, 0}, high{-infinity, -infinity, -infinity, 0};
      if (level > 0) {
        if (child < tree.node_count[level - 1]) enclose<T>(tree.nodes[level - 1][child], low, high);
      } else if (child < tree.leaf_count) {
        low = tree.leaf_low[tree.at[child]];
        high = tree.leaf_high[tree.at[child]];
        if (tree.behind) extend(tree.behind[tree.at[child]], low, high);
      }
      node.low[0][k] = low.x;
      node.low[1][k] = low.y;
      node.low[2][k] = low.z;
      node.high[0][k] = high.x;
      node.high[1][k] = high.y;
      node.high[2][k] = high.z;
    }
  }
}

// Whether one of two leaves is carried, so that boxes of the one reach back from those of the other. Where neither is,
// what they find depends on their own boxes alone.
SINEW_INLINE bool part_ways(const TreeParts& tree, int32_t a, int32_t b) {
  return tree.shift && a != b && !(is_zero(tree.shift[a]) && is_zero(tree.shift[b]));
}

// Whether two leaves that may be carried come near each other.
SINEW_INLINE bool leaves_overlap(const TreeParts& tree, int32_t a, int32_t b) {
  Vec4<float> la = tree.leaf_low[a], ha = tree.leaf_high[a];
  const Vec4<float>&lb = tree.leaf_low[b], &hb = tree.leaf_high[b];
  if (part_ways(tree, a, b)) extend(reach_of(tree.shift[a] - tree.shift[b], tree.rounding), la, ha);
  return la.x <= hb.x && la.y <= hb.y && la.z <= hb.z && lb.x <= ha.x && lb.y <= ha.y && lb.z <= ha.z;
}

template <class T>
int32_t overlaps(const TreeParts& tree, int32_t place, int32_t last, LeafPair* out, int64_t capacity, int64_t& count,
                 int64_t& opened) {
  struct Open {
    int32_t level, node;
  };
  for (; place < last; ++place) {
    const int32_t leaf = tree.at[place];
    if (tree.grown && !tree.grown[leaf]) continue;
    Vec4<float> low = tree.leaf_low[leaf], high = tree.leaf_high[leaf];
    if (tree.behind) extend(tree.behind[leaf], low, high);
    const Query<T> query(&low.x, &high.x);
    const uint8_t* const meets = tree.meets + tree.leaves[leaf].side * tree.side_count;
    const int64_t before = count;
    Open open[TreeParts::most_levels * block_size];
    open[0] = {tree.levels - 1, 0};
    for (int waiting = 1; waiting > 0;) {
      const Open now = open[--waiting];
      ++opened;
      uint32_t bits = query.overlaps(tree.nodes[now.level][now.node]);
      // Children whose last leaf has an earlier place have found this one.
      const int32_t earlier = (place >> (4 * now.level)) - now.node * block_size;
      if (earlier > 0 && !tree.grown) bits &= ~((1u << earlier) - 1);
      // Colliders do not meet each other.
      if (tree.leaves[leaf].side & 1) bits &= tree.has_body[now.level][now.node];
      if (now.level > 0) {
        for (; bits; bits &= bits - 1) open[waiting++] = {now.level - 1, now.node * block_size + __builtin_ctz(bits)};
        continue;
      }
      if (capacity - count < block_size) {
        count = before;
        return place;
      }
      for (; bits; bits &= bits - 1) {
        const int32_t other_place = now.node * block_size + __builtin_ctz(bits);
        const int32_t other = tree.at[other_place];
        out[count] = {leaf < other ? leaf : other, leaf < other ? other : leaf};
        const TreeLeaf& its = tree.leaves[other];
        const bool apart = tree.behind && !leaves_overlap(tree, leaf, other);
        const bool found = tree.grown && other_place < place && tree.grown[other];
        count += meets[its.side] & !apart & !found;
      }
    }
  }
  return place;
}

// The rows of bits of two leaves, or null if they share no point (or only one that too many leaves share).
SINEW_INLINE const uint16_t* rows_of(const TreeParts& tree, LeafPair pair) {
  const TreeLeaf& leaf = tree.leaves[pair.a];
  for (int32_t k = leaf.first_neighbour; k < leaf.last_neighbour; ++k)
    if (tree.neighbours[k].leaf == pair.b) return tree.rows + tree.neighbours[k].first_row;
  return nullptr;
}

SINEW_INLINE bool is_corner(const TreeParts& tree, int32_t vertex, int32_t leaf, int k) {
  const int32_t* const corner = tree.corners + 3 * block_size * static_cast<int64_t>(leaf) + k;
  return corner[0] == vertex || corner[block_size] == vertex || corner[2 * block_size] == vertex;
}
SINEW_INLINE bool share_end(const TreeParts& tree, int32_t a, int32_t b) {
  const auto end = [&](int32_t seat, int k) SINEW_INLINE_LAMBDA {
    return tree.ends[2 * block_size * static_cast<int64_t>(seat / block_size) + block_size * k + seat % block_size];
  };
  return end(a, 0) == end(b, 0) || end(a, 0) == end(b, 1) || end(a, 1) == end(b, 0) || end(a, 1) == end(b, 1);
}

// The `from` of one block's boxes, to be tested against the `to` of another's; row k has the bits of pairs that are not
// to be found.
struct BlockPair {
  const BoxBlock *from_boxes, *to_boxes;
  const int32_t *from_number, *to_number;  // of the surface
  const uint16_t* rows;
  uint32_t from, to;
  const Reach* reach;  // of `from`'s boxes, if leaves are carried
};

// Appends the pairs of numbers whose boxes overlap; if `ordered`, the lower number first. Not inlined, so that what it
// needs stays in registers.
template <class T, bool ordered, bool moved>
SINEW_OUT_OF_LINE void append_overlapping(const BlockPair& pair, PairRoom& out) {
  const Boxes<T> boxes(*pair.to_boxes);
  const BoxBlock& from_boxes = *pair.from_boxes;
  const int32_t* const from_number = pair.from_number;
  const uint16_t* const rows = pair.rows;
  const uint32_t to = pair.to;
  int32_t *first = out.first + out.count, *second = out.second + out.count;
  int64_t count = 0;
  // Narrower lanes append one by one.
  constexpr bool at_once = lane_count<T> == block_size;
  using Numbers = Lane<int32_t, at_once ? block_size : 1>;
  Numbers numbers{};
  if constexpr (at_once) numbers = load<Numbers>(pair.to_number);
  for (uint32_t from = pair.from; from; from &= from - 1) {
    const int k = __builtin_ctz(from);
    uint32_t hit = to & ~uint32_t{rows[k]};
    if constexpr (moved) {
      hit &= Query<T>(from_boxes, k, *pair.reach).overlaps(boxes);
    } else {
      hit &= Query<T>(from_boxes, k).overlaps(boxes);
    }
    const int32_t own = from_number[k];
    if constexpr (at_once) {
      // Without a branch: whether there are any cannot be predicted.
      const Numbers owns = own - Numbers{};
      store_lanes_of(hit, first + count, ordered ? min(owns, numbers) : owns);
      store_lanes_of(hit, second + count, ordered ? max(owns, numbers) : numbers);
      count += __builtin_popcount(hit);
    } else {
      for (; hit; hit &= hit - 1) {
        const int32_t other = pair.to_number[__builtin_ctz(hit)];
        first[count] = ordered ? min(own, other) : own;
        second[count] = ordered ? max(own, other) : other;
        ++count;
      }
    }
  }
  out.count += count;
}

// Rows with the bits of those who share a point besides, for leaves with points that have no rows. rows[k] is changed
// if bit k of `from` is set.
template <class Share>
SINEW_INLINE const uint16_t* add_shared(const uint16_t* rows, uint32_t from, uint16_t (&made)[block_size],
                                        const Share& share) {
  for (; from; from &= from - 1) {
    const int k = __builtin_ctz(from);
    uint32_t bits = rows[k];
    for (int lane = 0; lane < block_size; ++lane) bits |= static_cast<uint32_t>(share(k, lane)) << lane;
    made[k] = static_cast<uint16_t>(bits);
  }
  return made;
}

// What two leaves have in common: where primitives of each may overlap those of the other, and how far boxes of the one
// that is tested against the other reach; null where they need not.
template <class T>
struct Region {
  Query<T> of_from, of_to;
  const Reach* reach;
};
SINEW_INLINE void common(const Vec4<float>& low_a, const Vec4<float>& high_a, const Vec4<float>& low_b,
                         const Vec4<float>& high_b, float (&low)[3], float (&high)[3]) {
  low[0] = max(low_a.x, low_b.x), low[1] = max(low_a.y, low_b.y), low[2] = max(low_a.z, low_b.z);
  high[0] = min(high_a.x, high_b.x), high[1] = min(high_a.y, high_b.y), high[2] = min(high_a.z, high_b.z);
}
template <class T>
SINEW_INLINE Region<T> region_of(const TreeParts& tree, int32_t from, int32_t to, const Reach* reach) {
  float low[3], high[3];
  Vec4<float> low_from = tree.leaf_low[from], high_from = tree.leaf_high[from];
  if (reach) extend(*reach, low_from, high_from);
  common(low_from, high_from, tree.leaf_low[to], tree.leaf_high[to], low, high);
  const Query<T> there(low, high);
  if (!reach) return {there, there, reach};
  // A box that reaches that far overlaps this one if the box overlaps this one grown the other way.
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = max(low[axis] - reach->above[axis], -farthest_side);
    high[axis] = min(high[axis] + reach->below[axis], farthest_side);
  }
  return {Query<T>(low, high), there, reach};
}

template <class T, bool ordered>
SINEW_INLINE void append(const BlockPair& pair, PairRoom& out) {
  if (pair.reach) {
    append_overlapping<T, ordered, true>(pair, out);
  } else {
    append_overlapping<T, ordered, false>(pair, out);
  }
}

// The same; of what has not grown, only with what has.
template <class T, bool ordered>
SINEW_INLINE void append_grown(BlockPair pair, uint32_t grown_from, uint32_t grown_to, PairRoom& out) {
  const uint32_t from = pair.from;
  pair.from = from & grown_from;
  if (pair.from) append<T, ordered>(pair, out);
  pair.from = from & ~grown_from;
  pair.to &= grown_to;
  if (pair.from && pair.to) append<T, ordered>(pair, out);
}

// The vertices of leaf v against the triangles of leaf t.
template <class T>
SINEW_INLINE void vertices_on_triangles(const TreeParts& tree, int32_t v, int32_t t, const Region<T>& region,
                                        const uint16_t* rows, bool crowded, PairRoom& out, int64_t& tested) {
  const TreeLeaf& leaf = tree.leaves[v];
  if (tree.grown && !tree.grown[v] && !tree.grown_triangles[t]) return;
  BlockPair pair;
  pair.to_boxes = tree.triangle_boxes + t;
  pair.to_number = tree.triangle_of + block_size * static_cast<int64_t>(t);
  pair.to = region.of_to.overlaps(*pair.to_boxes);
  pair.reach = region.reach;
  ++tested;
  if (!pair.to) return;
  for (int32_t b = 0; b < blocks_of(leaf.vertices); ++b) {
    const int32_t seat = (leaf.vertex_block + b) * block_size;
    pair.from_boxes = tree.vertex_boxes + leaf.vertex_block + b;
    pair.from_number = tree.point_of + seat;
    pair.from = region.of_from.overlaps(*pair.from_boxes) & lanes_of(leaf.vertices, b);
    ++tested;
    if (!pair.from) continue;
    tested += __builtin_popcount(pair.from);
    pair.rows = rows ? rows + b * block_size : tree.rows;
    uint16_t made[block_size];
    if (crowded)
      pair.rows = add_shared(pair.rows, pair.from, made,
                             [&](int k, int lane) SINEW_INLINE_LAMBDA { return is_corner(tree, seat + k, t, lane); });
    if (tree.grown) {
      append_grown<T, false>(pair, tree.grown_vertices[leaf.vertex_block + b], tree.grown_triangles[t], out);
    } else {
      append<T, false>(pair, out);
    }
  }
}

template <class T>
SINEW_INLINE void edges_on_edges(const TreeParts& tree, LeafPair leaves, EdgeChoice choice, const Region<T>& region,
                                 const uint16_t* rows, bool crowded, PairRoom& out, int64_t& tested) {
  const TreeLeaf &a = tree.leaves[leaves.a], &b = tree.leaves[leaves.b];
  const int32_t count_a = edges_of(a, choice), count_b = edges_of(b, choice);
  const int32_t blocks_a = blocks_of(count_a), blocks_b = blocks_of(count_b);
  uint32_t from[most_in_leaf / block_size];
  uint32_t any = 0;
  for (int32_t i = 0; i < blocks_a; ++i) {
    from[i] = region.of_from.overlaps(tree.edge_boxes[a.edge_block + i]) & lanes_of(count_a, i);
    any |= from[i];
  }
  tested += blocks_a;
  if (!any) return;
  BlockPair pair;
  pair.reach = region.reach;
  for (int32_t j = 0; j < blocks_b; ++j) {
    const int32_t other_seat = (b.edge_block + j) * block_size;
    pair.to_boxes = tree.edge_boxes + b.edge_block + j;
    pair.to_number = tree.edge_of + other_seat;
    pair.to = region.of_to.overlaps(*pair.to_boxes) & lanes_of(count_b, j);
    ++tested;
    if (!pair.to) continue;
    // Within a leaf each pair once: its rows have the bits of what comes before.
    for (int32_t i = 0; i < (leaves.a == leaves.b ? j + 1 : blocks_a); ++i) {
      const int32_t seat = (a.edge_block + i) * block_size;
      pair.from = from[i];
      if (!pair.from) continue;
      tested += __builtin_popcount(pair.from);
      pair.from_boxes = tree.edge_boxes + a.edge_block + i;
      pair.from_number = tree.edge_of + seat;
      pair.rows = rows ? rows + j * a.edges + i * block_size : tree.rows;
      uint16_t made[block_size];
      if (crowded)
        pair.rows = add_shared(pair.rows, pair.from, made, [&](int k, int lane) SINEW_INLINE_LAMBDA {
          return share_end(tree, seat + k, other_seat + lane);
        });
      if (tree.grown) {
        append_grown<T, true>(pair, tree.grown_edges[a.edge_block + i], tree.grown_edges[b.edge_block + j], out);
      } else {
        append<T, true>(pair, out);
      }
    }
  }
}

template <class T>
int64_t pairs(const TreeParts& parts, EdgeChoice edges, const LeafPair* leaves, int64_t first, int64_t last,
              PairRoom& vertex_triangle, PairRoom& edge_edge, int64_t& tested_before) {
  // Copies, which stay in registers: pairs are stored as lanes, which might be anything as far as the compiler knows.
  const TreeParts tree = parts;
  PairRoom room_vt = vertex_triangle, room_ee = edge_edge;
  int64_t tested = tested_before;
  for (; first < last; ++first) {
    if (room_vt.capacity - room_vt.count < most_vertex_triangle || room_ee.capacity - room_ee.count < most_edge_edge)
      break;
    const LeafPair pair = leaves[first];
    const TreeLeaf &a = tree.leaves[pair.a], &b = tree.leaves[pair.b];
    Reach of_a, of_b;
    const bool moved = part_ways(tree, pair.a, pair.b);
    if (moved) {
      const Vec3d way = tree.shift[pair.a] - tree.shift[pair.b];
      of_a = reach_of(way, tree.rounding);
      of_b = reach_of(-way, tree.rounding);
    }
    const Region<T> region = region_of<T>(tree, pair.a, pair.b, moved ? &of_a : nullptr);
    const bool crowded = a.crowded && b.crowded;
    const uint16_t* rows = rows_of(tree, pair);
    vertices_on_triangles(tree, pair.a, pair.b, region, rows, crowded, room_vt, tested);
    if (rows) rows += a.vertices;
    if (pair.a != pair.b) {
      const Region<T> other = moved ? region_of<T>(tree, pair.b, pair.a, &of_b) : region;
      vertices_on_triangles(tree, pair.b, pair.a, other, rows, crowded, room_vt, tested);
      if (rows) rows += b.vertices;
    }
    if (edges != EdgeChoice::none) edges_on_edges(tree, pair, edges, region, rows, crowded, room_ee, tested);
  }
  vertex_triangle.count = room_vt.count;
  edge_edge.count = room_ee.count;
  tested_before = tested;
  return first;
}

}  // namespace sinew::tree_kernel

namespace sinew {

// The kernels of one lane width. Included once per kernels_*.cpp, each compiled for its instruction set.
template <class Real, int W>
constexpr TreeKernels tree_kernel_table() {
  using T = Lane<Real, W>;
  return {tree_kernel::fit_points<T>, tree_kernel::fit_leaves<T>, tree_kernel::fit_nodes<T>, tree_kernel::overlaps<T>,
          tree_kernel::pairs<T>};
}

}  // namespace sinew
