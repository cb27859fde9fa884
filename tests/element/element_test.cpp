// Every kind of solid element. Source: the definitions of docs/theory.md, Elements: sum g_i = 0, sum X_i g_i^T = 1 in
// the element's dimensions, and volumes by determinants.
#include "element/element.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>

#include "support/random.h"

namespace sinew {
namespace {

using support::Random;
using support::size;

constexpr double round_off = 1e-12;
constexpr ElementKind kinds[] = {
#define SINEW_ELEMENT(Type, file) ElementKind::Type,
#include "element/elements.def"
};

// Corners of any shape, positive volume, not too flat.
std::array<Vec3d, most_corners> corners_of(ElementKind kind, Random& random, double& volume) {
  const ElementTraits traits = traits_of(kind);
  std::array<Vec3d, most_corners> x{};
  do {
    for (int k = 0; k < traits.corners; ++k) {
      x[k] = random.vector();
      if (traits.plane()) x[k].z = 0.7;
    }
    const Vec3d p = x[1] - x[0], q = x[2] - x[0];
    volume = traits.plane() ? cross(p, q).z / 2 : dot(p, cross(q, x[3] - x[0])) / 6;
  } while (volume < 0.02);
  return x;
}

TEST(Element, GradientsAreThoseOfTheBarycentricCoordinates) {
  for (const ElementKind kind : kinds) {
    const ElementTraits traits = traits_of(kind);
    Random random(1);
    for (int n = 0; n < 1000; ++n) {
      double volume;
      const auto x = corners_of(kind, random, volume);
      const RestShape<double> rest = rest_shape(kind, x.data());
      EXPECT_NEAR(rest.volume, volume, round_off) << traits.name;
      for (int i = 1; i < most_corners; ++i) {
        const Vec3d g = rest.gradient[i - 1];
        EXPECT_TRUE(i < traits.corners || size(g) == 0) << traits.name;
        EXPECT_TRUE(!traits.plane() || g.z == 0) << traits.name;
        for (int j = 1; j < traits.corners; ++j)
          EXPECT_NEAR(dot(g, x[j] - x[0]), i == j ? 1 : 0, 200 * round_off) << traits.name;
      }
    }
  }
}

// In lanes as alone.
TEST(Element, LanesAreElementsOfTheirOwn) {
  using T = Lane<double, 4>;
  for (const ElementKind kind : kinds) {
    Random random(2);
    Vec3<T> x[most_corners]{};
    std::array<Vec3d, most_corners> own[4];
    for (int lane = 0; lane < 4; ++lane) {
      double volume;
      own[lane] = corners_of(kind, random, volume);
      for (int c = 0; c < most_corners; ++c) {
        x[c].x[lane] = own[lane][c].x;
        x[c].y[lane] = own[lane][c].y;
        x[c].z[lane] = own[lane][c].z;
      }
    }
    const RestShape<T> all = rest_shape<T>(kind, x);
    for (int lane = 0; lane < 4; ++lane) {
      const RestShape<double> rest = rest_shape(kind, own[lane].data());
      EXPECT_NEAR(all.volume[lane], rest.volume, round_off);
      for (int i = 0; i + 1 < most_corners; ++i) {
        const Vec3<T>& g = all.gradient[i];
        EXPECT_LT(size(Vec3d{g.x[lane], g.y[lane], g.z[lane]} - rest.gradient[i]), 200 * round_off);
      }
    }
  }
}

TEST(Element, KindsHaveNamesOfTheirOwn) {
  for (const ElementKind kind : kinds) {
    const ElementTraits traits = traits_of(kind);
    EXPECT_GE(traits.corners, traits.dimension + 1) << traits.name;
    EXPECT_LE(traits.corners, most_corners) << traits.name;
    for (const ElementKind other : kinds)
      EXPECT_EQ(traits.name == std::string_view(traits_of(other).name), kind == other) << traits.name;
  }
}

}  // namespace
}  // namespace sinew
