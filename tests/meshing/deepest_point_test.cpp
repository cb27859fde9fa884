// Expectations: depths by formula, and the promises of meshing/deepest_point.h.
#include "meshing/deepest_point.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/fields.h"

namespace sinew {
namespace {

using support::FormulaField;

TEST(DeepestPoint, IsTheRadiusOrHalfTheThickness) {
  EXPECT_NEAR(depth_of(support::ball_field(0.7, {3, 4, 5}), 10000), 0.7, 1e-9) << "the first point is the middle";
  // A plate off the middles of all cubes.
  const FormulaField plate({{-1, -1, -1}, {1, 1, 1}}, [](Vec3d p) {
    return support::box_distance(p - Vec3d{0, 0.3, 0}, {1, 0.01, 1});
  });
  EXPECT_LE(depth_of(plate, 20000), 0.01);
  EXPECT_GT(depth_of(plate, 20000), 0.005);
  // A wall of 1e-7 around a cavity, which no uniform grid of so many points would find.
  const FormulaField wall({{-1, -1, -1}, {1, 1, 1}}, [](Vec3d p) { return std::abs(support::norm(p) - 0.9) - 0.5e-7; });
  const double depth = depth_of(wall, 20000);
  EXPECT_LE(depth, 0.5e-7 * (1 + 1e-6));
  EXPECT_GT(depth, 0.1e-7);
}

TEST(DeepestPoint, OfNothingIsNone) {
  constexpr Bounds box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_EQ(depth_of(FormulaField({}, [](Vec3d) { return -1.0; }), 1000), 0) << "no bounds";
  int asked = 0;
  const FormulaField off(box, [&](Vec3d p) {
    ++asked;
    return support::norm(p) + 0.1;
  });
  EXPECT_EQ(depth_of(off, 100000), 0);
  EXPECT_LT(asked, 5000) << "slopes of 1 rule out the most";
  // A surface without an interior; likewise the rounding residue of a solid minus itself.
  EXPECT_EQ(depth_of(FormulaField(box, [](Vec3d p) { return std::abs(support::norm(p) - 0.5); }), 20000), 0);
  EXPECT_EQ(depth_of(FormulaField(box, [](Vec3d p) { return std::abs(support::norm(p) - 0.5) - 1e-14; }), 20000), 0);
}

TEST(DeepestPoint, TheFirstInsideMayBeEnough) {
  int asked = 0;
  const FormulaField ball({{-1, -1, -1}, {1, 1, 1}}, [&](Vec3d p) {
    ++asked;
    return support::norm(p - Vec3d{0.3, 0.3, 0.3}) - 0.2;
  });
  EXPECT_GT(depth_of(ball, 100000, true), 0);
  EXPECT_LT(asked, 200);
}

}  // namespace
}  // namespace sinew
