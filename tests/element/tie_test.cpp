// Source: MATH.md 3.7 (springs) and 3.9 (weak constraints, Chen et al. 2023, eqs. 22-23), 20 (property 3: differences).
#include "element/tie.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace sinew {
namespace {

using support::derivative;
using support::full;
using support::Random;
using support::size;
using support::unit_vector;

std::vector<TieLaw<double>> laws(Random& random) {
  const Vec3d n = random.vector();
  return {spring_law(3, 0.7), spring_law(2, 0), weak_constraint_law(5), weak_constraint_law(7, 2, (1 / size(n)) * n),
          weak_constraint_law(4, 0, (1 / size(n)) * n)};
}

// Springs far from their kink at C = 0: lengths of about 1, on which differences resolve 1e-9.
TEST(Tie, GradientAndStiffnessAreDerivatives) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    for (const TieLaw<double>& law : laws(random)) {
      Vec3d c = random.vector();
      c = ((0.5 + random.between(0, 1)) / size(c)) * c;  // pressed and stretched
      const Mat3d h = full(tie_stiffness(law, c, false));
      for (int k = 0; k < 3; ++k) {
        const Vec3d e = unit_vector(k);
        const auto moved = [&](double t) { return c + t * e; };
        EXPECT_NEAR(dot(tie_gradient(law, c), e), derivative([&](double t) { return tie_energy(law, moved(t)); }),
                    1e-8);
        const Vec3d column = derivative([&](double t) { return tie_gradient(law, moved(t)); });
        EXPECT_LT(size(h * e - column), 1e-8);
      }
    }
  }
}

// Across a pressed spring the block is k (1 - l0/|C|) < 0, and 0 where it is to be positive; along it k either way.
TEST(Tie, StiffnessOfAPressedSpringCanBeMadePositive) {
  const TieLaw<double> law = spring_law(10, 2);
  const Vec3d c{1, 0, 0};
  EXPECT_DOUBLE_EQ(tie_stiffness(law, c, false).yy, -10);
  EXPECT_DOUBLE_EQ(tie_stiffness(law, c, true).yy, 0);
  EXPECT_DOUBLE_EQ(tie_stiffness(law, c, true).xx, 10);
  const Vec3d stretched{4, 0, 0};
  EXPECT_DOUBLE_EQ(tie_stiffness(law, stretched, true).yy, 5);
}

TEST(Tie, HasNoDirectionAtAPointAndIsFiniteThere) {
  const TieLaw<double> law = spring_law(10, 2);
  EXPECT_DOUBLE_EQ(tie_energy(law, Vec3d{}), 20);
  EXPECT_EQ(size(tie_gradient(law, Vec3d{})), 0);
  const Sym3<double> k = tie_stiffness(law, Vec3d{}, true);
  EXPECT_DOUBLE_EQ(k.xx, 10);
  EXPECT_DOUBLE_EQ(k.xy, 0);
}

TEST(Tie, WeakConstraintsPullAlongTheirNormalAndAcrossIt) {
  const TieLaw<double> law = weak_constraint_law(100, 3, {0, 1, 0});
  const Vec3d g = tie_gradient(law, {1, 1, 0});
  EXPECT_DOUBLE_EQ(g.x, 3);
  EXPECT_DOUBLE_EQ(g.y, 100);
  EXPECT_DOUBLE_EQ(tie_energy(law, {1, 1, 0}), 51.5);
}

}  // namespace
}  // namespace sinew
