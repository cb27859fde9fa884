// Source: separating axes (Gottschalk, Lin and Manocha 1996) in integers: convex polygons are apart iff they are along
// a normal of one, along the cross product of an edge of each, or, in one plane, along a normal of an edge.
#include "mesh/crossing_triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>

#include "mesh/generators.h"
#include "support/surface.h"

namespace sinew {
namespace {

using Point = Vec3<int64_t>;
using Polygon = std::vector<Point>;

Point edge(const Polygon& p, size_t k) {
  return p[(k + 1) % p.size()] - p[k];
}
Point normal(const Polygon& p) {
  return cross(edge(p, 0), edge(p, 1));
}
bool is_zero(const Point& v) {
  return v.x == 0 && v.y == 0 && v.z == 0;
}
bool apart_along(const Point& axis, const Polygon& a, const Polygon& b) {
  const auto range = [&](const Polygon& p) {
    int64_t low = dot(axis, p[0]), high = low;
    for (const Point& x : p) {
      low = std::min(low, dot(axis, x));
      high = std::max(high, dot(axis, x));
    }
    return std::pair(low, high);
  };
  const auto [low_a, high_a] = range(a);
  const auto [low_b, high_b] = range(b);
  return high_a < low_b || high_b < low_a;
}
bool meet_by_axes(const Polygon& a, const Polygon& b) {
  const Point normal_a = normal(a), normal_b = normal(b);
  if (apart_along(normal_a, a, b) || apart_along(normal_b, a, b)) return false;
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j)
      if (apart_along(cross(edge(a, i), edge(b, j)), a, b)) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (apart_along(cross(normal_a, edge(a, i)), a, b)) return false;
  for (size_t j = 0; j < b.size(); ++j)
    if (apart_along(cross(normal_b, edge(b, j)), a, b)) return false;
  return true;
}

class Grid {
 public:
  Point point(int most) {
    const auto number = [&] { return static_cast<int64_t>(random_() % (2 * most + 1)) - most; };
    const int64_t x = number(), y = number(), z = number();
    return {x, y, z};
  }
  // With area.
  Polygon triangle(int most) {
    for (;;) {
      const Polygon t{point(most), point(most), point(most)};
      if (!is_zero(normal(t))) return t;
    }
  }

 private:
  std::mt19937 random_{7};
};
Vec3d real(const Point& p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}
std::array<Vec3d, 3> real(const Polygon& p) {
  return {real(p[0]), real(p[1]), real(p[2])};
}

// On a coarse grid half of them touch, lie in one plane or share a corner's place.
TEST(CrossingTriangles, MeetAsSeparatingAxesSay) {
  Grid grid;
  int meet = 0, flat = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    const int most = 1 + trial % 4;
    Polygon a = grid.triangle(most), b = grid.triangle(most);
    if (trial % 5 == 0)
      for (Polygon* p : {&a, &b})
        for (Point& x : *p) x.z = x.x + x.y;  // in one plane
    if (is_zero(normal(a)) || is_zero(normal(b))) continue;
    const bool expected = meet_by_axes(a, b);
    EXPECT_EQ(triangles_meet(real(a), real(b)), expected);
    EXPECT_EQ(triangles_meet(real(b), real(a)), expected);
    meet += expected;
    flat += trial % 5 == 0;
  }
  EXPECT_GT(meet, 20000);
  EXPECT_GT(flat, 20000);
}

// Their points but for those near what they share: a thousandth of the way to the other corners.
TEST(CrossingTriangles, OfNeighboursMeetBeyondWhatTheyShare) {
  constexpr int64_t fine = 1000;
  const auto towards = [&](const Point& from, const Point& to) { return (fine - 1) * from + to; };
  const auto scaled = [&](const Point& p) { return fine * p; };
  Grid grid;
  int of_corner = 0, of_edge = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const int most = 1 + trial % 3;
    const Polygon a = grid.triangle(most), b = grid.triangle(most);
    {  // a common corner
      const Point v = a[0];
      const Polygon other{v, b[1], b[2]};
      if (!is_zero(normal(other))) {
        const Polygon rest{towards(v, a[1]), scaled(a[1]), scaled(a[2]), towards(v, a[2])};
        const Polygon rest_of_other{towards(v, b[1]), scaled(b[1]), scaled(b[2]), towards(v, b[2])};
        const bool expected = meet_by_axes(rest, rest_of_other);
        const std::vector<Vec3d> x{real(v), real(a[1]), real(a[2]), real(b[1]), real(b[2])};
        EXPECT_EQ(triangles_meet(x, Triangle{0, 1, 2}, Triangle{3, 4, 0}), expected);
        EXPECT_EQ(triangles_meet(x, Triangle{4, 0, 3}, Triangle{1, 2, 0}), expected);
        of_corner += expected;
      }
    }
    {  // a common edge
      const Point u = a[0], v = a[1];
      const Polygon other{u, v, b[2]};
      if (!is_zero(normal(other))) {
        const Polygon rest{towards(u, a[2]), towards(v, a[2]), scaled(a[2])};
        const Polygon rest_of_other{towards(u, b[2]), towards(v, b[2]), scaled(b[2])};
        const bool expected = meet_by_axes(rest, rest_of_other);
        const std::vector<Vec3d> x{real(u), real(v), real(a[2]), real(b[2])};
        EXPECT_EQ(triangles_meet(x, Triangle{0, 1, 2}, Triangle{1, 0, 3}), expected);
        EXPECT_EQ(triangles_meet(x, Triangle{3, 0, 1}, Triangle{1, 2, 0}), expected);
        of_edge += expected;
      }
    }
  }
  EXPECT_GT(of_corner, 3000);
  EXPECT_GT(of_edge, 3000);
}

TEST(CrossingTriangles, WithoutAreaAreSegmentsAndPoints) {
  const std::array<Vec3d, 3> triangle{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  const auto segment = [](Vec3d p, Vec3d q) { return std::array<Vec3d, 3>{p, 0.5 * (p + q), q}; };
  const auto point = [](Vec3d p) { return std::array<Vec3d, 3>{p, p, p}; };
  EXPECT_TRUE(triangles_meet(triangle, segment({1, 1, -1}, {1, 1, 1})));
  EXPECT_TRUE(triangles_meet(segment({1, 1, 0}, {9, 9, 0}), triangle));
  EXPECT_FALSE(triangles_meet(triangle, segment({1, 1, 0.5}, {1, 1, 1})));
  EXPECT_FALSE(triangles_meet(triangle, segment({3, 3, 0}, {5, 5, 0})));
  EXPECT_TRUE(triangles_meet(triangle, point({2, 2, 0})));
  EXPECT_FALSE(triangles_meet(triangle, point({2, 2.5, 0})));
  EXPECT_TRUE(triangles_meet(segment({0, 0, 0}, {2, 0, 0}), segment({1, -1, 0}, {1, 1, 0})));
  EXPECT_TRUE(triangles_meet(segment({0, 0, 0}, {2, 2, 2}), segment({1, 1, 1}, {3, 3, 3})));
  EXPECT_FALSE(triangles_meet(segment({0, 0, 0}, {2, 2, 2}), segment({3, 3, 3}, {5, 5, 5})));
  EXPECT_FALSE(triangles_meet(segment({0, 0, 0}, {2, 0, 0}), segment({1, -1, 1}, {1, 1, 1})));
  EXPECT_TRUE(triangles_meet(point({1, 2, 3}), point({1, 2, 3})));
  EXPECT_FALSE(triangles_meet(point({1, 2, 3}), point({1, 2, 4})));
}

// A ball does not meet itself; one pushed into another, or folded, does where a search of all pairs says so.
TEST(CrossingTriangles, AreFoundAmongAll) {
  SurfaceMesh ball = support::boundary_surface(make_ball({.shells = 3}).value());
  ThreadPool one(1), three(3);
  EXPECT_TRUE(meeting_triangles(ball.vertices, ball.triangles, three).empty());
  const auto count = static_cast<int32_t>(ball.vertices.size());
  const std::vector<Triangle> triangles = ball.triangles;
  for (int32_t v = 0; v < count; ++v) {
    const Vec3d p = ball.vertices[static_cast<size_t>(v)];
    ball.vertices.push_back({p.x + 0.8, 0.9 * p.y + 0.013, p.z});
  }
  for (const Triangle& t : triangles) ball.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  ball.vertices[0] = -1.0 * ball.vertices[0];  // a spike through itself
  ball.vertices[static_cast<size_t>(count)] = 2.5 * ball.vertices[static_cast<size_t>(count)];
  std::vector<std::pair<int32_t, int32_t>> all;
  const auto of = static_cast<int32_t>(ball.triangles.size());
  for (int32_t a = 0; a < of; ++a)
    for (int32_t b = a + 1; b < of; ++b)
      if (triangles_meet(ball.vertices, ball.triangles[static_cast<size_t>(a)], ball.triangles[static_cast<size_t>(b)]))
        all.emplace_back(a, b);
  EXPECT_GT(all.size(), 50u);
  EXPECT_EQ(meeting_triangles(ball.vertices, ball.triangles, one), all);
  EXPECT_EQ(meeting_triangles(ball.vertices, ball.triangles, three), all);
  // Of the second ball, pairs among themselves are left out.
  std::vector<uint8_t> asking(ball.triangles.size(), 0);
  std::fill_n(asking.begin(), triangles.size(), 1);
  std::erase_if(all, [&](const auto& pair) { return static_cast<size_t>(pair.first) >= triangles.size(); });
  EXPECT_EQ(meeting_triangles(ball.vertices, ball.triangles, three, nullptr, asking), all);
  const std::atomic<bool> stop = true;
  EXPECT_TRUE(meeting_triangles(ball.vertices, ball.triangles, three, &stop).empty());
}

}  // namespace
}  // namespace sinew
