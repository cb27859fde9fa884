// Source: angles and volumes of regular, corner and flat tetrahedra in closed form; aspect by Verdict's definition.
#include "mesh/quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh/generators.h"

namespace sinew {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

TEST(TetShape, OfTheRegularTet) {
  // Edge 2 sqrt(2), volume 8/3.
  const TetShape shape = tet_shape({1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1});
  EXPECT_NEAR(std::abs(shape.volume), 8.0 / 3, 1e-14);
  EXPECT_NEAR(shape.smallest_angle, std::acos(1.0 / 3) * kDegrees, 1e-12);
  EXPECT_NEAR(shape.largest_angle, std::acos(1.0 / 3) * kDegrees, 1e-12);
  EXPECT_NEAR(shape.aspect, 1, 1e-14);
  EXPECT_NEAR(shape.shortest_edge, std::sqrt(8.0), 1e-14);
  EXPECT_NEAR(shape.longest_edge, std::sqrt(8.0), 1e-14);
}

TEST(TetShape, OfACubesCorner) {
  const TetShape shape = tet_shape({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  EXPECT_NEAR(shape.volume, 1.0 / 6, 1e-16);
  EXPECT_NEAR(shape.smallest_angle, std::atan(std::sqrt(2.0)) * kDegrees, 1e-12);
  EXPECT_NEAR(shape.largest_angle, 90, 1e-12);
  // r = 3 V / A with A = (3 + sqrt 3) / 2, longest edge sqrt 2.
  const double inscribed = 0.5 / ((3 + std::sqrt(3.0)) / 2);
  EXPECT_NEAR(shape.aspect, std::sqrt(2.0) / (2 * std::sqrt(6.0) * inscribed), 1e-14);
}

TEST(TetShape, OfFlatAndInvertedTets) {
  const TetShape flat = tet_shape({0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0});
  EXPECT_EQ(flat.volume, 0);
  EXPECT_EQ(flat.smallest_angle, 0);
  EXPECT_NEAR(flat.largest_angle, 180, 1e-12);
  EXPECT_TRUE(std::isinf(flat.aspect));
  // A sliver of height e over the square's diagonal has a smallest angle of order e: no loss of accuracy.
  const TetShape sliver = tet_shape({0, 0, 0}, {1, 0, 0}, {1, 1, 1e-9}, {0, 1, 0});
  EXPECT_NEAR(sliver.smallest_angle / kDegrees, 1e-9, 1e-10);
  EXPECT_LT(tet_shape({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}).volume, 0);
  EXPECT_NEAR(tet_shape({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}).largest_angle, 90, 1e-12);
  // All at one point.
  EXPECT_TRUE(std::isinf(tet_shape({1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}).aspect));
}

// Angles and aspect have no unit: at every size that fits into a double they equal those at size 1.
TEST(TetShape, IsThatOfItsSizeOne) {
  const Vec3d x[4] = {{0.1, 0, 0}, {1, 0.2, 0}, {0.3, 1, 0}, {0, 0.1, 1}};
  const TetShape one = tet_shape(x[0], x[1], x[2], x[3]);
  for (const int exponent : {-1000, -700, -360, 360, 700, 1000}) {
    const double size = std::ldexp(1.0, exponent);
    const TetShape shape = tet_shape(size * x[0], size * x[1], size * x[2], size * x[3]);
    for (size_t e = 0; e < 6; ++e) EXPECT_NEAR(shape.angles[e], one.angles[e], 1e-12) << exponent;
    EXPECT_NEAR(shape.aspect, one.aspect, 1e-12) << exponent;
    EXPECT_NEAR(shape.longest_edge / size, one.longest_edge, 1e-14) << exponent;
    EXPECT_FALSE(std::isnan(shape.volume)) << exponent;
    if (std::abs(exponent) < 340) {
      EXPECT_NEAR(shape.volume / size / size / size, one.volume, 1e-14) << exponent;
    }
  }
}

// Edges that overflow have no angles: none is counted or used as an index.
TEST(MeshQuality, CountsNoAngleThatIsNone) {
  const double far = 1.7e308;
  const MeshQuality lost =
      mesh_quality({{{-far, 0, 0}, {far, 0, 0}, {0, far, 0}, {0, -far, far}}, {{0, 1, 2, 3}}, {}, {}});
  for (const int64_t count : lost.angles) EXPECT_EQ(count, 0);
  const double large = 1e216;
  const MeshQuality kept =
      mesh_quality({{{0, 0, 0}, {large, 0, 0}, {0, large, 0}, {0, 0, large}}, {{0, 1, 2, 3}}, {}, {}});
  EXPECT_EQ(kept.angles[5], 3);  // of 54.7 degrees
  EXPECT_EQ(kept.angles[8] + kept.angles[9], 3);
  EXPECT_NEAR(kept.worst_small_angle, std::atan(std::sqrt(2.0)) * kDegrees, 1e-12);
}

TEST(MeshQuality, OfABoxOfFiveTetsPerCell) {
  const MeshQuality quality = mesh_quality(make_box({.cells = {4, 4, 4}}).value());
  EXPECT_NEAR(quality.volume, 1, 1e-14);
  EXPECT_EQ(quality.inverted_tets, 0);
  EXPECT_NEAR(quality.smallest_volume, 1.0 / 64 / 6, 1e-16);
  // Four corner tets and a regular one per cell.
  const double corner = std::atan(std::sqrt(2.0)), regular = std::acos(1.0 / 3);
  EXPECT_NEAR(quality.worst_small_angle, corner * kDegrees, 1e-10);
  EXPECT_NEAR(quality.mean_small_angle, (4 * corner + regular) / 5 * kDegrees, 1e-10);
  EXPECT_NEAR(quality.worst_large_angle, 90, 1e-10);
  EXPECT_NEAR(quality.shortest_edge, 0.25, 1e-15);
  EXPECT_NEAR(quality.longest_edge, 0.25 * std::sqrt(2.0), 1e-15);
  // A corner tet has three cell edges and three diagonals, the regular one six diagonals.
  EXPECT_NEAR(quality.mean_edge, (4 * 0.5 * (1 + std::sqrt(2.0)) + std::sqrt(2.0)) / 5 * 0.25, 1e-14);
}

TEST(MeshQuality, CountsAnglesByTensOfDegrees) {
  // In each of the 64 cells a regular tet, six angles of 70.5 degrees, and four corner tets, each with three angles of
  // 54.7 and three right ones (which rounding may put just below 90).
  const AngleHistogram angles = mesh_quality(make_box({.cells = {4, 4, 4}}).value()).angles;
  AngleHistogram expected{};
  expected[7] = 64 * 6;
  expected[5] = 64 * 4 * 3;
  EXPECT_EQ(angles[8] + angles[9], 64 * 4 * 3);
  expected[8] = angles[8];
  expected[9] = angles[9];
  EXPECT_EQ(angles, expected);
  // Flat: four angles of 0 and two of 180 degrees.
  const TetMesh flat{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2, 3}}, {}, {}};
  EXPECT_EQ(mesh_quality(flat).angles[0], 4);
  EXPECT_EQ(mesh_quality(flat).angles[17], 2);
}

TEST(MeshQuality, CountsInvertedTets) {
  TetMesh mesh = make_box({.cells = {1, 1, 1}}).value();
  std::swap(mesh.tets[2][2], mesh.tets[2][3]);
  EXPECT_EQ(mesh_quality(mesh).inverted_tets, 1);
  EXPECT_EQ(mesh_quality({}).worst_tet, -1);
}

TEST(MeshQuality, OfTheBallStaysGoodUnderRefinement) {
  for (const int shells : {2, 5, 10, 20}) {
    const MeshQuality quality = mesh_quality(make_ball({.shells = shells}).value());
    RecordProperty("smallest_angle_" + std::to_string(shells), std::to_string(quality.worst_small_angle));
    // 44.7 degrees at 2 shells, 37.6 at 16, converging to a limit: the shells flatten lattice tets by a bounded ratio.
    EXPECT_GT(quality.worst_small_angle, 35) << shells;
    EXPECT_LT(quality.worst_large_angle, 120) << shells;
    EXPECT_LT(quality.worst_aspect, 1.8) << shells;
  }
}

}  // namespace
}  // namespace sinew
