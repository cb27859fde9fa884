// Source: Chen et al. 2023 (PBNG), section 6.1, with numbers of an independent program (numpy, double precision): where
// XPBD in pseudo-time comes to rest depends on the iterations per pseudo-step and on its length.
#include "solver/by_constraint/xpbd_qs.h"

#include <gtest/gtest.h>

#include <string>

#include "solver/solver_list.h"
#include "support/constraint_bar.h"

namespace sinew {
namespace {

using support::body_of;
using support::HangingBar;
using support::largest_coordinate;
using support::Method;

Method by(const XpbdQsOptions& options, int iterations) {
  return {.solve = {.iterations = iterations, .precision = double_precision},
          .quasistatic = true,
          .make = [options](const SolveOptions& common) { return make_xpbd_qs(common, options); }};
}

// Newton: -.1389. The study visits tets in their own order, Sinew colour by colour: this moves the tip by a few percent
// with one iteration per pseudo-step, and less with ten.
TEST(XpbdQs, ComesToRestWhereTheStudyDoes) {
  const struct {
    double step;
    int local;
    double tip, order;
  } cases[] = {{0.01, 1, -0.2353, 0.06}, {0.01, 10, -0.1401, 0.01}, {0.03, 1, -0.405, 0.06},
               {0.03, 10, -0.201, 0.06}, {0.1, 1, -0.93, 0.06},     {0.1, 10, -0.37, 0.06}};
  for (const auto& c : cases) {
    const int iterations = 1600 * c.local;
    const HangingBar bar(by({.pseudo_step = c.step, .local_iterations = c.local}, iterations));
    EXPECT_NEAR(bar.tip(), c.tip, -c.order * c.tip) << c.step << ' ' << c.local;
    // It is at rest: twice as many iterations change nothing.
    const HangingBar longer(by({.pseudo_step = c.step, .local_iterations = c.local}, 2 * iterations));
    EXPECT_LT(largest_coordinate(bar.trial.positions(), longer.trial.positions()), 1e-3) << c.step << ' ' << c.local;
  }
}

TEST(XpbdQs, IsForQuasistaticsOnly) {
  const Model model = body_of(support::one_tet()).compile();
  EXPECT_TRUE(check_solver(*find_solver("xpbd_qs"), model, true).ok());
  const Status dynamic = check_solver(*find_solver("xpbd_qs"), model, false);
  ASSERT_FALSE(dynamic.ok());
  for (const char* part : {"quasistatics only", "vbd", "xpbd"}) {
    EXPECT_NE(dynamic.error().message().find(part), std::string::npos) << dynamic.error().message();
  }
  EXPECT_EQ(dynamic.error().remedy.find("xpbd_qs"), std::string::npos);
}

}  // namespace
}  // namespace sinew
