// Source: the promises of drive/run_health.h. Runs that go wrong in one way each, what is said of them, and that what
// is said to help does.
#include "drive/run_health.h"

#include <gtest/gtest.h>

#include <string>

#include "io/says.h"
#include "io/temporary_folder.h"
#include "sinew/run.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

class RunHealthTest : public TemporaryFolder {
 protected:
  // Of a bar, held at one end, that falls for a while; `set` changes the scene.
  std::vector<std::string> ills(const std::vector<std::string>& set = {}) {
    return ills_of(R"({ "sinew": 1,
      "materials": { "rubber": { "youngs_modulus": 1e5, "poisson_ratio": 0.4 } },
      "objects": { "bar": { "mesh": { "beam": { "length": 0.4, "cells_across": 4 } }, "material": "rubber" } },
      "pins": [ { "object": "bar", "select": { "plane": { "point": [0.001, 0, 0], "normal": [-1, 0, 0] } } } ],
      "time": { "fps": 30, "substeps": 4, "duration": 0.4 },
      "output": { "vtu": "none" } })",
                   set);
  }
  std::vector<std::string> ills_of(const std::string& text, const std::vector<std::string>& set = {}) {
    const Result<Scene> scene = parse_scene(text, "bar.json", "", set);
    EXPECT_TRUE(scene) << scene.error().message();
    RunOptions options;
    options.folder = folder() / "out";
    options.overwrite = true;
    const Result<RunOutcome> outcome = run_scene(*scene, options, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    stalled_ = outcome->stalled;
    return outcome->warnings;
  }
  int64_t stalled_ = 0;  // steps of the last run
};

TEST_F(RunHealthTest, IsSilentOnRunsThatAreFine) {
  EXPECT_TRUE(ills().empty());
  EXPECT_TRUE(ills({"materials.rubber.youngs_modulus=1e7"}).empty());
  EXPECT_TRUE(ills({"solver.type=vbd"}).empty());
  EXPECT_TRUE(ills({"time.integrator=quasistatic"}).empty());
}

// Positions that are right to a thousandth have pressures that exceed the weight a thousand times.
TEST_F(RunHealthTest, TellsWhatAResidualSaysNearIncompressibility) {
  const std::vector<std::string> list =
      ills({"objects.bar.element=quadratic", "objects.bar.mesh.beam.cells_across=1",
            "materials.rubber.poisson_ratio=0.49999", "solver.precision=double", "time.substeps=1",
            "solver.relative_tolerance=0.01", "solver.iterations=200"});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_TRUE(says(list[0], "not converged; at a Poisson ratio of 0.49999 that may be pressures alone"));
}

TEST_F(RunHealthTest, TellsOfQuadraticTetsFoldedAtACorner) {
  const std::vector<std::string> soft = {"objects.bar.element=quadratic",
                                         "objects.bar.mesh.beam.cells_across=2",
                                         "materials.rubber.youngs_modulus=3e3",
                                         "time.integrator=quasistatic",
                                         "time.duration=0.0333333333333",
                                         "solver.type=newton",
                                         "solver.iterations=100",
                                         "solver.precision=double"};
  EXPECT_TRUE(
      says(ills(soft).at(0), "2 of 160 quadratic tets are folded over at a corner, the worst near [0, 0, 0.05]"));
  std::vector<std::string> stiffer = soft;
  stiffer[2] = "materials.rubber.youngs_modulus=1e5";
  EXPECT_TRUE(ills(stiffer).empty()) << "the remedy";
}

TEST_F(RunHealthTest, TellsOfMotionOutOfBalanceAndWhatHelps) {
  const std::vector<std::string> stiff = {"materials.rubber.youngs_modulus=1e7"};
  std::vector<std::string> set = stiff;
  set.push_back("solver.type=fp_pxpbd");
  const std::vector<std::string> list = ills(set);
  ASSERT_FALSE(list.empty());
  EXPECT_TRUE(says(list[0], "the residual exceeded weight and loads in 12 of 12 frames"));
  EXPECT_TRUE(says(list[0], "the result is not converged"));
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

const std::string far_end = R"("object": "b", "select": { "plane": { "point": [0.399, 0, 0], "normal": [1, 0, 0] } })";

// A beam held at one end; more pins, and more keys of the scene.
std::string beam_with(const std::string& pins, const std::string& more, const char* duration) {
  return R"({ "sinew": 1, "materials": { "m": { "youngs_modulus": 1e5 } }, "gravity": [0, 0, 0],
    "objects": { "b": { "mesh": { "beam": {} }, "material": "m" } },
    "pins": [ { "object": "b", "select": { "plane": { "point": [0.001, 0, 0], "normal": [-1, 0, 0] } } })" +
         pins + R"( ], "output": { "vtu": "none" }, "time": { "fps": 60, "duration": )" + duration + " }" + more + " }";
}

// Without loads what holds a body at rest is rounding, and is nothing to measure a residual by.
// Mirrored, beside a floor that it never comes near.
TEST_F(RunHealthTest, TellsOfBodiesThatBeganInsideOut) {
  const std::vector<std::string> list = ills_of(R"({ "sinew": 1, "gravity": [0, 0, 0],
    "materials": { "rubber": { "youngs_modulus": 1e5, "poisson_ratio": 0.3 } },
    "objects": { "cube": { "mesh": { "box": { "cells": 2 } }, "material": "rubber", "element": "quadratic",
                           "stretch": [1, -1, 1], "contact": { "self": false } } },
    "colliders": { "floor": { "shape": { "half_space": { "point": [0, -5, 0], "normal": [0, 1, 0] } } } },
    "time": { "fps": 60, "duration": 0.2 }, "output": { "vtu": "none" }, "solver": { "type": "newton" } })");
  ASSERT_FALSE(list.empty());
  EXPECT_TRUE(says(list[0], "40 were inverted at the start, and it rests in another equilibrium")) << list[0];
}

// Every tet is whole there.
TEST_F(RunHealthTest, TellsOfBodiesThatRestOutOfShape) {
  const std::string scene = R"({ "sinew": 1, "gravity": [0, 0, 0],
    "materials": { "rubber": { "youngs_modulus": 1e5, "poisson_ratio": 0.499 } },
    "objects": { "cube": { "mesh": { "box": { "cells": 2, "origin": [-0.5, -0.5, -0.5] } }, "material": "rubber",
                           "element": "quadratic", "stretch": [1, -1, 1] } },
    "time": { "fps": 60, "duration": 3 }, "output": { "vtu": "none" }, "solver": { "type": "multilevel" } })";
  const std::vector<std::string> list = ills_of(scene);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_TRUE(says(list[0], "nothing acts on the bodies at the end, and they keep 2.59e+03 J")) << list[0];
  EXPECT_TRUE(ills_of(scene, {"objects.cube.stretch=[1, 0.8, 1]"}).empty()) << "the remedy";
}

TEST_F(RunHealthTest, IsSilentOnBodiesAtRest) {
  for (const char* solver : {"multilevel", "vbd", "newton", "xpbd", "fp_pxpbd"})
    for (const char* kind : {"backward_euler", "quasistatic"}) {
      if (kind == std::string("quasistatic") && solver == std::string("xpbd")) continue;
      const std::vector<std::string> set = {std::string("solver.type=") + solver, "gravity=[0,0,0]",
                                            std::string("time.integrator=") + kind,
                                            "materials.rubber.model=fixed_corotated"};
      EXPECT_EQ(ills(set), std::vector<std::string>()) << solver << ", " << kind;
    }
  // Held throughout, in directions of which one is free.
  EXPECT_EQ(ills({R"(pins=[{"object":"bar","free":"xz","select":"all"}])", "gravity=[0,0,0]"}),
            std::vector<std::string>());
}

TEST_F(RunHealthTest, IsSilentBeforeALoadOrAGripBegins) {
  const std::string load =
      R"(, "loads": [ { "force": [0, -1, 0], "curve": { "times": [0.2, 0.4], "values": [0, 1] }, )" + far_end + " } ]";
  const std::string grip =
      ", { " + far_end +
      R"(, "motion": { "keyframes": [ { "time": 0.2 }, { "time": 0.4, "translate": [0.1, 0, 0] } ] } })";
  for (const char* solver : {"multilevel", "vbd", "newton"}) {
    const std::vector<std::string> set = {std::string("solver.type=") + solver};
    EXPECT_EQ(ills_of(beam_with("", load, "0.5"), set), std::vector<std::string>()) << solver;
    EXPECT_EQ(ills_of(beam_with(grip, "", "0.5"), set), std::vector<std::string>()) << solver;
  }
}

// Forces at the pin pass through 0 twice in every swing.
TEST_F(RunHealthTest, IsSilentOnFreeVibration) {
  EXPECT_EQ(ills_of(beam_with("", "", "1"), {"objects.b.stretch=[1.2,1,1]"}), std::vector<std::string>());
}

// Of 39.24 N of weight these bear less than 24 N.
TEST_F(RunHealthTest, TellsOfEquilibriaThatBearLessThanTheLoad) {
  const std::vector<std::string> still = {"time.integrator=quasistatic", "time.duration=0.0333333333333333333",
                                          "objects.bar.mesh.beam.cells_across=6"};
  for (const char* solver : {"b_pxpbd", "xpbd_qs", "pbd", "vbd", "pbng", "fp_pxpbd"}) {
    std::vector<std::string> set = still;
    set.push_back(std::string("solver.type=") + solver);
    if (solver == std::string("pbd")) set.push_back("materials.rubber.model=fixed_corotated");
    const std::vector<std::string> list = ills(set);
    ASSERT_EQ(list.size(), 1u) << solver;
    EXPECT_TRUE(says(list[0], "forces are out of balance in 1 of 1 frames")) << list[0];
    EXPECT_TRUE(says(list[0], "times weight and loads: the result is not converged; use the solver multilevel"))
        << list[0];
  }
  EXPECT_EQ(ills(still), std::vector<std::string>()) << "the remedy";
}

TEST_F(RunHealthTest, TellsOfCollapsesThatTheSolverMakes) {
  const std::vector<std::string> list =
      ills({"time.integrator=quasistatic", "time.duration=0.0333333333333333333", "materials.rubber.poisson_ratio=0.3",
            "solver.type=xpbd_qs", "solver.iterations=4000"});
  ASSERT_FALSE(list.empty());
  for (const std::string& ill : list) {
    EXPECT_FALSE(says(ill, "the load crushes")) << ill;
    EXPECT_TRUE(says(ill, "use the solver multilevel")) << ill;
  }
}

// A beam of steel: by default right to a thousandth.
TEST_F(RunHealthTest, TellsOfForcesThatAreLostInRounding) {
  const std::string steel = R"({ "sinew": 1,
    "materials": { "steel": { "youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7850 } },
    "objects": { "beam": { "mesh": { "beam": { "length": 1, "height": 0.1, "depth": 0.1, "cells_across": 8 } },
                           "material": "steel" } },
    "pins": [ { "object": "beam", "select": { "plane": { "point": [0.001, 0, 0], "normal": [-1, 0, 0] } } } ],
    "loads": [ { "object": "beam", "force": [0, -1000, 0],
                 "select": { "plane": { "point": [0.999, 0, 0], "normal": [1, 0, 0] } } } ],
    "time": { "integrator": "quasistatic", "fps": 1, "duration": 1 }, "output": { "vtu": "none" } })";
  EXPECT_EQ(ills_of(steel), std::vector<std::string>());
  for (const char* solver : {"multilevel", "vbd"}) {
    const std::vector<std::string> list =
        ills_of(steel, {"solver.precision=single", std::string("solver.type=") + solver});
    ASSERT_EQ(list.size(), 1u) << solver;
    EXPECT_TRUE(says(list[0], "lost in rounding; use solver.precision = \"double\"")) << list[0];
    // The first test of VBD finds its residual at round-off, and that is many times the load.
    EXPECT_EQ(stalled_, solver == std::string("vbd") ? 1 : 0);
  }
}

TEST_F(RunHealthTest, IsSilentOnStiffBodiesByDefault) {
  for (const char* modulus : {"1e9", "1e10", "2e11"}) {
    const std::string set = std::string("materials.rubber.youngs_modulus=") + modulus;
    EXPECT_EQ(ills({set}), std::vector<std::string>()) << modulus;
    EXPECT_EQ(ills({set, "time.substeps=1"}), std::vector<std::string>()) << modulus;
    EXPECT_EQ(ills({set, "time.integrator=quasistatic"}), std::vector<std::string>()) << modulus;
  }
}

// St. Venant-Kirchhoff, of which nothing bears it, and Neo-Hookean, which does.
TEST_F(RunHealthTest, TellsOfMaterialsThatGiveWay) {
  const std::string press =
      ", { " + far_end +
      R"(, "motion": { "keyframes": [ { "time": 0 }, { "time": 0.5, "translate": [-0.15, 0, 0] } ] } })";
  const std::vector<std::string> list = ills_of(
      beam_with(press, "", "0.6"), {"solver.type=newton", "materials.m.poisson_ratio=0.4", "materials.m.model=stvk"});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_TRUE(says(list[0], "stvk resists strong compression less and less")) << list[0];
  EXPECT_TRUE(says(list[0], "use neo_hookean")) << list[0];
  EXPECT_EQ(ills_of(beam_with(press, "", "0.6"), {"solver.type=newton", "materials.m.poisson_ratio=0.4"}),
            std::vector<std::string>())
      << "the remedy";
}

TEST_F(RunHealthTest, TellsWherePrecisionTurnsElementsInsideOut) {
  const std::vector<std::string> far = {"objects.bar.transform.translate=[4.5e6,0,0]",
                                        "pins.0.select.plane.point=[4500000.001,0,0]"};
  std::vector<std::string> single = far;
  single.push_back("solver.precision=single");
  const std::vector<std::string> list = ills(single);
  ASSERT_FALSE(list.empty());
  EXPECT_TRUE(says(list[0], "single precision resolves no less than 0.54 m there; use solver.precision = \"double\""))
      << list[0];
  EXPECT_EQ(ills(far), std::vector<std::string>()) << "the remedy, which is the default";
}

}  // namespace
}  // namespace sinew
