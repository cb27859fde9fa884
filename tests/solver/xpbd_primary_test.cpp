// Source: Chen et al. 2024 (PXPBD), figure 3b (experiment S2-2). In an independent program (numpy, double precision)
// XPBD with the primary residual kept has residuals of 12.2, 9.67, 9.20 and 7.45 N after 1, 5, 20 and 30 iterations,
// with tets in their own order.
#include "solver/by_constraint/xpbd_primary.h"

#include <gtest/gtest.h>

#include "support/constraint_bar.h"

namespace sinew {
namespace {

using support::Method;
using support::StretchedBar;

Method by(int iterations) {
  return {.solve = {.iterations = iterations, .precision = double_precision},
          .make = [](const SolveOptions& common) { return make_xpbd_primary(common, {}); }};
}

TEST(XpbdPrimary, HasTheResidualsOfTheReference) {
  const StretchedBar bar(by(30), MaterialKind::FixedCorotated);
  const std::vector<double>& r = bar.residuals.seen;
  // The numbers are printed with three digits.
  EXPECT_NEAR(r[1], 12.2, 0.05);
  EXPECT_NEAR(r[5], 9.67, 0.005);
  EXPECT_NEAR(r[20], 9.20, 0.005);
  EXPECT_NEAR(r[30], 7.45, 0.005);
}

}  // namespace
}  // namespace sinew
