#include "compile/bind.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/triangle_tree.h"

namespace sinew {
namespace {

Vec3d normal_of(const Triangle& t, std::span<const Vec3d> x) {
  const Vec3d n = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
  const double length = std::sqrt(dot(n, n));
  return length > 0 ? (1 / length) * n : Vec3d{0, 1, 0};
}

TieLaw<double> law_of(const SceneBinding& binding, const Triangle& triangle, std::span<const Vec3d> rest) {
  if (!binding.normal_stiffness) return weak_constraint_law(binding.stiffness);
  return weak_constraint_law(*binding.normal_stiffness, binding.tangential_stiffness.value_or(0),
                             normal_of(triangle, rest));
}

}  // namespace

Bound bind_vertices(const SceneBinding& binding, std::span<const int32_t> vertices, std::span<const Triangle> triangles,
                    std::span<const Vec3d> rest, Ties& ties) {
  std::vector<int32_t> used;  // the vertices of the triangles
  for (const Triangle& t : triangles) used.insert(used.end(), t.begin(), t.end());
  std::sort(used.begin(), used.end());

  const TriangleTree tree(rest, triangles);
  Bound bound;
  bound.nearest = std::numeric_limits<double>::infinity();
  for (const int32_t v : vertices) {
    if (std::binary_search(used.begin(), used.end(), v)) continue;
    const TriangleTree::Closest closest = tree.closest(rest[v]);
    bound.nearest = std::min(bound.nearest, closest.distance);
    if (closest.distance > binding.distance) continue;
    const Triangle& triangle = triangles[closest.triangle];
    std::vector<int32_t> ends{v};
    std::vector<double> weights{1};
    for (size_t k = 0; k < 3; ++k) {
      if (closest.weights[k] == 0) continue;
      ends.push_back(triangle[k]);
      weights.push_back(-closest.weights[k]);
    }
    ties.add(law_of(binding, triangle, rest), ends, weights);
    bound.vertices.push_back(v);
  }
  return bound;
}

}  // namespace sinew
