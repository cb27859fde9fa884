#include "meshing/crossing.h"

#include <algorithm>
#include <cmath>

#include "mesh/box_tree.h"

namespace sinew {
namespace {

using Points = std::array<Vec3d, 3>;

double volume(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
  return dot(b - a, cross(c - a, d - a));
}

// Whether a segment passes through the interior of a triangle.
bool pierces(Vec3d p, Vec3d q, const Points& t) {
  if (!(volume(p, t[0], t[1], t[2]) * volume(q, t[0], t[1], t[2]) < 0)) return false;
  const double a = volume(p, q, t[0], t[1]), b = volume(p, q, t[1], t[2]), c = volume(p, q, t[2], t[0]);
  return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

// The corner of f and that of g at the same place; -1: none. More than one: {3, 3}.
std::array<int, 2> shared_corner(const Triangle& f, const Triangle& g, std::span<const int32_t> place) {
  std::array<int, 2> shared{-1, -1};
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) {
      if (place[f[k]] != place[g[l]]) continue;
      if (shared[0] >= 0) return {3, 3};
      shared = {k, l};
    }
  return shared;
}

bool cross_each_other(const Points& f, const Points& g, std::array<int, 2> shared) {
  if (shared[0] == 3) return false;
  // The intersection of two triangles ends at an edge of one or the other; if they share a corner, it begins there and
  // ends at an edge opposite to it.
  for (int k = 0; k < 3; ++k) {
    if (shared[0] < 0 || shared[0] == (k + 2) % 3)
      if (pierces(f[k], f[(k + 1) % 3], g)) return true;
    if (shared[1] < 0 || shared[1] == (k + 2) % 3)
      if (pierces(g[k], g[(k + 1) % 3], f)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::array<int32_t, 2>> crossing_triangles(std::span<const Vec3d> vertices,
                                                       std::span<const Triangle> triangles,
                                                       std::span<const int32_t> place, ThreadPool& pool) {
  if (triangles.empty()) return {};
  const auto count = static_cast<int64_t>(triangles.size());
  const auto corners = [&](int32_t t) {
    return Points{vertices[triangles[t][0]], vertices[triangles[t][1]], vertices[triangles[t][2]]};
  };
  std::vector<Bounds> boxes(triangles.size());
  pool.for_each(count, [&](size_t t) {
    for (const int32_t v : triangles[t]) boxes[t].add(vertices[v]);
  });
  const BoxTree tree(boxes, pool);

  constexpr int64_t part = 1024;
  std::vector<std::vector<std::array<int32_t, 2>>> found(static_cast<size_t>((count + part - 1) / part));
  pool.parallel_for(static_cast<int64_t>(found.size()), 1, [&](int64_t from, int64_t to) {
    for (int64_t p = from; p < to; ++p) {
      for (auto f = static_cast<int32_t>(p * part); f < std::min((p + 1) * part, count); ++f) {
        const Points own = corners(f);
        const Bounds& box = boxes[f];
        const Vec3d centre = 0.5 * (box.low + box.high), half = box.high - centre;
        const BoxTree::Place at(tree, centre);
        const float limit = at.limit(dot(half, half));
        const size_t before = found[p].size();
        tree.visit_near(at, limit, [&](int32_t leaf) {
          for (const int32_t g : tree.leaves()[leaf]) {
            if (g <= f) continue;  // `none` too
            const Bounds& other = boxes[g];
            if (box.low.x > other.high.x || other.low.x > box.high.x || box.low.y > other.high.y ||
                other.low.y > box.high.y || box.low.z > other.high.z || other.low.z > box.high.z)
              continue;
            if (cross_each_other(own, corners(g), shared_corner(triangles[f], triangles[g], place)))
              found[p].push_back({f, g});
          }
          return limit;
        });
        std::sort(found[p].begin() + static_cast<long>(before), found[p].end());
      }
    }
  });
  std::vector<std::array<int32_t, 2>> all;
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace sinew
