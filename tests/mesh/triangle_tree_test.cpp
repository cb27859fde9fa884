// Source: the definition of the closest point; a search of all triangles written here.
#include "mesh/triangle_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/generators.h"
#include "support/random.h"
#include "support/surface.h"

namespace sinew {
namespace {

using support::Random;
using support::size;

Vec3d at(const std::array<double, 3>& w, Vec3d a, Vec3d b, Vec3d c) {
  return w[0] * a + w[1] * b + w[2] * c;
}

// No point of the triangle is closer: a step towards any corner increases the distance, and the weights are those of a
// point of the triangle.
TEST(TriangleTree, ClosestWeightsAreOfTheClosestPoint) {
  Random random(1);
  int corners = 0, edges = 0, faces = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3d a = random.vector(), b = random.vector(), c = random.vector(), x = 2.0 * random.vector();
    const std::array<double, 3> w = closest_weights(x, a, b, c);
    EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-14);
    int used = 0;
    for (const double part : w) {
      EXPECT_GE(part, 0);
      used += part > 0;
    }
    (used == 1 ? corners : used == 2 ? edges : faces) += 1;
    const Vec3d p = at(w, a, b, c);
    for (const Vec3d corner : {a, b, c}) EXPECT_LE(dot(x - p, corner - p), 1e-12 * (1 + dot(x, x)));
  }
  EXPECT_GT(std::min({corners, edges, faces}), 100);  // all regions were met
}

TEST(TriangleTree, FindsWhatASearchThroughAllFinds) {
  const SurfaceMesh surface = support::boundary_surface(make_ball({.shells = 4}).value());
  const TriangleTree tree(surface.vertices, surface.triangles);
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3d x = random.vector();
    double least = 1e30;
    for (const Triangle& t : surface.triangles) {
      const Vec3d a = surface.vertices[t[0]], b = surface.vertices[t[1]], c = surface.vertices[t[2]];
      least = std::min(least, size(at(closest_weights(x, a, b, c), a, b, c) - x));
    }
    const TriangleTree::Closest found = tree.closest(x);
    EXPECT_NEAR(found.distance, least, 1e-14);
    const Triangle& t = surface.triangles[found.triangle];
    EXPECT_NEAR(size(at(found.weights, surface.vertices[t[0]], surface.vertices[t[1]], surface.vertices[t[2]]) - x),
                least, 1e-14);
  }
}

// All triangles around a vertex are equally close to it.
TEST(TriangleTree, TakesTheFirstOfEquallyCloseTriangles) {
  const SurfaceMesh surface = support::boundary_surface(make_box({.cells = {3, 3, 3}}).value());
  const TriangleTree tree(surface.vertices, surface.triangles);
  for (size_t v = 0; v < surface.vertices.size(); ++v) {
    const TriangleTree::Closest found = tree.closest(surface.vertices[v]);
    EXPECT_EQ(found.distance, 0);
    int32_t first = 0;
    const auto has = [&](const Triangle& t) {
      return std::find(t.begin(), t.end(), static_cast<int32_t>(v)) != t.end();
    };
    while (!has(surface.triangles[first])) ++first;
    EXPECT_EQ(found.triangle, first);
  }
}

}  // namespace
}  // namespace sinew
