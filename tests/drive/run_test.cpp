// Source: the promises of sinew/run.h and docs/output.md; runs are compared with uninterrupted ones by hash and bytes.
#include "sinew/run.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "files/atomic_file.h"
#include "files/read_file.h"
#include "io/csv.h"
#include "io/npy.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "io/vtu.h"
#include "record/output_folder.h"
#include "sinew/lanes.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"
#include "support/run_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// A hanging block, 4 steps a frame, 6 frames.
Scene hanging_block() {
  const std::string text = R"({ "sinew": 1,
    "materials": { "rubber": { "youngs_modulus": 1e5 } },
    "objects": { "block": { "mesh": { "box": { "cells": 2 } }, "material": "rubber" } },
    "pins": [ { "object": "block", "select": { "plane": { "point": [0, 1, 0], "normal": [0, 1, 0] } } } ],
    "time": { "fps": 50, "substeps": 4, "duration": 0.12 },
    "solver": { "iterations": 8 } })";
  return parse_scene(text, "block.json", "").value();
}

class RunTest : public TemporaryFolder {
 protected:
  fs::path out() const { return folder() / "out"; }

  RunOutcome run(const Scene& scene, const fs::path& path, bool resume = false, int threads = 1) {
    RunOptions options;
    options.folder = path;
    options.threads = threads;
    options.resume = resume;
    warnings.clear();
    RunObserver observer;
    observer.on_start = [&](const RunStart& start) {
      warnings = start.warnings;
      first_frame = start.first_frame;
    };
    const Result<RunOutcome> outcome = run_scene(scene, options, observer);
    EXPECT_TRUE(outcome) << outcome.error().message();
    return outcome ? *outcome : RunOutcome{};
  }
  // What resuming in out() is answered with; "" where it goes on.
  std::string refusal_to_resume(const Scene& scene) {
    RunOptions options;
    options.folder = out();
    options.threads = 1;
    options.resume = true;
    const Result<RunOutcome> outcome = run_scene(scene, options, {});
    return outcome ? "" : outcome.error().message();
  }
  // A run that is ended without a word when frame `last` is written, as by a kill.
  static void run_and_die(const Scene& scene, const fs::path& path, int64_t last, int threads = 1) {
    const pid_t child = ::fork();
    if (child == 0) {
      RunOptions options;
      options.folder = path;
      options.threads = threads;
      RunObserver observer;
      observer.on_frame = [&](const RunFrame& r) {
        if (r.frame == last) ::_exit(0);
      };
      (void)run_scene(scene, options, observer);
      ::_exit(1);
    }
    int state = 0;
    ASSERT_EQ(::waitpid(child, &state, 0), child);
    ASSERT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  }
  // stats.csv without its times in milliseconds, which differ from run to run.
  static std::vector<std::vector<std::string>> rows(const fs::path& path) {
    auto records = parse_csv(read_file(path / "stats.csv").value());
    for (auto& record : records) record.resize(9);
    return records;
  }

  // Of the last run.
  std::vector<std::string> warnings;
  int64_t first_frame = 0;
};

TEST_F(RunTest, StatisticsHaveARowPerStepAndAreMeasuredWhereAskedFor) {
  Scene scene = hanging_block();
  uint64_t hash = 0;
  for (const int every : {0, 1, 3}) {
    scene.output.statistics_every = every;
    const fs::path path = folder() / std::to_string(every);
    const RunOutcome outcome = run(scene, path);
    if (every == 0) hash = outcome.hash;
    EXPECT_EQ(outcome.hash, hash) << "looking changes nothing";
    const auto records = rows(path);
    ASSERT_EQ(records.size(), 25u);
    for (int step = 1; step <= 24; ++step) {
      const auto& record = records[static_cast<size_t>(step)];
      EXPECT_EQ(record[0], std::to_string(step));
      EXPECT_EQ(record[2], std::to_string((step + 3) / 4));
      EXPECT_EQ(record[3], "8");
      EXPECT_EQ(record[4], "budget");
      const bool measured = step % 4 == 0 || (every > 0 && step % every == 0);
      for (size_t column = 5; column < 9; ++column) EXPECT_EQ(record[column] != "", measured) << every << ", " << step;
    }
  }
  // What is measured is the same whoever asks.
  EXPECT_EQ(rows(folder() / "1")[12], rows(folder() / "3")[12]);
}

TEST_F(RunTest, TellsHowFarTheSetUpIs) {
  for (const char* solver : {"vbd", "xpbd"}) {
    Scene scene = hanging_block();
    scene.solver.type = solver;
    scene.solver.options.clear();
    RunOptions options;
    options.folder = folder() / solver;
    options.frames = 0;
    RunObserver observer;
    std::vector<std::string> stages;
    double before = 0;
    bool started = false;
    observer.on_setup = [&](const Progress& now) {
      EXPECT_FALSE(started);
      EXPECT_GE(now.share, before);
      EXPECT_LE(now.share, 1);
      before = now.share;
      if (stages.empty() || stages.back() != now.stage) stages.push_back(now.stage);
    };
    observer.on_start = [&](const RunStart&) { started = true; };
    ASSERT_TRUE(run_scene(scene, options, observer).ok());
    EXPECT_EQ(stages, (std::vector<std::string>{"meshes", "order", "start and pins", "solver layouts"}));
  }
}

TEST_F(RunTest, WhatATestOfTheToleranceMeasuredIsInTheStatistics) {
  Scene scene = hanging_block();
  for (OptionValue& option : scene.solver.options)
    if (option.name == "tolerance") option.value = 1e-12;
  run(scene, out());
  for (const auto& record : rows(out())) EXPECT_NE(record[5], "");
}

TEST_F(RunTest, FramesForParaViewHoldTheVolumeOrItsSurfaceOrNothing) {
  Scene scene = hanging_block();
  scene.output.every = 2;
  const auto cell_count = [&](const char* vtu) {
    scene.output.vtu = named<VtuFrames>(vtu).value();
    run(scene, folder() / vtu);
    EXPECT_EQ(list_frames(folder() / vtu / "surface", ".bin"), (std::vector<int64_t>{0, 2, 4, 6}));
    const std::vector<int64_t> frames = list_frames(folder() / vtu / "frames", ".vtu");
    if (frames.empty()) return size_t{0};
    EXPECT_EQ(frames, (std::vector<int64_t>{0, 2, 4, 6}));
    EXPECT_TRUE(says(read_file(folder() / vtu / "frames.pvd").value(), "frames/frame_000006.vtu"));
    const MeshData data = parse_vtu(read_file(folder() / vtu / "frames/frame_000002.vtu").value(), "frame").value();
    return std::string_view(vtu) == "volume" ? data.tets.size() : data.triangles.size();
  };
  EXPECT_EQ(cell_count("volume"), 40u);
  EXPECT_EQ(cell_count("surface"), 48u);
  EXPECT_EQ(cell_count("none"), 0u);
  EXPECT_FALSE(fs::exists(folder() / "none/frames.pvd"));
}

// Of the last state to the last digit, by all solvers that compute in double precision; and of single precision by the
// others.
TEST_F(RunTest, FramesHaveThePrecisionOfTheRun) {
  for (const auto& [solver, precision, in_double] :
       {std::tuple{"vbd", "double", true}, {"newton", "", true}, {"vbd", "single", false}}) {
    Scene scene = hanging_block();
    scene.objects[0].transform.translate = {4.5e6, 0, 0};
    scene.pins[0].select = SelectPlane{{0, 1, 0}, {0, 1, 0}};
    scene.solver = SolverSettings{};
    scene.solver.type = solver;
    scene.solver.options = {{"iterations", 3.0}};
    if (*precision) scene.solver.options.push_back({"precision", std::string(precision)});
    const fs::path path = folder() / (std::string(solver) + precision);
    run(scene, path);
    const std::string file = read_file(path / "frames/frame_000006.vtu").value();
    EXPECT_EQ(says(file, "\"Float32\"").operator bool(), !in_double);
    Result<Simulation> simulation = Simulation::create(scene, 1);
    ASSERT_TRUE(simulation.ok()) << simulation.error().message();
    while (simulation->frames_taken() < 6) ASSERT_TRUE(simulation->advance_frame().ok());
    const std::vector<Real3> x = simulation->positions();
    const MeshData frame = parse_vtu(file, "frame").value();
    ASSERT_EQ(frame.vertices.size(), x.size());
    for (size_t v = 0; v < x.size(); ++v) {
      EXPECT_EQ(frame.vertices[v].x, in_double ? x[v][0] : static_cast<float>(x[v][0])) << solver << ", " << v;
      EXPECT_EQ(frame.vertices[v].y, in_double ? x[v][1] : static_cast<float>(x[v][1])) << solver << ", " << v;
    }
  }
}

// Springs are lines in frames for ParaView; a chain's points stand for the surface that it has not, a grid has one.
TEST_F(RunTest, ChainsAndGridsHaveFramesToo) {
  const std::string text = R"({ "sinew": 1,
    "objects": {
      "rope": { "mesh": { "chain": { "links": 5 } } },
      "cloth": { "mesh": { "grid": { "columns": 4, "rows": 4, "shear_stiffness": 0, "origin": [0, 0, 1] } } } },
    "pins": [ { "object": "rope", "select": { "indices": [0] } }, { "object": "cloth", "select": { "indices": [0] } } ],
    "time": { "fps": 50, "duration": 0.04 },
    "solver": { "iterations": 8 },
    "output": { "surface_caches": ["pc2", "mdd"] } })";
  Scene scene = parse_scene(text, "springs.json", "").value();
  const RunOutcome outcome = run(scene, folder() / "volume");
  EXPECT_TRUE(warnings.empty());
  const std::string file = read_file(folder() / "volume/frames/frame_000002.vtu").value();
  EXPECT_TRUE(says(file, "NumberOfPoints=\"22\" NumberOfCells=\"29\""));  // 5 + 2 * 4 * 3
  const MeshData data = parse_vtu(file, "frame").value();
  EXPECT_LT(data.vertices[5].y, 0);  // it falls
  EXPECT_GT(fs::file_size(folder() / "volume/surface/rope.pc2"), 3u * 6 * 12);
  EXPECT_GT(fs::file_size(folder() / "volume/surface/cloth.mdd"), 3u * 16 * 12);
  EXPECT_EQ(run(scene, folder() / "volume", true).hash, outcome.hash) << "resumed at the end";

  scene.output.vtu = VtuFrames::surface;
  run(scene, folder() / "surface");
  const MeshData surface = parse_vtu(read_file(folder() / "surface/frames/frame_000002.vtu").value(), "frame").value();
  EXPECT_EQ(surface.triangles.size(), 18u);
  EXPECT_EQ(surface.vertices.size(), 22u);
}

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
    RunOptions options;
    options.folder = out();
    options.threads = 1;
    options.resume = true;
    const Result<RunOutcome> outcome = run_scene(other, options, {});
    return outcome ? "" : outcome.error().message();
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

TEST_F(RunTest, ARunFileIsASceneWithItsStiffnessFactors) {
  std::ofstream file(folder() / "factors.txt");
  for (int e = 0; e < 40; ++e) file << 1 + e % 3 << ' ';
  file.close();
  Scene scene = hanging_block();
  scene.base_folder = folder().string();
  scene.objects[0].stiffness_factors = FactorFile{"factors.txt"};
  const RunOutcome before = run(scene, out());
  const Result<Scene> again = read_scene(out() / "run.json");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(run(*again, folder() / "again").hash, before.hash);

  // And with the numbers in the scene itself.
  FactorList list;
  for (int e = 0; e < 40; ++e) list.values.push_back(1 + e % 3);
  scene.objects[0].stiffness_factors = list;
  EXPECT_EQ(run(scene, folder() / "list").hash, before.hash);
  const Result<Scene> read = read_scene(folder() / "list/run.json");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->objects[0].stiffness_factors == scene.objects[0].stiffness_factors);
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

TEST_F(RunTest, TheObserverIsToldOfEverythingInOrder) {
  RunOptions options;
  options.folder = out();
  options.frames = 2;
  options.threads = 1;
  RunObserver observer;
  std::vector<std::string> told;
  const auto note = [&](const std::string& event) {
    if (told.empty() || told.back() != event) told.push_back(event);
  };
  observer.on_setup = [&](const Progress&) { note("set-up"); };
  observer.on_write = [&] {
    note("write");
    EXPECT_FALSE(fs::exists(out() / "run.json"));
  };
  observer.on_start = [&](const RunStart& start) {
    note("start");
    EXPECT_EQ(start.vertices, 27);
    EXPECT_EQ(start.tets, 40);
    EXPECT_EQ(start.triangles, 0);
    EXPECT_EQ(start.threads, 1);
    EXPECT_EQ(start.first_frame, 0);
    EXPECT_EQ(start.last_frame, 2);
    ASSERT_FALSE(start.stages.empty());
    EXPECT_EQ(start.stages.front().name, "meshes");
  };
  observer.on_step = [&](const StepReport& step) {
    note("step " + std::to_string(step.step));
    EXPECT_EQ(step.iterations, 8);
  };
  observer.on_frame = [&](const RunFrame& frame) {
    note("frame " + std::to_string(frame.frame));
    EXPECT_EQ(frame.last_frame, 2);
    EXPECT_DOUBLE_EQ(frame.time, 0.02 * static_cast<double>(frame.frame));
    EXPECT_EQ(frame.iterations, 32);
    EXPECT_GT(frame.evaluation.residual, 0);
    EXPECT_EQ(frame.positions, nullptr);
    EXPECT_TRUE(fs::exists(OutputPaths(out()).volume_frame(frame.frame))) << "it is written when it is told of";
  };
  const Result<RunOutcome> outcome = run_scene(hanging_block(), options, observer);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_FALSE(outcome->interrupted);
  EXPECT_EQ(told, (std::vector<std::string>{"set-up", "write", "start", "step 1", "step 2", "step 3", "step 4",
                                            "frame 1", "step 5", "step 6", "step 7", "step 8", "frame 2"}));
  // The files are those that are there, and all of them.
  std::set<std::string> names, there;
  for (const fs::path& file : outcome->files) names.insert(fs::relative(file, out()).string());
  for (const auto& entry : fs::recursive_directory_iterator(out()))
    if (entry.is_regular_file()) there.insert(fs::relative(entry.path(), out()).string());
  there.erase(Manifest::file_name);
  EXPECT_EQ(names, there);
  EXPECT_TRUE(names.contains("frames/frame_000002.vtu"));
}

// At the start, within a frame and after one: what is there ends with a whole frame, and continues to the same bits.
TEST_F(RunTest, AListenerEndsARunThatCanBeResumed) {
  const Scene scene = hanging_block();
  const RunOutcome whole = run(scene, folder() / "whole");
  const auto ended_by = [&](const std::string& name, const RunObserver& observer, int64_t last_frame) {
    RunOptions options;
    options.folder = folder() / name;
    options.threads = 1;
    const Result<RunOutcome> ended = run_scene(scene, options, observer);
    ASSERT_TRUE(ended.ok()) << ended.error().message();
    EXPECT_TRUE(ended->interrupted) << name;
    EXPECT_EQ(ended->last_frame, last_frame) << name;
    const Result<RunSummary> summary = read_run_file(options.folder / "run.json");
    ASSERT_TRUE(summary.ok());
    EXPECT_EQ(summary->progress.state, RunState::interrupted);
    EXPECT_EQ(summary->progress.last_frame, last_frame);
    EXPECT_EQ(rows(options.folder).size(), static_cast<size_t>(1 + 4 * last_frame)) << "rows of whole frames only";
    for (const auto& entry : fs::recursive_directory_iterator(options.folder))
      EXPECT_FALSE(entry.path().string().ends_with(".partial")) << entry.path();
    EXPECT_EQ(run(scene, options.folder, true).hash, whole.hash) << name;
    EXPECT_EQ(first_frame, last_frame);
    EXPECT_EQ(read_file(options.folder / "frames/frame_000006.vtu").value(),
              read_file(folder() / "whole/frames/frame_000006.vtu").value());
  };
  ended_by("start", {.on_start = [](const RunStart&) { return false; }}, 0);
  ended_by("step", {.on_step = [](const StepReport& step) { return step.step < 6; }}, 1);
  ended_by("last step", {.on_step = [](const StepReport& step) { return step.step < 8; }}, 2);
  ended_by("frame", {.on_frame = [](const RunFrame& frame) { return frame.frame < 3; }}, 3);
}

TEST_F(RunTest, AnEndOfTheSetUpLeavesNothing) {
  RunOptions options;
  options.folder = out();
  options.threads = 1;
  const auto expect_nothing = [&](const RunObserver& observer) {
    const Result<RunOutcome> outcome = run_scene(hanging_block(), options, observer);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().message(), "the run: was interrupted during its set-up; nothing was written");
    EXPECT_FALSE(fs::exists(out()));
  };
  for (const char* stage : {"meshes", "order", "start and pins", "solver layouts"}) {
    bool told_again = false;
    expect_nothing({.on_setup = [&, ended = false](const Progress& now) mutable {
      told_again |= ended;
      ended |= now.stage == stage;
      return !ended;
    }});
    EXPECT_FALSE(told_again) << stage;
  }
  const std::atomic<bool> interrupt{true};
  options.interrupt = &interrupt;
  expect_nothing({});
}

TEST_F(RunTest, WithoutAFolderItIsInMemory) {
  Scene scene = hanging_block();
  scene.output.every = 2;
  const RunOutcome written = run(scene, out());
  EXPECT_TRUE(written.frames.empty());
  Result<Simulation> simulation = Simulation::create(scene, 1);
  ASSERT_TRUE(simulation.ok());
  RunOptions options;
  options.threads = 1;
  options.keep_frames = true;
  RunObserver observer;
  observer.wants_positions = true;
  observer.on_frame = [&](const RunFrame& frame) {
    ASSERT_TRUE(simulation->advance_frame().ok());
    ASSERT_NE(frame.positions, nullptr);
    EXPECT_EQ(*frame.positions, simulation->positions());
    EXPECT_EQ(*frame.velocities, simulation->velocities());
  };
  const Result<RunOutcome> outcome = run_scene(scene, options, observer);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_EQ(outcome->hash, written.hash);
  EXPECT_EQ(outcome->hash, simulation->hash());
  EXPECT_EQ(outcome->steps, written.steps);
  EXPECT_TRUE(outcome->files.empty());
  ASSERT_EQ(outcome->frames.size(), 4u);
  for (size_t k = 0; k < 4; ++k) EXPECT_EQ(outcome->frames[k].frame, static_cast<int64_t>(2 * k));
  EXPECT_EQ(outcome->frames[0].positions, simulation->rest_positions());
  EXPECT_EQ(outcome->frames[3].positions, simulation->positions());
  EXPECT_EQ(outcome->frames[3].velocities, simulation->velocities());
  EXPECT_DOUBLE_EQ(outcome->frames[3].time, 0.12);

  options.resume = true;
  const Result<RunOutcome> refused = run_scene(scene, options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "resume: needs the folder of the run to continue; give a folder");
}

TEST_F(RunTest, NotesTellOfStepsThatEndedBeforeTheirTolerance) {
  Scene scene = hanging_block();
  EXPECT_TRUE(run(scene, folder() / "good").notes.empty());
  scene.solver.options.set("tolerance", 1e-12);
  const RunOutcome outcome = run(scene, out());
  EXPECT_EQ(outcome.missed, 24);
  ASSERT_TRUE(outcome.warnings.empty()) << outcome.warnings.front();
  EXPECT_EQ(outcome.notes, (std::vector<std::string>{"24 of 24 steps reached the iteration limit before the tolerance; "
                                                     "use more iterations or more substeps"}));
}

}  // namespace
}  // namespace sinew
