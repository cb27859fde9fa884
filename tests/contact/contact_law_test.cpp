// Source: Chen et al. 2025 (Offset Geometric Contact), the two-stage law; Chen et al. 2024 (VBD), eq. 12, the penalty.
#include "contact/contact_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

using Law = LawNumbers<double>;

constexpr double r = 0.2, k = 30;
const Law offset{r, k, 0.1 * r}, penalty{r, k, 0.5 * r}, bottomless{r, k, 1e-6 * r};

// From the paper, by hand.
TEST(ContactLaw, IsTheTwoStageLaw) {
  for (const double d : {0.11, 0.15, 0.199}) {
    EXPECT_NEAR(law_energy(offset, d), k / 2 * (r - d) * (r - d), 1e-15);
    EXPECT_NEAR(law_slope(offset, d).slope, -k * (r - d), 1e-14);
    EXPECT_EQ(law_slope(offset, d).curvature, k);
  }
  for (const double d : {0.021, 0.05, 0.099}) {
    EXPECT_NEAR(law_energy(offset, d), k * r * r / 8 + k * r * r / 4 * std::log(r / (2 * d)), 1e-14);
    EXPECT_NEAR(law_slope(offset, d).slope, -k * r * r / (4 * d), 1e-13);
    EXPECT_NEAR(law_slope(offset, d).curvature, k * r * r / (4 * d * d), 1e-12);
  }
  for (const double d : {r, 0.3, 1e3, 1e300}) {
    EXPECT_EQ(law_energy(offset, d), 0);
    EXPECT_EQ(law_slope(offset, d).slope, 0);
    EXPECT_EQ(law_slope(offset, d).curvature, 0);
  }
}

// Energy, slope and curvature are continuous at tau and at the floor; energy and slope where the law begins.
TEST(ContactLaw, IsTwiceDifferentiableWithinTheRadius) {
  for (const Law& law : {offset, bottomless}) {
    for (const double d : {0.5 * r, law.floor}) {
      const double step = 1e-9 * d;
      const LawSlope<double> a = law_slope(law, d - step), b = law_slope(law, d + step);
      EXPECT_NEAR(law_energy(law, d - step), law_energy(law, d + step), 1e-8 * law_energy(law, d));
      EXPECT_NEAR(a.slope, b.slope, 1e-8 * std::abs(a.slope));
      EXPECT_NEAR(a.curvature, b.curvature, 1e-8 * a.curvature);
    }
  }
  for (const Law& law : {offset, penalty}) {
    EXPECT_NEAR(law_energy(law, r * (1 - 1e-9)), 0, 1e-16 * k * r * r);
    EXPECT_NEAR(law_slope(law, r * (1 - 1e-9)).slope, 0, 1e-8 * k * r);
  }
}

TEST(ContactLaw, SlopeAndCurvatureAreDerivatives) {
  Random random(1);
  for (const Law& law : {offset, penalty, bottomless, Law{0, k, 0}}) {
    for (int trial = 0; trial < 2000; ++trial) {
      const double d = random.between(-0.5, 1.2) * r, step = 1e-4 * std::max(std::abs(d), law.floor);
      // Not across a bend of the curvature.
      bool bends = false;
      for (const double bend : {law.radius, 0.5 * law.radius, law.floor}) bends |= std::abs(d - bend) < 3 * step;
      if (bends) continue;
      const LawSlope<double> at = law_slope(law, d);
      const auto energy = [&](double t) { return law_energy(law, d + t * step / 1e-3); };
      const auto slope = [&](double t) { return law_slope(law, d + t * step / 1e-3).slope; };
      const double unit = step / 1e-3;
      EXPECT_NEAR(support::derivative(energy) / unit, at.slope, 1e-7 * std::abs(at.slope) + 1e-9 * k * r);
      EXPECT_NEAR(support::derivative(slope) / unit, at.curvature, 1e-7 * at.curvature + 1e-9 * k);
      EXPECT_GE(law_energy(law, d), 0);
      EXPECT_LE(at.slope, 0);
      EXPECT_GE(at.curvature, 0);
    }
  }
}

// Below its floor the law is the parabola of its slope and curvature there, so a finite force pushes back what crossed.
TEST(ContactLaw, GoesOnBelowTheFloor) {
  const double at = offset.floor, energy = law_energy(offset, at);
  const LawSlope<double> s = law_slope(offset, at);
  for (const double d : {0.9 * at, 0.0, -at, -1.0, -1e6}) {
    EXPECT_NEAR(law_energy(offset, d) / (energy + s.slope * (d - at) + 0.5 * s.curvature * (d - at) * (d - at)), 1,
                1e-14);
    EXPECT_NEAR(law_slope(offset, d).slope / (s.slope + s.curvature * (d - at)), 1, 1e-14);
    EXPECT_EQ(law_slope(offset, d).curvature, s.curvature);
  }
  EXPECT_GT(law_energy(bottomless, 1e-5 * r), 2 * law_energy(offset, 1e-1 * r));
}

// The penalty is the offset law with a floor of half a radius; of radius 0, it pushes back what is inside.
TEST(ContactLaw, PenaltyIsASpecialCase) {
  for (const double d : {0.25, 0.19, 0.1, 0.01, 0.0, -0.1, -3.0}) {
    const double gap = std::max(r - d, 0.0);
    EXPECT_NEAR(law_energy(penalty, d), k / 2 * gap * gap, 1e-12);
    EXPECT_NEAR(law_slope(penalty, d).slope, -k * gap, 1e-13);
    EXPECT_EQ(law_slope(penalty, d).curvature, gap > 0 ? k : 0);
    const Law flush{0, k, 0};
    const double depth = std::max(-d, 0.0);
    EXPECT_EQ(law_energy(flush, d), 0.5 * k * depth * depth);
    EXPECT_EQ(law_slope(flush, d).slope, -k * depth);
  }
}

template <class T>
void expect_lanes_like_scalars(double tolerance) {
  using Real = ScalarOf<T>;
  Random random(2);
  for (int trial = 0; trial < 500; ++trial) {
    LawNumbers<T> law{};
    T d{};
    Law one[lane_count<T>];
    double at[lane_count<T>];
    for (int l = 0; l < lane_count<T>; ++l) {
      const double radius = static_cast<Real>(std::pow(10, random.between(-4, 1)));
      const double share[] = {0.5, 0.1, 1e-6};
      one[l] = {radius, static_cast<Real>(std::pow(10, random.between(0, 12))),
                static_cast<double>(static_cast<Real>(share[random.below(3)] * radius))};
      at[l] = static_cast<Real>(random.between(-0.5, 1.1) * radius);
      law.radius[l] = static_cast<Real>(one[l].radius);
      law.stiffness[l] = static_cast<Real>(one[l].stiffness);
      law.floor[l] = static_cast<Real>(one[l].floor);
      d[l] = static_cast<Real>(at[l]);
    }
    const T energy = law_energy(law, d);
    const LawSlope<T> slope = law_slope(law, d);
    for (int l = 0; l < lane_count<T>; ++l) {
      // Near the radius the gap itself has the roundings of d.
      const double scale = one[l].stiffness * one[l].radius;
      const LawSlope<double> expected = law_slope(one[l], at[l]);
      const double e = law_energy(one[l], at[l]);
      EXPECT_NEAR(energy[l], e, tolerance * (e + scale * one[l].radius));
      EXPECT_NEAR(slope.slope[l], expected.slope, tolerance * (std::abs(expected.slope) + scale));
      EXPECT_NEAR(slope.curvature[l], expected.curvature, tolerance * expected.curvature);
    }
  }
}

TEST(ContactLaw, LanesAndFloatsAgreeWithDouble) {
  expect_lanes_like_scalars<Lane<double, 4>>(1e-15);
  expect_lanes_like_scalars<Lane<float, 8>>(3e-6);
  expect_lanes_like_scalars<Lane<float, 16>>(3e-6);
}

}  // namespace
}  // namespace sinew
