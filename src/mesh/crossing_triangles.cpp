#include "mesh/crossing_triangles.h"

#include <algorithm>

#include "math/bounds.h"
#include "mesh/box_tree.h"
#include "mesh/exact_sign.h"

namespace sinew {
namespace {

using Corners = std::array<Vec3d, 3>;

// An axis along which the points do not project onto a line; -1 if they are on a line themselves.
int axis_across(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  for (int axis = 0; axis < 3; ++axis)
    if (orientation(a, b, c, axis) != 0) return axis;
  return -1;
}

bool in_box(const Vec3d& x, const Vec3d& a, const Vec3d& b) {
  Bounds box;
  box.add(a);
  box.add(b);
  return x.x >= box.low.x && x.x <= box.high.x && x.y >= box.low.y && x.y <= box.high.y && x.z >= box.low.z &&
         x.z <= box.high.z;
}
bool boxes_meet(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}
Bounds box_of(std::initializer_list<Vec3d> points) {
  Bounds box;
  for (const Vec3d& p : points) box.add(p);
  return box;
}

bool mixed(int a, int b, int c) {
  return std::min({a, b, c}) < 0 && std::max({a, b, c}) > 0;
}

// Segments of one plane, which projects along the axis without becoming a line.
bool segments_meet_in_plane(const Vec3d& p, const Vec3d& q, const Vec3d& r, const Vec3d& s, int axis) {
  const int pqr = orientation(p, q, r, axis), pqs = orientation(p, q, s, axis), rsp = orientation(r, s, p, axis),
            rsq = orientation(r, s, q, axis);
  if (pqr * pqs < 0 && rsp * rsq < 0) return true;
  return (pqr == 0 && in_box(r, p, q)) || (pqs == 0 && in_box(s, p, q)) || (rsp == 0 && in_box(p, r, s)) ||
         (rsq == 0 && in_box(q, r, s));
}

bool segments_meet(const Vec3d& p, const Vec3d& q, const Vec3d& r, const Vec3d& s) {
  if (orientation(p, q, r, s) != 0) return false;
  int axis = axis_across(p, q, r);
  if (axis < 0) axis = axis_across(p, q, s);
  if (axis < 0) axis = axis_across(r, s, p);
  if (axis < 0) axis = axis_across(r, s, q);
  // All on one line, where segments overlap as their boxes do.
  if (axis < 0) return boxes_meet(box_of({p, q}), box_of({r, s}));
  return segments_meet_in_plane(p, q, r, s, axis);
}

bool segment_meets_triangle(const Vec3d& p, const Vec3d& q, const Corners& t) {
  const Vec3d &a = t[0], &b = t[1], &c = t[2];
  const int above_p = orientation(a, b, c, p), above_q = orientation(a, b, c, q);
  if (above_p * above_q > 0) return false;
  if (above_p != 0 || above_q != 0)  // it passes through the plane at one point
    return !mixed(orientation(p, q, a, b), orientation(p, q, b, c), orientation(p, q, c, a));
  const int axis = axis_across(a, b, c);
  if (axis < 0) return segments_meet(p, q, a, b) || segments_meet(p, q, b, c) || segments_meet(p, q, c, a);
  const auto inside = [&](const Vec3d& x) {
    return !mixed(orientation(a, b, x, axis), orientation(b, c, x, axis), orientation(c, a, x, axis));
  };
  return inside(p) || inside(q) || segments_meet_in_plane(p, q, a, b, axis) ||
         segments_meet_in_plane(p, q, b, c, axis) || segments_meet_in_plane(p, q, c, a, axis);
}

// Triangles of a common edge lie on each other if they are in one plane, on the same side of it.
bool fold(const Vec3d& u, const Vec3d& v, const Vec3d& a, const Vec3d& b) {
  if (orientation(u, v, a, b) != 0) return false;
  const int axis = axis_across(u, v, a);
  return axis >= 0 && orientation(u, v, a, axis) == orientation(u, v, b, axis);
}

Corners corners_of(std::span<const Vec3d> vertices, const Triangle& t) {
  const auto at = [&](int k) { return vertices[static_cast<size_t>(t[static_cast<size_t>(k)])]; };
  return {at(0), at(1), at(2)};
}

}  // namespace

// If two triangles meet, then an edge of one meets the other.
bool triangles_meet(const Corners& a, const Corners& b) {
  const auto apart = [](const Corners& s, const Corners& t) {
    const int side = orientation(s[0], s[1], s[2], t[0]);
    return side != 0 && orientation(s[0], s[1], s[2], t[1]) == side && orientation(s[0], s[1], s[2], t[2]) == side;
  };
  if (apart(a, b) || apart(b, a)) return false;
  for (size_t k = 0; k < 3; ++k) {
    const size_t next = (k + 1) % 3;
    if (segment_meets_triangle(a[k], a[next], b) || segment_meets_triangle(b[k], b[next], a)) return true;
  }
  return false;
}

bool triangles_meet(std::span<const Vec3d> vertices, const Triangle& a, const Triangle& b) {
  const Corners p = corners_of(vertices, a), q = corners_of(vertices, b);
  // Corner k of a is corner same[k] of b.
  int same[3], shared = 0, last = 0;
  for (int k = 0; k < 3; ++k) {
    const auto found = std::find(b.begin(), b.end(), a[static_cast<size_t>(k)]);
    same[k] = found == b.end() ? -1 : static_cast<int>(found - b.begin());
    if (same[k] < 0) continue;
    ++shared;
    last = k;
  }
  switch (shared) {
    case 0:
      return triangles_meet(p, q);
    case 1: {
      // Where they meet elsewhere too, they do so along a line from the corner, which one of them ends at its opposite
      // edge.
      const auto at = static_cast<size_t>(last), of_b = static_cast<size_t>(same[last]);
      return segment_meets_triangle(p[(at + 1) % 3], p[(at + 2) % 3], q) ||
             segment_meets_triangle(q[(of_b + 1) % 3], q[(of_b + 2) % 3], p);
    }
    case 2: {
      size_t free_a = 0, free_b = 0;
      for (size_t k = 0; k < 3; ++k) {
        if (same[k] < 0) free_a = k;
        if (std::find(a.begin(), a.end(), b[k]) == a.end()) free_b = k;
      }
      return fold(p[(free_a + 1) % 3], p[(free_a + 2) % 3], p[free_a], q[free_b]);
    }
    default:
      return true;
  }
}

std::vector<std::pair<int32_t, int32_t>> meeting_triangles(std::span<const Vec3d> vertices,
                                                           std::span<const Triangle> triangles, ThreadPool& pool,
                                                           const std::atomic<bool>* stop, int64_t others) {
  using Pairs = std::vector<std::pair<int32_t, int32_t>>;
  const auto count = static_cast<int64_t>(triangles.size());
  if (count == 0) return {};
  std::vector<Bounds> boxes(triangles.size());
  pool.for_each(count, [&](size_t k) {
    for (const Vec3d& corner : corners_of(vertices, triangles[k])) boxes[k].add(corner);
  });
  const BoxTree tree(boxes, pool);
  constexpr int64_t piece = 1024;
  const int64_t compared = std::min(count, others);
  std::vector<Pairs> found(static_cast<size_t>((compared + piece - 1) / piece));
  pool.parallel_for(static_cast<int64_t>(found.size()), 1, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      if (stop && stop->load(std::memory_order_relaxed)) return;
      Pairs& pairs = found[static_cast<size_t>(k)];
      for (int64_t a = k * piece; a < std::min(compared, (k + 1) * piece); ++a) {
        const auto own = static_cast<size_t>(a);
        const size_t before = pairs.size();
        tree.visit_overlapping(boxes[own], [&](int32_t leaf) {
          for (const int32_t b : tree.leaves()[static_cast<size_t>(leaf)]) {
            if (b <= a) continue;  // also BoxTree::none
            if (boxes_meet(boxes[own], boxes[static_cast<size_t>(b)]) &&
                triangles_meet(vertices, triangles[own], triangles[static_cast<size_t>(b)]))
              pairs.emplace_back(static_cast<int32_t>(a), b);
          }
        });
        std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(before), pairs.end());
      }
    }
  });
  Pairs all;
  for (const Pairs& pairs : found) all.insert(all.end(), pairs.begin(), pairs.end());
  return all;
}

}  // namespace sinew
