// Source: the descriptions of the options on the reference page.
#include "solver/solver_list.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

SolveOptions options_of(const char* solver, const std::vector<NamedOption>& given) {
  const Result<SolveOptions> options = solve_options(*find_solver(solver), given, "solver");
  EXPECT_TRUE(options.ok());
  return options.ok() ? *options : SolveOptions{};
}

TEST(SolveOptions, EverySolverHasItsOwnDefaults) {
  EXPECT_EQ(options_of("vbd", {}).relative_tolerance, 0.01);
  EXPECT_EQ(options_of("vbd", {}).iterations, 400);
  EXPECT_EQ(options_of("xpbd", {}).relative_tolerance, 0);
  EXPECT_EQ(options_of("newton", {}).check_every, 1);
  EXPECT_EQ(options_of("newton", {}).precision, double_precision);
}

TEST(SolveOptions, IterationsAloneAreExactlySoMany) {
  for (const SolverInfo& solver : solver_list()) {
    const SolveOptions alone = options_of(solver.name, {{"iterations", 7.0}});
    EXPECT_EQ(alone.iterations, 7);
    EXPECT_EQ(alone.relative_tolerance, 0) << solver.name;
    EXPECT_EQ(options_of(solver.name, {{"tolerance", 1e-9}}).relative_tolerance, 0) << solver.name;
    const SolveOptions both = options_of(solver.name, {{"relative_tolerance", 0.5}, {"iterations", 7.0}});
    EXPECT_EQ(both.relative_tolerance, 0.5) << solver.name;
  }
}

}  // namespace
}  // namespace sinew
