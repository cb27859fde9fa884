// Source: the definition: two triangles traverse their common edge in opposite directions.
#include "meshing/orientation.h"

#include <gtest/gtest.h>

#include "mesh/topology.h"
#include "meshing/surface_field.h"
#include "meshing/surfaces.h"
#include "support/random.h"

namespace sinew {
namespace {

SurfaceMesh ball() {
  return support::dome(20, 40, std::numbers::pi);
}
void turn(Triangle& t) {
  std::swap(t[1], t[2]);
}

TEST(Orientation, OfAShuffledBallIsFoundAgain) {
  const SurfaceMesh whole = ball();
  std::vector<Triangle> triangles = whole.triangles;
  support::Random random(3);
  int64_t shuffled = 0;
  for (Triangle& t : triangles)
    if (random.between(0, 1) < 0.4) {
      turn(t);
      ++shuffled;
    }
  EXPECT_EQ(orient(whole.vertices, triangles), shuffled);
  EXPECT_EQ(triangles, whole.triangles);
  EXPECT_EQ(orient(whole.vertices, triangles), 0);
}

// Each part separately, by its own majority.
TEST(Orientation, KeepsThePartsApart) {
  SurfaceMesh two = ball();
  const auto count = static_cast<int32_t>(two.vertices.size());
  const size_t half = two.triangles.size();
  for (int32_t v = 0; v < count; ++v) two.vertices.push_back(two.vertices[v] + Vec3d{3, 0, 0});
  for (size_t t = 0; t < half; ++t) {
    Triangle other = two.triangles[t];
    for (int32_t& v : other) v += count;
    turn(other);
    two.triangles.push_back(other);
  }
  std::vector<Triangle> triangles = two.triangles;
  EXPECT_EQ(orient(two.vertices, triangles), 0) << "all of the second are inside out";
  for (size_t t = 0; t < 5; ++t) turn(triangles[half + 7 * t]);
  EXPECT_EQ(orient(two.vertices, triangles), 5);
  EXPECT_EQ(triangles, two.triangles);
}

TEST(Orientation, LeavesWhatHasNoTwoSides) {
  constexpr int32_t n = 9;  // steps around the strip; its ends are joined crosswise
  std::vector<Vec3d> x;
  std::vector<Triangle> strip;
  for (int32_t k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n, half = angle / 2;
    for (const double side : {-0.2, 0.2})
      x.push_back({(1 + side * std::cos(half)) * std::cos(angle), (1 + side * std::cos(half)) * std::sin(angle),
                   side * std::sin(half)});
    const int32_t a = 2 * k, b = a + 1, c = k + 1 < n ? a + 2 : 1, d = k + 1 < n ? a + 3 : 0;
    strip.push_back({a, c, b});
    strip.push_back({b, c, d});
  }
  const std::vector<Triangle> before = strip;
  EXPECT_EQ(orient(x, strip), 0);
  EXPECT_EQ(strip, before);
}

// Four faces at one edge: it determines nothing.
TEST(Orientation, DoesNotCrossCrowdedEdges) {
  const std::vector<Vec3d> x{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
  const std::vector<Triangle> before{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
  std::vector<Triangle> triangles = before;
  EXPECT_EQ(orient(x, triangles), 0);
  EXPECT_EQ(triangles, before);
}

// A ball of randomly oriented triangles encloses the same solid as the original.
TEST(Orientation, MakesASolidOfShuffledTriangles) {
  SurfaceMesh shuffled = ball();
  support::Random random(8);
  for (Triangle& t : shuffled.triangles)
    if (random.between(0, 1) < 0.5) turn(t);
  const auto field = make_surface_field(shuffled);
  ASSERT_TRUE(field) << field.error().message();
  EXPECT_TRUE((*field)->continuous()) << "closed";
  const std::vector<Vec3d> points{{0, 0, 0}, {0.5, 0.5, 0.5}, {0, 0, -0.9}, {0.9, 0.9, 0}, {0, 1.1, 0}};
  std::vector<double> values(points.size());
  (*field)->distances(points, values);
  for (size_t k = 0; k < points.size(); ++k) EXPECT_EQ(values[k] < 0, k < 3) << k;
}

}  // namespace
}  // namespace sinew
