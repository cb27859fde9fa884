// Source: the promises of sinew/run.h and docs/output.md: what a run writes and tells.
#include "sinew/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "drive/run_case.h"
#include "files/read_file.h"
#include "io/says.h"
#include "io/vtu.h"
#include "record/output_folder.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

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
  // Those before a resumption count.
  const RunOutcome resumed = run(scene, out(), true);
  EXPECT_EQ(resumed.missed, 24);
  EXPECT_EQ(resumed.notes, outcome.notes);
}

}  // namespace
}  // namespace sinew
