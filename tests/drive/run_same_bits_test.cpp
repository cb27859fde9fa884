// Source: the promises of sinew/run.h; runs are compared by hash and bytes, whatever their threads, lanes and clusters.
#include "sinew/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "drive/run_case.h"
#include "record/output_folder.h"
#include "sinew/lanes.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"
#include "support/run_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Each width by itself: every run of it has the same bits, whatever the threads.
TEST_F(RunTest, EveryWidthOfLanesRepeatsItself) {
  Scene scene = hanging_block();
  for (const char* solver : {"vbd", "xpbd"}) {
    scene.solver = with_solver(scene.solver, solver);
    for (const int lanes : available_lanes()) {
      ASSERT_TRUE(set_lanes(lanes).ok());
      const RunOutcome first = run(scene, out());
      const auto first_rows = rows(out());
      EXPECT_EQ(read_run_file(out() / "run.json").value().lanes, lanes);
      for (const int threads : {1, 2}) {
        fs::remove_all(out());
        EXPECT_EQ(run(scene, out(), false, threads).hash, first.hash) << solver << ", " << lanes << " lanes";
        EXPECT_EQ(rows(out()), first_rows) << solver << ", " << lanes << " lanes";
      }
      fs::remove_all(out());
    }
  }
  ASSERT_TRUE(set_lanes(0).ok());
}

// Clusters change the order of the vertices, and so the way to the solution, but not the solution: as near as the
// sweeps are held to their definition (tests/solver/vertex_sweep_test.cpp).
TEST_F(RunTest, ClustersOfEverySizeConvergeToTheSame) {
  Scene scene = hanging_block();
  scene.objects[0].mesh = MeshBox{{1, 1, 1}, {4, 4, 4}, {0, 0, 0}, 5};
  for (const auto& [precision, error] : {std::pair{"double", 5e-12}, {"single", 5e-5}}) {
    scene.solver.options = {{"iterations", 150.0}, {"precision", std::string(precision)}};
    std::vector<Real3> expected;
    for (const int most : {0, 1, 7, 40, 100}) {
      scene.solver.cluster_vertices = most;
      Result<Simulation> simulation = Simulation::create(scene, 2);
      ASSERT_TRUE(simulation) << simulation.error().message();
      ASSERT_TRUE(simulation->advance_frame());
      const std::vector<Real3> x = simulation->positions();
      if (most == 0) expected = x;
      for (size_t v = 0; v < x.size(); ++v)
        for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(x[v][k], expected[v][k], error) << precision << ", " << most;
    }
  }
}

// The same bits whoever runs it. In every scene threads share each stage of a step: sweeps from 4096 vertices on, sums
// and assembly by chunks of 4096, and with more than 60000 vertices whole clusters of the mesh.
class RunSameBits : public RunTest {
 protected:
  // A block of cells^3 beside a ball of another material.
  static Scene large_block(int cells, const std::string& solver, const std::string& vtu = "volume") {
    const std::string text = R"({ "sinew": 1,
      "materials": { "rubber": { "youngs_modulus": 1e5 }, "flesh": { "model": "fixed_corotated" } },
      "objects": { "block": { "mesh": { "box": { "cells": )" +
                             std::to_string(cells) + R"( } }, "material": "rubber" },
                   "ball": { "mesh": { "ball": { "center": [2, 0, 0] } }, "material": "flesh", "stretch": [1, 1.1, 1] } },
      "pins": [ { "object": "block", "select": { "plane": { "point": [0, 1, 0], "normal": [0, 1, 0] } } } ],
      "time": { "fps": 50, "duration": 0.08 },
      "output": { "checkpoint_every": 2, "surface_caches": ["pc2", "mdd"], "vtu": ")" +
                             vtu + R"(" },
      "solver": { )" + solver +
                             " } }";
    return parse_scene(text, "block.json", "").value();
  }

  void expect_same_bits(const Scene& scene) {
    const fs::path first = folder() / "first";
    const RunOutcome expected = run(scene, first);
    const auto files = support::lasting_files(first);
    for (const char* name : {"checkpoint.bin", "frames.pvd", "frames/frame_000004.vtu", "surface/frame_000004.bin",
                             "surface/ball.mdd", "surface/block.obj", "surface/block.pc2"})
      EXPECT_TRUE(files.contains(name)) << name;

    const auto expect_same = [&](const RunOutcome& outcome, const std::string& how) {
      SCOPED_TRACE(how);
      EXPECT_EQ(outcome.hash, expected.hash);
      EXPECT_EQ(rows(out()), rows(first));
      const auto others = support::lasting_files(out());
      EXPECT_EQ(others.size(), files.size());
      for (const auto& [name, bytes] : files) {
        const auto other = others.find(name);
        EXPECT_TRUE(other != others.end() && other->second == bytes) << name;
      }
      fs::remove_all(out());
    };
    for (const int threads : {1, 2, 4}) {
      expect_same(run(scene, out(), false, threads), std::to_string(threads) + " threads");
    }
    run_and_die(scene, out(), 3, 4);
    expect_same(run(scene, out(), true, 2), "killed with 4 threads, resumed with 2");
    EXPECT_EQ(first_frame, 2) << "frame 3 was written after the checkpoint";
  }
};

TEST_F(RunSameBits, ByVbd) {
  expect_same_bits(large_block(18, R"("type": "vbd", "iterations": 8, "accelerator": "chebyshev")"));
}
TEST_F(RunSameBits, ByVbdToATolerance) {
  expect_same_bits(
      large_block(18, R"("type": "vbd", "precision": "double", "check_every": 1, "relative_tolerance": 0.05)"));
}
TEST_F(RunSameBits, ByVbdInClusters) {
  expect_same_bits(large_block(39, R"("type": "vbd", "iterations": 4)", "surface"));
}
TEST_F(RunSameBits, ByVbdInForcedClusters) {
  expect_same_bits(large_block(8, R"("type": "vbd", "iterations": 4, "cluster_vertices": 100)"));
}
TEST_F(RunSameBits, ByFpPxpbdWithFibresThatAreActivated) {
  Scene scene = large_block(9, R"("type": "fp_pxpbd", "iterations": 4)");
  SceneFibres fibres{.along = FibreConstant{{1, 1, 0}}, .activation_curve = ActivationCurve{{0.01, 0.09}, {0, 1}}};
  scene.objects[0].fibres = fibres;
  expect_same_bits(scene);
}
TEST_F(RunSameBits, ByXpbd) {
  expect_same_bits(large_block(18, R"("type": "xpbd", "iterations": 8)"));
}
TEST_F(RunSameBits, ByNewton) {
  expect_same_bits(large_block(18, R"("type": "newton", "iterations": 1)"));
}

}  // namespace
}  // namespace sinew
