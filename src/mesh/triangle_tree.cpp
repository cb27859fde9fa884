#include "mesh/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

constexpr int32_t leaf_size = 4;

double component(Vec3d a, int axis) {
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

double distance_squared(const Bounds& box, Vec3d x) {
  const auto out = [](double low, double at, double high) { return std::max({low - at, 0.0, at - high}); };
  const Vec3d d{out(box.low.x, x.x, box.high.x), out(box.low.y, x.y, box.high.y), out(box.low.z, x.z, box.high.z)};
  return dot(d, d);
}

}  // namespace

// The corners' and edges' regions first, each by the signs of x along the edges; then the face's.
std::array<double, 3> closest_weights(Vec3d x, Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d ab = b - a, ac = c - a;
  const double d1 = dot(ab, x - a), d2 = dot(ac, x - a);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const double d3 = dot(ab, x - b), d4 = dot(ac, x - b);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double d5 = dot(ab, x - c), d6 = dot(ac, x - c);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double of_c = d1 * d4 - d3 * d2;
  if (of_c <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const double of_b = d5 * d2 - d1 * d6;
  if (of_b <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const double of_a = d3 * d6 - d5 * d4;
  if (of_a <= 0 && d4 >= d3 && d5 >= d6) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - w, w};
  }
  const double sum = of_a + of_b + of_c, v = of_b / sum, w = of_c / sum;
  return {1 - v - w, v, w};
}

TriangleTree::TriangleTree(std::span<const Vec3d> vertices, std::span<const Triangle> triangles)
    : vertices_(vertices), triangles_(triangles), order_(triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  build(0, static_cast<int32_t>(order_.size()));
}

void TriangleTree::build(int32_t first, int32_t last) {
  const size_t at = nodes_.size();
  nodes_.push_back({{}, first, last});
  Bounds bounds;
  for (int32_t k = first; k < last; ++k)
    for (const int32_t v : triangles_[order_[k]]) bounds.add(vertices_[v]);
  nodes_[at].bounds = bounds;
  if (last - first <= leaf_size) return;

  const Vec3d extent = bounds.high - bounds.low;
  const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
  const auto middle_of = [&](int32_t triangle) {
    const Triangle& t = triangles_[triangle];
    return component(vertices_[t[0]] + vertices_[t[1]] + vertices_[t[2]], axis);
  };
  const int32_t half = first + (last - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last, [&](int32_t a, int32_t b) {
    const double m = middle_of(a), n = middle_of(b);
    return m != n ? m < n : a < b;
  });
  build(first, half);
  nodes_[at].right = static_cast<int32_t>(nodes_.size());
  build(half, last);
}

TriangleTree::Closest TriangleTree::closest(Vec3d x) const {
  Closest best;
  double least = std::numeric_limits<double>::infinity();
  std::vector<int32_t> open{0};
  while (!open.empty()) {
    const int32_t at = open.back();
    open.pop_back();
    const Node& node = nodes_[at];
    if (distance_squared(node.bounds, x) > least) continue;
    if (node.right >= 0) {
      // The nearer child is taken first.
      const bool left_first =
          distance_squared(nodes_[at + 1].bounds, x) <= distance_squared(nodes_[node.right].bounds, x);
      open.push_back(left_first ? node.right : at + 1);
      open.push_back(left_first ? at + 1 : node.right);
      continue;
    }
    for (int32_t k = node.first; k < node.last; ++k) {
      const int32_t triangle = order_[k];
      const Triangle& t = triangles_[triangle];
      const std::array<double, 3> w = closest_weights(x, vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]);
      const Vec3d d = w[0] * (vertices_[t[0]] - x) + w[1] * (vertices_[t[1]] - x) + w[2] * (vertices_[t[2]] - x);
      const double square = dot(d, d);
      if (square > least || (square == least && triangle > best.triangle)) continue;
      least = square;
      best = {triangle, w, std::sqrt(square)};
    }
  }
  return best;
}

}  // namespace sinew
