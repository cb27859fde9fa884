#include "contact/surface_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "contact/add_pairs.h"
#include "contact/median_cut.h"
#include "exec/kernel_choice.h"
#include "math/bounds.h"

namespace sinew {

#define SINEW_KERNELS(W) extern const TreeKernels tree_kernels_##W;
SINEW_EACH_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS

const TreeKernels* tree_kernels_with_lanes(int float_lanes) {
  switch (width_for(float_lanes)) {
#define SINEW_KERNELS(W) \
  case W:                \
    return &tree_kernels_##W;
    SINEW_EACH_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS
    default:
      return nullptr;
  }
}

namespace {

// Nodes are built anew when queries open this many times the nodes that they opened after the last building.
constexpr double grown_bad = 1.5;
// Leaves that are worth waking a thread for.
constexpr int64_t leaf_grain = 32;
// Where more than one of so many points have changed, all pairs are looked for.
constexpr int64_t most_changed = 8;

}  // namespace

void SurfaceTree::build(const ContactSurface& surface, ThreadPool& pool) {
  kernels_ = tree_kernels_with_lanes(lanes_);
  if (!kernels_) kernels_ = tree_kernels_with_lanes(0);
  slot_count_ = surface.slot_count;
  vertex_count_ = surface.point_count();
  edge_count_ = static_cast<int64_t>(surface.edges.size());
  counts_ = {};
  opened_when_arranged_ = 0;
  stale_ = false;
  parts_ = {};
  remembers_ = false;
  build_leaves(surface, pool);
  if (leaves_.empty()) return;
  changed_.assign(point_of_.size() + 1, 0);  // the last is of lanes without a primitive
  Bounds bounds;
  for (const int32_t p : surface.vertices) bounds.add(surface.rest[static_cast<size_t>(p)]);
  origin_ = 0.5 * bounds.low + 0.5 * bounds.high;
  const PointPositions rest{
      {surface.rest.data(), static_cast<size_t>(slot_count_)},
      {surface.rest.data() + slot_count_, surface.rest.size() - static_cast<size_t>(slot_count_)}};
  fit_points(rest, rest, nullptr, pool);
  fit_leaves(EdgeChoice::none, pool);
  arrange();
}

// Addresses change when a tree is copied or moved.
void SurfaceTree::connect_parts() {
  TreeParts& p = parts_;
  p.leaf_count = static_cast<int32_t>(leaves_.size());
  p.leaves = leaves_.data();
  p.neighbours = neighbours_.data();
  p.rows = rows_.data();
  p.meets = meets_.data();
  p.shift = shift_.empty() ? nullptr : shift_.data();
  p.behind = nullptr;
  p.grown = nullptr;
  p.point_of = point_of_.data();
  p.edge_of = edge_of_.data();
  p.triangle_of = triangle_of_.data();
  p.corners = corners_.data();
  p.ends = ends_.data();
  p.point_from = point_from_.data();
  p.point_to = point_to_.data();
  p.changed = changed_.data();
  p.vertex_boxes = vertex_boxes_.data();
  p.edge_boxes = edge_boxes_.data();
  p.triangle_boxes = triangle_boxes_.data();
  p.leaf_low = leaf_low_.data();
  p.leaf_high = leaf_high_.data();
  p.at = at_.data();
  BoxBlock* nodes = nodes_.data();
  const uint16_t* bits = has_body_.data();
  for (int level = 0; level < p.levels; ++level) {
    p.nodes[level] = nodes;
    p.has_body[level] = bits;
    bits += p.node_count[level];
    nodes += p.node_count[level];
  }
}

// Leaves that all stand still need none.
void SurfaceTree::set_shift(const PointPositions& from, const PointPositions& to, std::span<const uint8_t> stays_put,
                            ThreadPool& pool) {
  shift_.resize(leaves_.size());
  pool.for_each(static_cast<int64_t>(leaves_.size()), [&](size_t l) {
    Vec3d sum{};
    int corners = 0;
    for (size_t k = 3 * block_size * l; k < 3 * block_size * (l + 1); ++k) {
      const auto seat = static_cast<size_t>(corners_[k]);
      if (seat == point_of_.size()) continue;  // a lane without a triangle
      const int32_t point = point_of_[seat];
      if (!stays_put.empty() && point < slot_count_ && stays_put[static_cast<size_t>(point)]) continue;
      const Vec3d way = to[point] - from[point];
      if (!std::isfinite(way.x + way.y + way.z)) continue;
      sum += way;
      ++corners;
    }
    shift_[l] = corners > 0 ? (1.0 / corners) * sum : sum;
  });
  if (std::all_of(shift_.begin(), shift_.end(), is_zero)) shift_.clear();
}

// In a frame that moves by the mean of all ways.
void SurfaceTree::reach_back() {
  if (shift_.empty()) return;
  Vec3d mean{};
  double largest = 0;
  for (const Vec3d& s : shift_) {
    mean += (1.0 / static_cast<double>(shift_.size())) * s;
    largest = std::max({largest, std::abs(s.x), std::abs(s.y), std::abs(s.z)});
  }
  for (size_t l = 0; l < leaves_.size(); ++l)
    for (const float c :
         {leaf_low_[l].x, leaf_low_[l].y, leaf_low_[l].z, leaf_high_[l].x, leaf_high_[l].y, leaf_high_[l].z})
      if (std::isfinite(c)) largest = std::max(largest, std::abs(double{c}));
  parts_.rounding = 5e-7 * largest;
  behind_.clear();
  for (const Vec3d& s : shift_) behind_.push_back(reach_of(s - mean, parts_.rounding));
  parts_.behind = behind_.data();
}

void SurfaceTree::fit_points(const PointPositions& from, const PointPositions& to, const uint8_t* stays_put,
                             ThreadPool& pool, bool only_grown) {
  connect_parts();
  const TreeMotion motion{from.slots.data(), to.slots.data(), from.colliders.data(), to.colliders.data(), slot_count_,
                          origin_,           stays_put};
  for_leaves(pool, only_grown, [&](int32_t first, int32_t last) { kernels_->fit_points(parts_, motion, first, last); });
}

void SurfaceTree::fit_leaves(EdgeChoice edges, ThreadPool& pool, bool only_grown) {
  for_leaves(pool, only_grown, [&](int32_t first, int32_t last) { kernels_->fit_leaves(parts_, edges, first, last); });
}

template <class Fit>
void SurfaceTree::for_leaves(ThreadPool& pool, bool only_grown, const Fit& fit) {
  pool.parallel_for(static_cast<int64_t>(leaves_.size()), leaf_grain, [&](int64_t from_leaf, int64_t to_leaf) {
    const auto first = static_cast<int32_t>(from_leaf), last = static_cast<int32_t>(to_leaf);
    if (!only_grown) return fit(first, last);
    for (int32_t l = first; l < last; ++l)
      if (grown_[static_cast<size_t>(l)]) fit(l, l + 1);
  });
}

void SurfaceTree::fit_nodes(ThreadPool& pool) {
  for (int level = 0; level < parts_.levels; ++level)
    pool.parallel_for(parts_.node_count[level], leaf_grain, [&](int64_t first, int64_t last) {
      kernels_->fit_nodes(parts_, level, static_cast<int32_t>(first), static_cast<int32_t>(last));
    });
}

// Chooses which leaves are near each other in the tree, by the boxes that they have now.
void SurfaceTree::arrange() {
  std::vector<Vec3d> middle(leaves_.size());
  for (size_t l = 0; l < middle.size(); ++l) {
    const Vec4<float>&low = leaf_low_[l], &high = leaf_high_[l];
    if (low.x <= high.x) middle[l] = {0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)};
  }
  std::iota(at_.begin(), at_.end(), 0);
  cut_at_medians(at_, 0, static_cast<int64_t>(at_.size()), 1, middle);
  opened_when_arranged_ = 0;
  stale_ = false;
  note_bodies();
}

void SurfaceTree::note_bodies() {
  std::fill(has_body_.begin(), has_body_.end(), uint16_t{0});
  const auto set = [&](int level, size_t child) {
    uint16_t& bits = has_body_[static_cast<size_t>(parts_.has_body[level] - has_body_.data()) + child / block_size];
    bits = static_cast<uint16_t>(bits | 1 << child % block_size);
  };
  for (size_t place = 0; place < at_.size(); ++place)
    if (!(leaves_[static_cast<size_t>(at_[place])].side & 1))
      for (size_t level = 0, child = place; level < static_cast<size_t>(parts_.levels); ++level, child /= block_size)
        set(static_cast<int>(level), child);
}

PairRoom SurfaceTree::Found::Pairs::room() {
  return {first.data(), second.data(), count, static_cast<int64_t>(first.size())};
}
void SurfaceTree::Found::Pairs::reserve(int64_t more) {
  const auto needed = static_cast<size_t>(count + more);
  if (first.size() >= needed) return;
  const size_t size = std::max(needed, 2 * first.size());
  first.resize(size);
  second.resize(size);
}

// Which sides may touch; returns whether that has changed.
bool SurfaceTree::update_meets(const ContactSurface& surface) {
  const auto groups = static_cast<size_t>(surface.group_count), sides = 2 * groups;
  const std::vector<uint8_t> before = std::exchange(meets_, std::vector<uint8_t>(sides * sides));
  for (size_t a = 0; a < sides; ++a)
    for (size_t b = 0; b < sides; ++b)
      meets_[a * sides + b] = surface.rules[a / 2 * groups + b / 2].touches && !(a % 2 && b % 2);
  parts_.meets = meets_.data();
  parts_.side_count = static_cast<int32_t>(sides);
  return meets_ != before;
}

void SurfaceTree::find_leaf_pairs(ThreadPool& pool) {
  pool.parallel_for(static_cast<int64_t>(leaves_.size()), leaf_grain, [&](int thread, int64_t first, int64_t last) {
    Found& found = found_[static_cast<size_t>(thread)];
    for (;;) {
      first = kernels_->overlaps(parts_, static_cast<int32_t>(first), static_cast<int32_t>(last), found.leaves.data(),
                                 static_cast<int64_t>(found.leaves.size()), found.leaf_count, found.opened);
      if (first == last) return;
      found.leaves.resize(std::max<size_t>(1024, 2 * found.leaves.size()));
    }
  });
}

void SurfaceTree::find_pairs(EdgeChoice edges, ThreadPool& pool) {
  pool.parallel_for(counts_.leaf_pairs, leaf_grain, [&](int thread, int64_t first, int64_t last) {
    Found& found = found_[static_cast<size_t>(thread)];
    // The lists of all threads, one after the other.
    int64_t before = 0;
    for (const Found& list : found_) {
      int64_t from = std::max<int64_t>(first - before, 0);
      const int64_t end = std::min(last - before, list.leaf_count);
      before += list.leaf_count;
      while (from < end) {
        PairRoom vertex_triangle = found.vertex_triangle.room(), edge_edge = found.edge_edge.room();
        from = kernels_->pairs(parts_, edges, list.leaves.data(), from, end, vertex_triangle, edge_edge, found.tested);
        found.vertex_triangle.count = vertex_triangle.count;
        found.edge_edge.count = edge_edge.count;
        if (from == end) break;
        found.vertex_triangle.reserve(most_vertex_triangle);
        found.edge_edge.reserve(most_edge_edge);
      }
    }
  });
}

void SurfaceTree::find(const ContactSurface& surface, const PointPositions& from, const PointPositions& to,
                       double margin, EdgeChoice edges, ThreadPool& pool, CandidatePairs& out, bool carried,
                       std::span<const uint8_t> stays_put) {
  if (leaves_.empty()) {
    out = {};
    return;
  }
  shift_.clear();
  if (carried) set_shift(from, to, stays_put, pool);
  parts_.margin = margin_ = margin;
  fit_points(from, to, stays_put.empty() ? nullptr : stays_put.data(), pool);
  update_meets(surface);
  find_all(edges, pool, out);
}

// With boxes of where all points are known to be.
void SurfaceTree::find_all(EdgeChoice edges, ThreadPool& pool, CandidatePairs& out) {
  fit_leaves(edges, pool);
  reach_back();
  if (stale_) {
    arrange();
    ++counts_.rebuilt;
  }
  fit_nodes(pool);

  find_overlaps(edges, pool, out);
  // What a query must open grows with what it finds.
  const double opened =
      static_cast<double>(counts_.nodes_opened) / static_cast<double>(counts_.leaf_pairs + parts_.leaf_count);
  if (!(opened_when_arranged_ > 0)) opened_when_arranged_ = opened;
  stale_ = opened > grown_bad * opened_when_arranged_;
  std::fill(changed_.begin(), changed_.end(), uint8_t{0});
  edges_ = edges;
  remembers_ = true;
}

bool SurfaceTree::find_changed(const ContactSurface& surface, const PointPositions& from, const PointPositions& to,
                               double margin, EdgeChoice edges, ThreadPool& pool, CandidatePairs& pairs,
                               std::span<const uint8_t> stays_put, std::vector<int32_t>& changed) {
  changed.clear();
  if (leaves_.empty()) {
    pairs = {};
    return true;
  }
  bool known = remembers_ && margin == margin_ && edges == edges_;
  const std::vector<Vec3d> shift_before = std::move(shift_);
  set_shift(from, to, stays_put, pool);
  parts_.margin = margin_ = margin;
  fit_points(from, to, stays_put.empty() ? nullptr : stays_put.data(), pool);
  // What leaves find that are carried depends on all that they are.
  for (size_t l = 0; l < leaves_.size(); ++l)
    if ((!shift_.empty() && !is_zero(shift_[l])) || (!shift_before.empty() && !is_zero(shift_before[l])))
      for (size_t k = 3 * block_size * l; k < 3 * block_size * (l + 1); ++k)
        changed_[static_cast<size_t>(corners_[k])] = 1;
  changed_.back() = 0;
  known = !update_meets(surface) && known;
  const int64_t count = std::count(changed_.begin(), changed_.end(), uint8_t{1});
  if (!known || count * most_changed > static_cast<int64_t>(surface.vertices.size())) {
    find_all(edges, pool, pairs);
    return false;
  }
  if (count == 0) return true;
  mark_grown_at(changed_, pool);
  fit_leaves(edges, pool, true);
  reach_back();
  look_at_grown();
  fit_nodes(pool);
  find_overlaps(edges, pool, more_);
  keep_unchanged(surface, pairs);
  add_pairs(pairs.vertex_triangle, more_.vertex_triangle);
  add_pairs(pairs.edge_edge, more_.edge_edge);
  for (size_t seat = 0; seat < point_of_.size(); ++seat)
    if (changed_[seat]) changed.push_back(point_of_[seat]);
  std::sort(changed.begin(), changed.end());
  std::fill(changed_.begin(), changed_.end(), uint8_t{0});
  return true;
}

// Drops pairs with a point that has changed.
void SurfaceTree::keep_unchanged(const ContactSurface& surface, CandidatePairs& pairs) const {
  const auto has_changed = [&](int32_t point) {
    return changed_[static_cast<size_t>(seat_of_[static_cast<size_t>(point)])] != 0;
  };
  const auto any = [&](const auto& points) { return std::any_of(points.begin(), points.end(), has_changed); };
  std::erase_if(pairs.vertex_triangle, [&](const CandidatePairs::VertexTriangle& p) {
    return has_changed(p.vertex) || any(surface.triangles[static_cast<size_t>(p.triangle)]);
  });
  std::erase_if(pairs.edge_edge, [&](const CandidatePairs::EdgeEdge& p) {
    return any(surface.edges[static_cast<size_t>(p.a)]) || any(surface.edges[static_cast<size_t>(p.b)]);
  });
}

// Of leaves that overlap: all, or those of which one has grown.
void SurfaceTree::find_overlaps(EdgeChoice edges, ThreadPool& pool, CandidatePairs& out) {
  if (found_.size() < static_cast<size_t>(pool.size())) found_.resize(static_cast<size_t>(pool.size()));
  for (Found& found : found_) {
    found.leaf_count = found.vertex_triangle.count = found.edge_edge.count = 0;
    found.opened = found.tested = 0;
  }
  find_leaf_pairs(pool);
  counts_.leaf_pairs = counts_.nodes_opened = counts_.blocks_tested = 0;
  for (const Found& found : found_) {
    counts_.leaf_pairs += found.leaf_count;
    counts_.nodes_opened += found.opened;
  }
  find_pairs(edges, pool);
  const auto collect = [&](Found::Pairs Found::*pairs) {
    lists_.clear();
    for (const Found& found : found_) {
      const Found::Pairs& p = found.*pairs;
      lists_.push_back({p.first.data(), p.second.data(), static_cast<size_t>(p.count)});
    }
  };
  collect(&Found::vertex_triangle);
  sort_(lists_, vertex_count_, pool, out.vertex_triangle);
  out.edge_edge.clear();
  collect(&Found::edge_edge);
  if (edges != EdgeChoice::none) sort_(lists_, edge_count_, pool, out.edge_edge);
  for (const Found& found : found_) counts_.blocks_tested += found.tested;
}

void SurfaceTree::mark_grown(std::span<const int32_t> points, ThreadPool& pool) {
  moved_.resize(point_of_.size() + 1, 0);
  const auto mark = [&](uint8_t moved) {
    for (const int32_t p : points)
      if (const int32_t seat = seat_of_[static_cast<size_t>(p)]; seat >= 0) moved_[static_cast<size_t>(seat)] = moved;
  };
  mark(1);
  mark_grown_at(moved_, pool);
  mark(0);
}

// Which primitives are a point with such a seat or have one as a corner, and the leaves that have such.
void SurfaceTree::mark_grown_at(const std::vector<uint8_t>& seats, ThreadPool& pool) {
  // Of a block of primitives with so many corners each; corner(k): the seat that is the k-th.
  const auto grown_of = [&](size_t corners, const auto& corner) {
    uint32_t bits = 0;
    for (size_t k = 0; k < corners * block_size; ++k)
      bits |= uint32_t{seats[static_cast<size_t>(corner(k))]} << k % block_size;
    return static_cast<uint16_t>(bits);
  };
  grown_.resize(leaves_.size());
  grown_vertices_.resize(point_of_.size() / block_size);
  grown_edges_.resize(edge_of_.size() / block_size);
  grown_triangles_.resize(leaves_.size());
  pool.for_each(static_cast<int64_t>(leaves_.size()), [&](size_t l) {
    const TreeLeaf& leaf = leaves_[l];
    const auto blocks = [](int32_t count) { return static_cast<size_t>((count + block_size - 1) / block_size); };
    uint16_t& triangles = grown_triangles_[l];
    triangles = grown_of(3, [&](size_t k) { return corners_[3 * block_size * l + k]; });
    uint32_t any = triangles;
    const auto vertex_block = static_cast<size_t>(leaf.vertex_block);
    for (size_t b = vertex_block; b < vertex_block + blocks(leaf.vertices); ++b)
      any |= grown_vertices_[b] = grown_of(1, [&](size_t k) { return block_size * b + k; });
    const auto edge_block = static_cast<size_t>(leaf.edge_block);
    for (size_t b = edge_block; b < edge_block + blocks(leaf.edges); ++b)
      any |= grown_edges_[b] = grown_of(2, [&](size_t k) { return ends_[2 * block_size * b + k]; });
    grown_[l] = any != 0;
  });
}

void SurfaceTree::find_grown(const PointPositions& from, const PointPositions& to, std::span<const uint8_t> stays_put,
                             std::span<const int32_t> points, EdgeChoice edges, ThreadPool& pool, CandidatePairs& out) {
  out.vertex_triangle.clear();
  out.edge_edge.clear();
  if (leaves_.empty()) return;
  mark_grown(points, pool);
  fit_points(from, to, stays_put.data(), pool, true);
  fit_leaves(edges, pool, true);
  reach_back();
  look_at_grown();
  fit_nodes(pool);
  find_overlaps(edges, pool, out);
}

void SurfaceTree::look_at_grown() {
  parts_.grown = grown_.data();
  parts_.grown_vertices = grown_vertices_.data();
  parts_.grown_edges = grown_edges_.data();
  parts_.grown_triangles = grown_triangles_.data();
}

void SurfaceTree::find_of(std::span<const int32_t> points, const PointPositions& from, const PointPositions& to,
                          double margin, EdgeChoice edges, ThreadPool& pool, CandidatePairs& out) {
  out.vertex_triangle.clear();
  out.edge_edge.clear();
  if (leaves_.empty()) return;
  mark_grown(points, pool);
  shift_.clear();
  remembers_ = false;
  parts_.margin = margin;
  fit_points(from, to, nullptr, pool);
  fit_leaves(edges, pool);
  look_at_grown();
  fit_nodes(pool);
  find_overlaps(edges, pool, out);
}

size_t SurfaceTree::memory_bytes() const {
  const auto bytes = [](const auto&... arrays) { return (... + (arrays.capacity() * sizeof(*arrays.data()))); };
  size_t sum =
      bytes(leaves_, neighbours_, rows_, meets_, shift_, behind_, point_of_, seat_of_, moved_, changed_, grown_,
            grown_vertices_, grown_edges_, grown_triangles_, edge_of_, triangle_of_, at_, corners_, ends_, point_from_,
            point_to_, leaf_low_, leaf_high_, vertex_boxes_, edge_boxes_, triangle_boxes_, nodes_, found_);
  for (const Found& found : found_)
    sum += bytes(found.leaves, found.vertex_triangle.first, found.vertex_triangle.second, found.edge_edge.first,
                 found.edge_edge.second);
  return sum + sort_.memory_bytes();
}

}  // namespace sinew
