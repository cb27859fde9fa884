// Sources: the exit codes of `sinew --help`; the statuses of a step in docs/vocabulary.md.
#include "program.h"

namespace sinew {
namespace {

using RunCommand = Program;

// Chebyshev with a rho beyond what the sweeps converge at: the residual grows from iteration to iteration.
TEST_F(RunCommand, TellsOfStepsThatDiverged) {
  write("bar.json", bar(2, R"(, "solver": { "relative_tolerance": 1e-6, "iterations": 60, "check_every": 1,
                              "accelerator": { "type": "chebyshev", "rho": 0.9999 } })"));
  const Ended ended = sinew({"run", "bar.json", "-o", "out", "--set", "objects.bar.stretch=[3,3,3]", "--set",
                             "materials.rubber.youngs_modulus=1e7"});
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_TRUE(says(ended.err, "steps diverged, the first at t = 0.02 s"));
  EXPECT_TRUE(says(content(folder() / "out/stats.csv"), "diverged"));
  EXPECT_TRUE(says(content(folder() / "out/run.json"), "\"complete\""));
}

TEST_F(RunCommand, TellsOfStepsThatMissedTheirTolerance) {
  write("bar.json", bar(2, R"(, "solver": { "relative_tolerance": 1e-5, "iterations": 2 })"));
  const Ended ended = sinew({"run", "bar.json", "-o", "out"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out + ended.err, "2 of 2 steps used up their iterations before their tolerance"));
}

TEST_F(RunCommand, SaysNothingWhereAllIsWell) {
  write("bar.json", bar(2));
  const Ended ended = sinew({"run", "bar.json", "-o", "out"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_FALSE(says(ended.out + ended.err, "tolerance"));
  EXPECT_FALSE(says(ended.out + ended.err, "diverged"));
}

}  // namespace
}  // namespace sinew
