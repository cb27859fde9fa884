// Source: the definition, by Moeller and Trumbore's intersection of segments with triangles (1997) for every pair.
#include "meshing/crossing.h"

#include <gtest/gtest.h>

#include <numeric>

#include "meshing/surfaces.h"
#include "support/random.h"

namespace sinew {
namespace {

using Pairs = std::vector<std::array<int32_t, 2>>;

std::vector<int32_t> own_places(size_t count) {
  std::vector<int32_t> place(count);
  std::iota(place.begin(), place.end(), 0);
  return place;
}
Pairs crossing(const SurfaceMesh& s) {
  return crossing_triangles(s.vertices, s.triangles, own_places(s.vertices.size()), ThreadPool::caller());
}

bool hits(Vec3d from, Vec3d to, Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d along = to - from, ab = b - a, ac = c - a, p = cross(along, ac);
  const double inverse = 1 / dot(ab, p);
  const double u = inverse * dot(from - a, p);
  const Vec3d q = cross(from - a, ab);
  const double v = inverse * dot(along, q), t = inverse * dot(ac, q);
  return u > 0 && v > 0 && u + v < 1 && t > 0 && t < 1;
}

TEST(Crossing, OfSeparateTrianglesAsEveryPairSays) {
  support::Random random(3);
  SurfaceMesh soup;
  for (int32_t t = 0; t < 300; ++t) {
    const Vec3d centre = 2.0 * random.vector();
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(centre + 0.5 * random.vector());
    soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  Pairs expected;
  for (int32_t f = 0; f < 300; ++f)
    for (int32_t g = f + 1; g < 300; ++g) {
      bool cross = false;
      for (const auto& [s, t] : {std::pair(f, g), std::pair(g, f)})
        for (int k = 0; k < 3; ++k)
          cross = cross || hits(soup.vertices[3 * s + k], soup.vertices[3 * s + (k + 1) % 3], soup.vertices[3 * t],
                                soup.vertices[3 * t + 1], soup.vertices[3 * t + 2]);
      if (cross) expected.push_back({f, g});
    }
  EXPECT_GT(expected.size(), 50u);
  EXPECT_EQ(crossing(soup), expected);
  ThreadPool pool(3);
  EXPECT_EQ(crossing_triangles(soup.vertices, soup.triangles, own_places(soup.vertices.size()), pool), expected);
}

TEST(Crossing, TrianglesThatShareACorner) {
  // From the origin: one in the plane z = 0, another that crosses it, or stays above it.
  for (const double low : {-1.0, 0.5}) {
    const SurfaceMesh pair{{{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {1, 0, low}, {1, 0, 1}}, {{0, 1, 2}, {0, 3, 4}}};
    EXPECT_EQ(crossing(pair), low < 0 ? Pairs({{0, 1}}) : Pairs{});
    // The same with a duplicated corner, if declared as such.
    SurfaceMesh apart = pair;
    apart.vertices.push_back({0, 0, 0});
    apart.triangles[1][0] = 5;
    std::vector<int32_t> place = own_places(6);
    place[5] = 0;
    EXPECT_EQ(crossing_triangles(apart.vertices, apart.triangles, place, ThreadPool::caller()), crossing(pair));
  }
}

TEST(Crossing, ClosedSurfaces) {
  EXPECT_TRUE(crossing(support::cube()).empty());
  EXPECT_TRUE(crossing(support::dome(20, 30, std::numbers::pi)).empty());
  SurfaceMesh two = support::cube();
  for (const Triangle& t : support::cube().triangles) two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  for (const Vec3d& x : support::cube({0.9, 0.8, 0.7}).vertices) two.vertices.push_back(x);
  EXPECT_FALSE(crossing(two).empty());
}

}  // namespace
}  // namespace sinew
