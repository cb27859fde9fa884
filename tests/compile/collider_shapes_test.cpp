// Source: volumes of a box, a ball (4/3 pi r^3) and a capsule (that and pi r^2 l); compile/collider_shapes.h.
#include "compile/collider_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/summary.h"

namespace sinew {
namespace {

using std::numbers::pi;

double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
  const Vec3d ab = b - a;
  const double t = dot(ab, ab) > 0 ? std::clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0) : 0.0;
  const Vec3d d = p - (a + t * ab);
  return std::sqrt(dot(d, d));
}

// Closed, and a sphere in topology.
SurfaceSummary checked(const SurfaceMesh& mesh) {
  const SurfaceSummary s = summarize(mesh);
  EXPECT_TRUE(s.topology.watertight());
  EXPECT_EQ(s.topology.components, 1);
  EXPECT_EQ(s.topology.euler_characteristic(), 2);
  EXPECT_EQ(s.topology.vertices, s.vertices);
  EXPECT_EQ(s.degenerate_triangles, 0);
  return s;
}

TEST(ColliderShapes, ABoxFacesOutwards) {
  const SurfaceSummary s = checked(box_surface({-1, 2, 3}, {1, 5, 7}));
  EXPECT_EQ(s.topology.faces, 12);
  EXPECT_NEAR(s.volume, 2 * 3 * 4, 1e-12);
  EXPECT_NEAR(s.area, 2 * (2 * 3 + 3 * 4 + 4 * 2), 1e-12);
}

TEST(ColliderShapes, ASphereHasItsCornersOnIt) {
  const Vec3d center{1, -2, 3};
  const double r = 0.25;
  const SurfaceMesh mesh = sphere_surface(center, r);
  const SurfaceSummary s = checked(mesh);
  EXPECT_EQ(s.topology.faces, 3200);
  for (const Vec3d& p : mesh.vertices) EXPECT_NEAR(distance_to_segment(p, center, center), r, 1e-15);
  // Facets of .1 r lie up to .1^2/8 r inside.
  EXPECT_LT(s.volume, 4 * pi * r * r * r / 3);
  EXPECT_GT(s.volume, 0.995 * 4 * pi * r * r * r / 3);
  EXPECT_LT(s.longest_edge, 0.135 * r);
  EXPECT_GT(s.shortest_edge, 0.07 * r);
}

TEST(ColliderShapes, ACapsuleIsRoundAtItsEnds) {
  for (const Vec3d& b : {Vec3d{0, 0, 2}, Vec3d{0.3, -0.4, 0.5}, Vec3d{-3, 0, 0}, Vec3d{0, 1e-3, 0}}) {
    const Vec3d a{0.1, 0.2, 0.3};
    const double r = 0.2, length = std::sqrt(dot(b - a, b - a));
    const SurfaceMesh mesh = capsule_surface(a, b, r);
    const SurfaceSummary s = checked(mesh);
    for (const Vec3d& p : mesh.vertices) EXPECT_NEAR(distance_to_segment(p, a, b), r, 1e-14);
    const double exact = 4 * pi * r * r * r / 3 + pi * r * r * length;
    EXPECT_LT(s.volume, exact);
    EXPECT_GT(s.volume, 0.995 * exact);
    EXPECT_LT(s.longest_edge, 0.135 * r);
  }
}

// A long one does not fill the memory.
TEST(ColliderShapes, ALongCapsuleHasLongTriangles) {
  const SurfaceSummary s = checked(capsule_surface({0, 0, 0}, {1e6, 0, 0}, 1e-3));
  EXPECT_LT(s.topology.faces, 170000);
}

}  // namespace
}  // namespace sinew
