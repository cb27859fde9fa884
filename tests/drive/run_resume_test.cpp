// Source: the promises of sinew/run.h and docs/output.md; resumed runs are compared with uninterrupted ones by hash and
// bytes.
#include "sinew/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "drive/run_case.h"
#include "files/atomic_file.h"
#include "files/read_file.h"
#include "io/npy.h"
#include "io/says.h"
#include "record/output_folder.h"

namespace sinew {
namespace {

TEST_F(RunTest, ARunThatIsKilledAtItsFirstFrameCanBeResumed) {
  Scene scene = hanging_block();
  scene.output.checkpoint_every = 0;
  const RunOutcome whole = run(scene, folder() / "whole");
  run_and_die(scene, out(), 1);
  EXPECT_EQ(run(scene, out(), true).hash, whole.hash);
  EXPECT_EQ(rows(out()), rows(folder() / "whole"));
}

TEST_F(RunTest, WhatDoesNotMoveTheBodyMayChangeAtAResumption) {
  Scene scene = hanging_block();
  scene.output.checkpoint_every = 2;
  run(scene, folder() / "whole");
  run_and_die(scene, out(), 4);
  scene.name = "other";
  scene.objects[0].color = Real3{1, 0, 0};
  scene.output.vtu = VtuFrames::none;
  scene.render.width = 320;
  scene.time.duration = 0.2;
  EXPECT_EQ(run(scene, out(), true).last_frame, 10);
  const std::vector<std::string> expected{
      "name = \"other\" (the run had \"block\")", "time.duration = 0.2 (the run had 0.12)",
      "objects.block.color = [1, 0, 0] (the run had nothing)", "output.vtu = \"none\" (the run had \"volume\")",
      "render.width = 320 (the run had 1920)"};
  EXPECT_EQ(warnings, expected);
  EXPECT_EQ(read_run_file(out() / "run.json")->notes.size(), 5u);
  EXPECT_EQ(read_file(out() / "surface/frame_000006.bin").value(),
            read_file(folder() / "whole/surface/frame_000006.bin").value());
}

TEST_F(RunTest, WhatMovesTheBodyMayNot) {
  Scene scene = hanging_block();
  run(scene, out());
  const auto refusal = [&](const std::function<void(Scene&)>& change) {
    Scene other = scene;
    change(other);
    return refusal_to_resume(other);
  };
  EXPECT_TRUE(says(refusal([](Scene& s) { s.materials[0].density = 900; }),
                   "cannot go on with another scene: materials.rubber.density = 900 (the run had 1000); resume with"));
  EXPECT_TRUE(says(refusal([](Scene& s) { s.pins[0].release = 0.1; }), "pins.0.release = 0.1 (the run had nothing)"));
  EXPECT_TRUE(says(refusal([](Scene& s) { s.output.every = 2; }), "output.every = 2 (the run had 1)"));
}

// The scene's text is the same, and what it means is not.
TEST_F(RunTest, AFileOfVertexNumbersMayNotChangeEither) {
  std::ofstream(folder() / "held.txt") << "0 1 2";
  Scene scene = hanging_block();
  scene.pins[0].select = SelectFile{(folder() / "held.txt").string()};
  run(scene, out());
  std::ofstream(folder() / "held.txt") << "0 1 3";
  EXPECT_TRUE(says(refusal_to_resume(scene), "belongs to another scene"));
}

TEST_F(RunTest, NorMayOneOfStiffnessFactors) {
  Scene scene = hanging_block();
  const auto write = [&](double last) {
    std::ofstream file(folder() / "factors.txt");
    for (int e = 0; e < 39; ++e) file << 1 + e % 3 << ' ';
    file << last;
  };
  write(1);
  scene.objects[0].stiffness_factors = FactorFile{(folder() / "factors.txt").string()};
  const RunOutcome before = run(scene, out());
  EXPECT_NE(before.hash, run(hanging_block(), folder() / "plain").hash);
  write(1.5);
  EXPECT_TRUE(says(refusal_to_resume(scene), "belongs to another scene"));
}

TEST_F(RunTest, NorMayOneOfFibres) {
  Scene scene = hanging_block();
  const auto write = [&](double last) {
    std::vector<double> along(3 * 40, 1.0);
    along.back() = last;
    EXPECT_TRUE(write_file_atomically(folder() / "along.npy", encode_npy(along, 3)).ok());
  };
  write(1);
  SceneFibres fibres{.along = FibreFile{(folder() / "along.npy").string()}, .activation_curve = {}};
  fibres.activation = 0.5;
  scene.objects[0].fibres = fibres;
  const RunOutcome before = run(scene, out());
  EXPECT_NE(before.hash, run(hanging_block(), folder() / "plain").hash);
  write(1.5);
  EXPECT_TRUE(says(refusal_to_resume(scene), "belongs to another scene"));
}

TEST_F(RunTest, NorMayTheMeshOfACollider) {
  Scene scene = hanging_block();
  const auto write = [&](double height) {
    std::ofstream(folder() / "ledge.obj") << "v 0 " << height << " 0\nv 1 -1 0\nv 0 -1 1\nf 1 3 2\n";
  };
  write(-1);
  scene.colliders = {{.name = "ledge", .shape = ColliderMesh{(folder() / "ledge.obj").string()}}};
  run(scene, out());
  write(-1.5);
  EXPECT_TRUE(says(refusal_to_resume(scene), "belongs to another scene"));
}

// Clusters are a CPU's: the vertices are in another order on a device, and so are the multipliers of their tets.
TEST_F(RunTest, MayGoOnOnAnotherDevice) {
  for (const bool quadratic : {false, true}) {
    Scene scene = hanging_block();
    scene.objects[0].quadratic = quadratic;
    scene.materials[0].set("poisson_ratio", 0.45);
    scene.solver = {};
    scene.solver.type = "vbd";
    scene.solver.cluster_vertices = 20;
    scene.solver.options.set("precision", std::string("double"));
    scene.solver.options.set("iterations", 2000.0);
    scene.solver.options.set("relative_tolerance", 1e-8);
    scene.output.checkpoint_every = 2;
    const auto on = [&](const std::string& device) {
      Scene there = scene;
      there.solver.options.set("device", device);
      return there;
    };
    const auto energy = [&](const std::filesystem::path& path) {
      const std::vector<std::vector<std::string>> all = rows(path);
      const auto column = std::find(all[0].begin(), all[0].end(), "energy [J]") - all[0].begin();
      return std::stod(all.back()[static_cast<size_t>(column)]);
    };
    const std::filesystem::path place = folder() / (quadratic ? "quadratic" : "linear");
    run(on("cpu"), place / "whole");
    const double expected = energy(place / "whole");
    for (const auto& [first, then] : {std::pair{"emulated", "cpu"}, {"cpu", "emulated"}}) {
      run_and_die(on(first), place / first, 3);
      EXPECT_EQ(run(on(then), place / first, true).last_frame, 6);
      EXPECT_EQ(first_frame, 2);
      EXPECT_NEAR(energy(place / first), expected, 1e-5 * std::abs(expected)) << first;
      // What it wrote since is in the new order; and back.
      Scene longer = on(first);
      longer.time.duration = 0.16;
      EXPECT_EQ(run(longer, place / first, true).last_frame, 8);
      EXPECT_EQ(first_frame, 6);
    }
  }
}

}  // namespace
}  // namespace sinew
