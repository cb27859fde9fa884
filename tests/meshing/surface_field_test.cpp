// Source: the solids from which the surfaces were made, by formula; Jacobson et al. (2013) for broken ones.
#include "meshing/surface_field.h"

#include <gtest/gtest.h>

#include <limits>

#include "meshing/surfaces.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;
using support::size;

std::vector<double> values_at(const DistanceField& field, std::span<const Vec3d> points) {
  std::vector<double> values(points.size());
  field.distances(points, values);
  return values;
}
double value_at(const DistanceField& field, Vec3d x) {
  return values_at(field, std::span(&x, 1))[0];
}
std::vector<Vec3d> random_points(int count, double spread) {
  Random random(11);
  std::vector<Vec3d> points;
  for (int k = 0; k < count; ++k) points.push_back(spread * random.vector());
  return points;
}
void append(SurfaceMesh& to, const SurfaceMesh& other) {
  const auto shift = static_cast<int32_t>(to.vertices.size());
  to.vertices.insert(to.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const Triangle& t : other.triangles) to.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
}
SurfaceMesh inside_out(SurfaceMesh surface) {
  for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
  return surface;
}
SurfaceMesh ball() {
  return support::dome(40, 80, std::numbers::pi);
}
// The share of points on the same side as in the unit ball, omitting points near its surface.
double agreement_with_ball(const DistanceField& field) {
  int right = 0, all = 0;
  const std::vector<Vec3d> points = random_points(3000, 0.8);
  const std::vector<double> values = values_at(field, points);
  for (size_t k = 0; k < points.size(); ++k) {
    const double radius = size(points[k]);
    if (std::abs(radius - 1) < 0.05) continue;
    ++all;
    right += (values[k] < 0) == (radius < 1);
  }
  return double(right) / all;
}

// For a closed surface: inside and outside, on it, and far beyond its box.
TEST(SurfaceField, OfACubeIsTheDistanceToIt) {
  for (const SurfaceMesh& surface : {support::cube(), inside_out(support::cube())}) {
    const auto field = make_surface_field(surface);
    ASSERT_TRUE(field);
    EXPECT_TRUE((*field)->continuous());
    EXPECT_EQ((*field)->bounds().low.x, -1);
    EXPECT_EQ((*field)->bounds().high.z, 1);
    EXPECT_NEAR(value_at(**field, {0, 0, 0}), -1, 1e-15);
    EXPECT_NEAR(value_at(**field, {0.9, 0.2, -0.3}), -0.1, 1e-15);
    EXPECT_NEAR(value_at(**field, {2, 2, 1}), std::sqrt(2), 1e-15);
    EXPECT_NEAR(value_at(**field, {100, 0, 0}), 99, 1e-12);
    EXPECT_EQ(value_at(**field, {1, 0.3, 0.2}), 0);
    EXPECT_EQ(value_at(**field, {1, 1, 1}), 0);
  }
}

// Facets of 40 rings lie within 1 - cos(pi / 80) of the ball.
TEST(SurfaceField, OfABallIsTheDistanceToIt) {
  const auto field = make_surface_field(ball());
  ASSERT_TRUE(field);
  const std::vector<Vec3d> points = random_points(2000, 1);
  const std::vector<double> values = values_at(**field, points);
  for (size_t k = 0; k < points.size(); ++k) EXPECT_NEAR(values[k], size(points[k]) - 1, 2e-3);
}

// A result does not depend on the other points of a call, nor on their order.
TEST(SurfaceField, SameBitsHoweverThePointsAreDealtOut) {
  SurfaceMesh broken = ball();
  broken.triangles.erase(broken.triangles.begin() + 100, broken.triangles.begin() + 130);
  for (const SurfaceMesh& surface : {ball(), broken}) {
    ThreadPool three(3);
    const auto field = make_surface_field(surface), by_three = make_surface_field(surface, three);
    ASSERT_TRUE(field && by_three);
    std::vector<Vec3d> points;  // in rows, like lattice points
    for (int i = 0; i < 20; ++i)
      for (int j = 0; j < 20; ++j)
        for (int k = 0; k < 20; ++k) points.push_back(0.11 * Vec3d{i - 10.0, j - 10.0, k - 10.0});
    const std::vector<double> at_once = values_at(**field, points);
    EXPECT_EQ(at_once, values_at(**by_three, points));
    std::vector<Vec3d> backwards(points.rbegin(), points.rend());
    std::vector<double> back = values_at(**field, backwards);
    std::reverse(back.begin(), back.end());
    EXPECT_EQ(at_once, back);
    for (size_t k = 0; k < points.size(); k += 7) EXPECT_EQ(at_once[k], value_at(**field, points[k]));
  }
}

TEST(SurfaceField, ClosesHoles) {
  SurfaceMesh broken = ball();
  std::erase_if(broken.triangles, [&](const Triangle& t) { return broken.vertices[t[0]].z < -0.9; });
  const auto field = make_surface_field(broken);
  ASSERT_TRUE(field);
  EXPECT_FALSE((*field)->continuous());
  EXPECT_FALSE((*field)->turned());
  EXPECT_GT(agreement_with_ball(**field), 0.99);
  // Below the hole there is no solid, even if the surface is doubled and w is near 1.
  const SurfaceMesh once = broken;
  append(broken, once);
  const auto twice = make_surface_field(broken);
  ASSERT_TRUE(twice);
  EXPECT_GT(value_at(**twice, {0, 0, -1.1}), 0);
}

// Onto a closed surface by its distance, to distance 0; in a hole according to the distances.
TEST(SurfaceField, ProjectsOntoTheSurface) {
  const auto closed = make_surface_field(ball());
  ASSERT_TRUE(closed);
  const std::vector<Vec3d> points = random_points(500, 0.8);
  std::vector<Vec3d> moved = points;
  std::vector<double> off(points.size());
  (*closed)->project(moved, 0.01, off);
  const std::vector<double> before = values_at(**closed, points), after = values_at(**closed, moved);
  for (size_t k = 0; k < points.size(); ++k) {
    EXPECT_EQ(off[k], 0);
    EXPECT_NEAR(after[k], 0, 1e-14);
    EXPECT_NEAR(size(moved[k] - points[k]), std::abs(before[k]), 1e-14);
  }

  SurfaceMesh broken = ball();
  std::erase_if(broken.triangles, [&](const Triangle& t) { return broken.vertices[t[0]].z < -0.9; });
  const auto open = make_surface_field(broken);
  ASSERT_TRUE(open);
  std::vector<Vec3d> some{{0.02, 0.01, -0.95}, {0, 0.93, 0.1}};
  std::vector<double> distances(2);
  (*open)->project(some, 0.01, distances);
  EXPECT_EQ(distances[0], std::abs(value_at(**open, some[0])));
  EXPECT_GT(distances[0], 0);
  EXPECT_EQ(distances[1], 0);
}

// A minority of flipped triangles is outvoted, and so is a minority of correct ones. Single flipped triangles cause a
// dent or a bump of about their size.
TEST(SurfaceField, OutvotesFlippedTriangles) {
  for (const double flipped : {0.1, 0.9}) {
    Random random(12);
    const SurfaceMesh surface = ball();
    // Each with its own, slightly displaced vertices: no shared edges determine the orientation.
    SurfaceMesh soup;
    for (Triangle t : surface.triangles) {
      if (random.between(0, 1) < flipped) std::swap(t[1], t[2]);
      const auto first = static_cast<int32_t>(soup.vertices.size());
      for (const int32_t v : t) soup.vertices.push_back(surface.vertices[v] + 1e-7 * random.vector());
      soup.triangles.push_back({first, first + 1, first + 2});
    }
    const auto field = make_surface_field(soup);
    ASSERT_TRUE(field);
    EXPECT_EQ((*field)->turned(), flipped > 0.5);
    EXPECT_FALSE((*field)->continuous());
    EXPECT_GT(agreement_with_ball(**field), 0.99) << flipped;
  }
}

// One of two bodies, or the surface of a cavity.
TEST(SurfaceField, TakesEitherOrientationOfAPart) {
  SurfaceMesh pair = support::cube({-2, 0, 0});
  append(pair, inside_out(support::cube({2, 0, 0})));
  const auto both = make_surface_field(pair);
  ASSERT_TRUE(both);
  EXPECT_NEAR(value_at(**both, {-2, 0, 0}), -1, 1e-15);
  EXPECT_NEAR(value_at(**both, {2, 0, 0}), -1, 1e-15);
  EXPECT_NEAR(value_at(**both, {0, 0, 0}), 1, 1e-15);

  SurfaceMesh hollow = support::cube();
  append(hollow, inside_out(support::cube({0, 0, 0}, 0.5)));
  for (const SurfaceMesh& surface : {hollow, inside_out(hollow)}) {
    const auto field = make_surface_field(surface);
    ASSERT_TRUE(field);
    EXPECT_NEAR(value_at(**field, {0, 0, 0}), 0.5, 1e-15);
    EXPECT_NEAR(value_at(**field, {0.75, 0, 0}), -0.25, 1e-15);
  }
}

// Each triangle with its own vertices, and duplicated: still closed.
TEST(SurfaceField, KnowsAClosedSoup) {
  const SurfaceMesh whole = ball();
  SurfaceMesh soup;
  for (int copy = 0; copy < 2; ++copy)
    for (const Triangle& t : whole.triangles) {
      const auto v = static_cast<int32_t>(soup.vertices.size());
      for (const int32_t corner : t) soup.vertices.push_back(whole.vertices[corner]);
      soup.triangles.push_back({v, v + 1, v + 2});
    }
  soup.vertices.push_back({std::numeric_limits<double>::quiet_NaN(), 0, 0});  // unused
  const auto field = make_surface_field(soup);
  ASSERT_TRUE(field);
  EXPECT_TRUE((*field)->continuous());
  EXPECT_EQ(agreement_with_ball(**field), 1);
  soup.triangles.pop_back();
  const auto open = make_surface_field(soup);
  ASSERT_TRUE(open);
  EXPECT_FALSE((*open)->continuous());
}

// Triangles with no or almost no area are ignored, even by nearby points.
TEST(SurfaceField, LeavesOutTrianglesWithoutArea) {
  SurfaceMesh surface = support::cube();
  surface.vertices.push_back({0, 1, 1e-7});
  surface.triangles.push_back({0, 0, 5});
  surface.triangles.push_back({2, 3, 2});
  surface.triangles.push_back({6, 7, 8});
  surface.triangles.push_back({7, 6, 8});
  const auto field = make_surface_field(surface);
  ASSERT_TRUE(field);
  EXPECT_TRUE((*field)->continuous());
  EXPECT_NEAR(value_at(**field, {0, 0, 0}), -1, 1e-15);
}

// For any orientation: near the surface, on it, and next to an edge.
TEST(SurfaceField, TangentPlanes) {
  for (const SurfaceMesh& surface : {support::cube(), inside_out(support::cube()), ball(), inside_out(ball())}) {
    const auto field = make_surface_field(surface);
    ASSERT_TRUE(field);
    Random random(9);
    std::vector<Vec3d> points;
    while (points.size() < 300) {
      const Vec3d x = random.vector();
      if (std::abs(value_at(**field, x)) < 0.1) points.push_back(x);
    }
    std::vector<Vec3d> on = points;
    std::vector<double> off(on.size());
    (*field)->project(on, 0.01, off);
    points.insert(points.end(), on.begin(), on.end());
    std::vector<TangentPlane> planes(points.size());
    (*field)->tangent_planes(points, 0.01, planes);
    for (size_t k = 0; k < points.size(); ++k) {
      const TangentPlane& p = planes[k];
      const double value = value_at(**field, points[k]);
      EXPECT_NEAR(size(p.normal), 1, 1e-6);  // in single precision if the point is on the surface
      EXPECT_NEAR(size(p.outwards), 1, 1e-6);
      EXPECT_NEAR(std::abs(p.height), std::abs(value), 1e-9);
      const Vec3d closest = points[k] - p.height * p.normal;
      EXPECT_NEAR(value_at(**field, closest), 0, 1e-9);
      EXPECT_GT(value_at(**field, closest + 0.02 * p.outwards), 0);
      EXPECT_LT(value_at(**field, closest - 0.02 * p.outwards), 1e-12);  // on the next face, behind an edge
    }
  }
}

SurfaceMesh together(const std::vector<SurfaceMesh>& parts) {
  SurfaceMesh all;
  for (const SurfaceMesh& part : parts) {
    const auto first = static_cast<int32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (const Triangle& t : part.triangles) all.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return all;
}

TEST(SurfaceField, KnowsTheVolumeWhicheverWayPartsFace) {
  const auto volume = [](const std::vector<SurfaceMesh>& parts) {
    auto field = make_surface_field(together(parts));
    EXPECT_TRUE(field.ok());
    return (*field)->volume();
  };
  const SurfaceMesh one = support::cube(), other = support::cube({4, 0, 0}), within = support::cube({0, 0, 0}, 0.5);
  EXPECT_NEAR(volume({one, other}), 16, 1e-12);
  EXPECT_NEAR(volume({one, inside_out(other)}), 16, 1e-12);
  EXPECT_NEAR(volume({inside_out(one), inside_out(other)}), 16, 1e-12);
  EXPECT_NEAR(volume({one, inside_out(within)}), 7, 1e-12);  // a cavity
  EXPECT_NEAR(volume({one, within}), 8, 1e-12);              // solid on both sides
}

TEST(SurfaceField, CountsThePartsThatPointsAreFarFrom) {
  const SurfaceMesh one = support::cube(), other = support::cube({4, 0, 0}), within = support::cube({0, 0, 0}, 0.5);
  auto field = make_surface_field(together({one, other, within}));
  ASSERT_TRUE(field.ok());
  const std::vector<Vec3d> at_one{{1, 0, 0}, {0, 1, 0}}, at_both{{1, 0, 0}, {5, 0, 0}};
  EXPECT_EQ((*field)->parts(), 3);
  EXPECT_EQ((*field)->parts_without(at_one, ThreadPool::caller()), 1);
  EXPECT_EQ((*field)->parts_without(at_both, ThreadPool::caller()), 0);
}

// One stray far away on either side; unjoined walls stay.
TEST(SurfaceField, LeavesOutStrayTriangles) {
  const auto triangle = [](Vec3d at) {
    SurfaceMesh one;
    one.vertices = {at, at + Vec3d{1, 0, 0}, at + Vec3d{0, 1, 0}};
    one.triangles = {{0, 1, 2}};
    return one;
  };
  auto field = make_surface_field(together({triangle({1e6, 0, 0}), support::cube(), triangle({0, -50, 3})}));
  ASSERT_TRUE(field.ok());
  EXPECT_EQ((*field)->strays(), 2);
  EXPECT_EQ((*field)->bounds().diagonal(), 2 * std::sqrt(3.0));
  EXPECT_TRUE((*field)->continuous());
  EXPECT_NEAR((*field)->volume(), 8, 1e-12);

  SurfaceMesh walls;
  for (const Triangle& t : support::cube().triangles) {
    const auto first = static_cast<int32_t>(walls.vertices.size());
    const SurfaceMesh cube = support::cube();
    const Vec3d middle = (1.0 / 3) * (cube.vertices[t[0]] + cube.vertices[t[1]] + cube.vertices[t[2]]);
    for (const int32_t v : t) walls.vertices.push_back(cube.vertices[v] + 0.05 * (middle - cube.vertices[v]));
    walls.triangles.push_back({first, first + 1, first + 2});
  }
  auto house = make_surface_field(walls);
  ASSERT_TRUE(house.ok());
  EXPECT_EQ((*house)->strays(), 0);
}

TEST(SurfaceField, RefusesWhatEnclosesNothing) {
  const auto said = [](const SurfaceMesh& surface) {
    const auto field = make_surface_field(surface);
    return field ? "a solid" : field.error().message();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const SurfaceMesh cube = support::cube();
  EXPECT_EQ(said({}), "surface: has no triangles; give a surface that encloses a volume");
  SurfaceMesh bad = cube;
  bad.triangles[3][1] = 8;
  EXPECT_EQ(
      said(bad),
      "surface: triangle 3 has the vertex 8, but there are 8 vertices; vertices are numbered from 0; save the file "
      "again");
  for (const double x : {nan, std::numeric_limits<double>::infinity(), 1e19}) {
    bad = cube;
    bad.vertices[2].y = x;
    EXPECT_NE(said(bad).find("vertex 2 is at (-1, "), std::string::npos) << said(bad);
  }
  for (const double scale : {1e-160, 1e-250}) {  // squares of these are 0
    for (Vec3d& v : (bad = cube).vertices) v = scale * v;
    EXPECT_NE(said(bad).find("m wide; scale it to at least 1e-100 m"), std::string::npos) << said(bad);
  }
  bad = cube;
  for (Vec3d& v : bad.vertices) v = {v.x + v.y, 0, 0};
  EXPECT_NE(said(bad).find("12 triangles, but none with an area"), std::string::npos) << said(bad);
  for (Vec3d& v : (bad = cube).vertices) v.z = 0.1 * v.x + 0.3 * v.y;
  EXPECT_NE(said(bad).find("lies in a plane and encloses nothing"), std::string::npos) << said(bad);
  // A wavy sheet and its back: closed, but encloses nothing.
  SurfaceMesh sheet;
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 30; ++j) sheet.vertices.push_back({double(i), double(j), std::sin(0.2 * i * j)});
  for (int i = 0; i + 1 < 30; ++i)
    for (int j = 0; j + 1 < 30; ++j) {
      const int v = 30 * i + j;
      sheet.triangles.insert(sheet.triangles.end(), {{v, v + 30, v + 31}, {v, v + 31, v + 1}});
    }
  const SurfaceMesh front = sheet;
  append(sheet, inside_out(front));
  EXPECT_NE(said(sheet).find("encloses nothing: it goes around no point"), std::string::npos) << said(sheet);
  SurfaceMesh one{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}};
  EXPECT_NE(said(one).find("encloses nothing"), std::string::npos) << said(one);
}

// The largest supported, and a small one.
TEST(SurfaceField, TakesSurfacesOfAnySize) {
  for (const double scale : {5e17, 1e-20}) {
    const auto field = make_surface_field(support::cube({0, 0, 0}, scale));
    ASSERT_TRUE(field);
    EXPECT_NEAR(value_at(**field, {0.5 * scale, 0, 0}) / scale, -0.5, 1e-14);
    EXPECT_NEAR(value_at(**field, {2 * scale, 0, 0}) / scale, 1, 1e-14);
  }
}

}  // namespace
}  // namespace sinew
