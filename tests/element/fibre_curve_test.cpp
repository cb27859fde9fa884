// Source: Blemker et al. 2005; Chen et al. 2024 (PXPBD), eqs. 6-8, with the corrections of docs/theory.md; differences.
#include "element/fibre_curve.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random.h"

namespace sinew {
namespace {

using support::derivative;

constexpr double joints[] = {0.4, 0.6, 1.0, 1.4, 1.6};

// The hump is a parabola and its feet are: their numbers at hand. P1 = 0.05, P2 = 6.6.
TEST(Fibre, PullsAsItsSourcesSay) {
  EXPECT_DOUBLE_EQ(active_fibre(1.0).force, 1);
  EXPECT_NEAR(active_fibre(0.5).force, 0.09, 1e-15);
  EXPECT_NEAR(active_fibre(1.2).force, 0.84, 1e-15);
  EXPECT_NEAR(active_fibre(1.5).force, 0.09, 1e-15);
  EXPECT_EQ(active_fibre(0.3).energy, 0);
  EXPECT_EQ(active_fibre(2.0).force, 0);
  EXPECT_EQ(passive_fibre(0.9).energy, 0);
  EXPECT_EQ(passive_fibre(0.9).force, 0);
  EXPECT_NEAR(passive_fibre(1.3).force, 0.05 * (std::exp(1.98) - 1), 1e-15);
  // Beyond 1.4 a line (Blemker et al.).
  const double slope = 0.05 * 6.6 * std::exp(2.64);
  EXPECT_NEAR(passive_fibre(2.0).force, 0.05 * (std::exp(2.64) - 1) + slope * 0.6, 1e-13);
  EXPECT_NEAR(fibre_curve(1.2, 0.5).force, passive_fibre(1.2).force + 0.42, 1e-15);
}

// With the exact constants; those that are printed jump by 8e-5 and 2.8e-4. Over 1e-9 energies change by 1e-9.
TEST(Fibre, EnergyAndForceAreContinuous) {
  for (const double r : joints) {
    for (const double activation : {0.0, 0.3, 1.0}) {
      const FibreCurve<double> below = fibre_curve(r - 1e-9, activation), above = fibre_curve(r + 1e-9, activation);
      EXPECT_NEAR(below.energy, above.energy, 5e-9) << r;
      EXPECT_NEAR(below.force, above.force, 2e-8) << r;
    }
  }
}

TEST(Fibre, ForceAndStiffnessAreDerivatives) {
  support::Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const double r = random.between(0.3, 2.5), activation = random.between(0, 1);
    bool at_joint = false;
    for (const double joint : joints) at_joint |= std::abs(r - joint) < 3e-3;
    if (at_joint) continue;
    const FibreCurve<double> e = fibre_curve(r, activation);
    EXPECT_NEAR(e.force, derivative([&](double t) { return fibre_curve(r + t, activation).energy; }), 1e-8);
    EXPECT_NEAR(e.stiffness, derivative([&](double t) { return fibre_curve(r + t, activation).force; }), 1e-7);
  }
}

// A fibre never pushes, and is nowhere stiffer than is promised; at 1.4 it is nearly so.
TEST(Fibre, PullsOnlyAndItsStiffnessIsBounded) {
  double largest = 0;
  for (double r = 0.01; r < 20; r += 0.001) {
    for (const double activation : {0.0, 0.5, 1.0}) {
      const FibreCurve<double> e = fibre_curve(r, activation);
      EXPECT_GE(e.energy, 0);
      EXPECT_GE(e.force, 0);
      largest = std::max({largest, e.stiffness, e.force / r});
    }
  }
  EXPECT_LT(largest, stiffest_fibre);
  EXPECT_GT(largest, 0.99 * stiffest_fibre);
}

// The same in single precision, to its rounding of numbers around 1.
TEST(Fibre, SinglePrecisionIsTheSame) {
  for (double r = 0.35; r < 1.8; r += 0.0137) {
    const FibreCurve<double> e = fibre_curve(static_cast<double>(static_cast<float>(r)), 0.75);
    const FibreCurve<float> f = fibre_curve(static_cast<float>(r), 0.75f);
    EXPECT_NEAR(f.energy, e.energy, 1e-6);
    EXPECT_NEAR(f.force, e.force, 2e-6);
  }
}

}  // namespace
}  // namespace sinew
