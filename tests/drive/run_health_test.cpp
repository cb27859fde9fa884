// Source: the promises of drive/run_health.h. Runs that go wrong in one way each, what is said of them, and that what
// is said to help does.
#include "drive/run_health.h"

#include <gtest/gtest.h>

#include <string>

#include "drive/run.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

class RunHealthTest : public TemporaryFolder {
 protected:
  // Of a bar, held at one end, that falls for a while; `set` changes the scene.
  std::vector<std::string> ills(const std::vector<std::string>& set = {}) {
    const std::string text = R"({ "sinew": 1,
      "materials": { "rubber": { "youngs_modulus": 1e5, "poisson_ratio": 0.4 } },
      "objects": { "bar": { "mesh": { "beam": { "length": 0.4, "cells_across": 4 } }, "material": "rubber" } },
      "pins": [ { "object": "bar", "select": { "plane": { "point": [0.001, 0, 0], "normal": [-1, 0, 0] } } } ],
      "time": { "fps": 30, "substeps": 4, "duration": 0.4 },
      "output": { "vtu": "none" } })";
    const Result<Scene> scene = parse_scene(text, "bar.json", "", set);
    EXPECT_TRUE(scene) << scene.error().message();
    RunOptions options;
    options.folder = folder() / "out";
    options.overwrite = true;
    const Result<RunOutcome> outcome = run_scene(*scene, options, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    return outcome->ills;
  }
};

TEST_F(RunHealthTest, IsSilentOnRunsThatAreFine) {
  EXPECT_TRUE(ills().empty());
  EXPECT_TRUE(ills({"materials.rubber.youngs_modulus=1e7"}).empty());
  EXPECT_TRUE(ills({"solver.type=vbd"}).empty());
  EXPECT_TRUE(ills({"time.integrator=quasistatic"}).empty());
}

TEST_F(RunHealthTest, TellsOfMotionOutOfBalanceAndWhatHelps) {
  const std::vector<std::string> stiff = {"materials.rubber.youngs_modulus=1e7"};
  std::vector<std::string> set = stiff;
  set.push_back("solver.type=fp_pxpbd");
  const std::vector<std::string> list = ills(set);
  ASSERT_FALSE(list.empty());
  EXPECT_TRUE(says(list[0], "the residual exceeded weight and loads in 12 of 12 frames"));
  EXPECT_TRUE(says(list[0], "use the solver multilevel"));
  EXPECT_TRUE(ills(stiff).empty()) << "the remedy";
}

// Few sweeps of a stiff bar: it drops as if it were loose, and springs back with more than it fell by.
TEST_F(RunHealthTest, TellsOfEnergyThatNothingGave) {
  const std::vector<std::string> list =
      ills({"materials.rubber.youngs_modulus=1e7", "solver.type=vbd", "solver.iterations=5"});
  ASSERT_FALSE(list.empty());
  EXPECT_TRUE(says(list.back(), "energy grew by "));
  EXPECT_TRUE(says(list.back(), "though nothing does work"));
  EXPECT_TRUE(says(list.back(), "use the solver multilevel"));
}

TEST_F(RunHealthTest, TellsWhereElementsAreInvertedAndWhatHelps) {
  const std::string finer = "objects.bar.mesh.beam.cells_across=6";
  const std::vector<std::string> list = ills({finer, "materials.rubber.youngs_modulus=2e4"});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_TRUE(says(list[0], " elements are inverted at the end, the worst with det F = -"));
  EXPECT_TRUE(says(list[0], "near ["));
  EXPECT_TRUE(says(list[0], "the load crushes the material there; use a stiffer one"));
  EXPECT_TRUE(ills({finer, "materials.rubber.youngs_modulus=4e4"}).empty()) << "the remedy";
}

}  // namespace
}  // namespace sinew
