#include "mesh/triangle_tree.h"

#include <cmath>
#include <vector>

namespace sinew {
namespace {

// The boxes of the triangles, enlarged by more than the rounding of a closest point, which thus lies in the box.
std::vector<Bounds> boxes_of(std::span<const Vec3d> vertices, std::span<const Triangle> triangles, ThreadPool& pool) {
  std::vector<Bounds> boxes(triangles.size());
  pool.for_each(static_cast<int64_t>(triangles.size()), [&](size_t t) {
    for (const int32_t v : triangles[t]) boxes[t].add(vertices[v]);
    const double pad = 1e-15 * boxes[t].diagonal();
    boxes[t].low -= {pad, pad, pad};
    boxes[t].high += {pad, pad, pad};
  });
  return boxes;
}

// First the regions of corners and edges by the signs of x along the edges, then that of the face; branch-free, and
// such that one region determines all three weights.
template <class T>
SINEW_INLINE std::array<T, 3> weights_of(Vec3<T> x, Vec3<T> a, Vec3<T> b, Vec3<T> c) {
  const T zero = splat<T>(0), one = splat<T>(1);
  const Vec3<T> ab = b - a, ac = c - a;
  const T d1 = dot(ab, x - a), d2 = dot(ac, x - a);
  const T d3 = dot(ab, x - b), d4 = dot(ac, x - b);
  const T d5 = dot(ab, x - c), d6 = dot(ac, x - c);
  const T of_c = d1 * d4 - d3 * d2, of_b = d5 * d2 - d1 * d6, of_a = d3 * d6 - d5 * d4;
  const auto at_a = (d1 <= zero) & (d2 <= zero);
  const auto at_b = (d3 >= zero) & (d4 <= d3);
  const auto at_c = (d6 >= zero) & (d5 <= d6);
  const auto on_ab = (of_c <= zero) & (d1 >= zero) & (d3 <= zero);
  const auto on_ac = (of_b <= zero) & (d2 >= zero) & (d6 <= zero);
  const auto on_bc = (of_a <= zero) & (d4 >= d3) & (d5 >= d6);

  // On an edge, the weight of its far end; in the face, those of b and c.
  const T whole =
      select(on_ab, d1 - d3, select(on_ac, d2 - d6, select(on_bc, (d4 - d3) + (d5 - d6), of_a + of_b + of_c)));
  const T share = select(on_ab, d1, select(on_ac, d2, select(on_bc, d4 - d3, of_b))) / whole;
  const T rest = of_c / whole;
  std::array<T, 3> w{select(on_bc, zero, select(on_ab | on_ac, one - share, one - share - rest)),
                     select(on_ab, share, select(on_ac, zero, select(on_bc, one - share, share))),
                     select(on_ab, zero, select(on_ac | on_bc, share, rest))};
  const auto corner = [&](auto mask, int k) {
    for (int j = 0; j < 3; ++j) w[j] = select(mask, j == k ? one : zero, w[j]);
  };
  corner(at_c, 2);
  corner(at_b, 1);
  corner(at_a, 0);
  return w;
}

}  // namespace

std::array<double, 3> closest_weights(Vec3d x, Vec3d a, Vec3d b, Vec3d c) {
  return weights_of(x, a, b, c);
}

TriangleTree::TriangleTree(std::span<const Vec3d> vertices, std::span<const Triangle> triangles, ThreadPool& pool)
    : boxes_(boxes_of(vertices, triangles, pool), pool), corners_(boxes_.leaves().size()) {
  pool.parallel_for(static_cast<int64_t>(corners_.size()), 1024, [&](int64_t first, int64_t last) {
    for (int64_t leaf = first; leaf < last; ++leaf)
      for (int k = 0; k < BoxTree::width; ++k) {
        const BoxTree::Leaf& items = boxes_.leaves()[leaf];
        for (int c = 0; c < 3; ++c) {
          const Vec3d x = vertices[items[k] == BoxTree::none ? triangles[items[0]][0] : triangles[items[k]][c]];
          Vec3<Pair>& corner = corners_[leaf].pairs[k / 2][c];
          corner.x[k % 2] = x.x;
          corner.y[k % 2] = x.y;
          corner.z[k % 2] = x.z;
        }
      }
  });
}

TriangleTree::Closest TriangleTree::closest(Vec3d x, double within) const {
  const BoxTree::Place place(boxes_, x);
  const Vec3<Pair> here{splat<Pair>(x.x), splat<Pair>(x.y), splat<Pair>(x.z)};
  const std::span<const BoxTree::Leaf> leaves = boxes_.leaves();
  Closest best;
  double least = within * within;
  boxes_.visit_near(place, place.limit(least), [&](int32_t number) {
    const BoxTree::Leaf& leaf = leaves[number];
    for (int pair = 0; pair < BoxTree::width / 2; ++pair) {
      if (leaf[2 * pair] == BoxTree::none) break;
      const auto& [a, b, c] = corners_[number].pairs[pair];
      const std::array<Pair, 3> w = weights_of(here, a, b, c);
      const Vec3<Pair> d = w[0] * (a - here) + w[1] * (b - here) + w[2] * (c - here);
      const Pair square = dot(d, d);
      for (int k = 0; k < 2; ++k) {
        const int32_t triangle = leaf[2 * pair + k];
        if (triangle == BoxTree::none || !(square[k] <= least)) continue;
        if (square[k] == least && best.triangle >= 0 && triangle > best.triangle) continue;
        least = square[k];
        best = {triangle, {w[0][k], w[1][k], w[2][k]}, std::sqrt(least), x + Vec3d{d.x[k], d.y[k], d.z[k]}};
      }
    }
    return place.limit(least);
  });
  return best;
}

}  // namespace sinew
