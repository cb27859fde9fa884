// Source: docs/theory.md, section 9.5: with multipliers the solution is the same, and on the way to it the residual is
// that of pressures which are not yet right: larger than the forces by as much as the body resists to change its
// volume.
#include "step/stop_rule.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sinew {
namespace {

// How a solve with these residuals ends, whose energy grows all the while; budget: it goes on.
SolveStatus ending(double pressure, const std::vector<double>& residuals) {
  StopRule rule({.tolerance = 1}, 1e-9, 0, 10, 10, pressure, true);
  SolveStatus status = SolveStatus::budget;
  double energy = 0;
  for (const double residual : residuals) {
    Evaluation e;
    e.residual = residual;
    e.energy = energy += 1;
    e.finite = residual < std::numeric_limits<double>::infinity();
    if (rule.ended(e, 1, status)) return status;
  }
  return SolveStatus::budget;
}

TEST(StopRule, TakesGrowthForDivergence) {
  EXPECT_EQ(ending(1, {10, 150, 200, 300}), SolveStatus::diverged);
  EXPECT_EQ(ending(1, {10, 50, 60, 70}), SolveStatus::budget);
  EXPECT_EQ(ending(1, {10, 150, 140, 130, 0.5}), SolveStatus::converged);
}
TEST(StopRule, LetsPressuresBuildUp) {
  EXPECT_EQ(ending(500, {10, 150, 200, 300}), SolveStatus::budget);
  EXPECT_EQ(ending(500, {10, 6e4, 7e4, 8e4}), SolveStatus::diverged);
  EXPECT_EQ(ending(500, {10, std::numeric_limits<double>::infinity()}), SolveStatus::diverged);
  // Far above the first for long, and then down.
  std::vector<double> residuals(60, 400);
  residuals[0] = 10;
  residuals.push_back(0.5);
  EXPECT_EQ(ending(1, residuals), SolveStatus::diverged);
  EXPECT_EQ(ending(500, residuals), SolveStatus::converged);
}

}  // namespace
}  // namespace sinew
