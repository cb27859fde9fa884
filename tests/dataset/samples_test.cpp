// Expectations: equilibria that Newton's method finds too; trajectories with the bits of a simulation that knows
// nothing of data sets; failures that are recorded with their reason.
#include <gtest/gtest.h>

#include <cmath>

#include "dataset/dataset_folder.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"
#include "small_plan.h"

namespace sinew {
namespace {

class Samples : public SmallPlan {
 protected:
  std::vector<Sample> made(const std::string& text, const std::string& name,
                           const std::vector<std::string>& overrides = {}) const {
    const Result<DatasetPlan> plan = read(text, overrides);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().message());
    if (!plan) return {};
    const Result<DatasetOutcome> outcome = make_dataset(*plan, {.folder = folder() / name});
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
    const auto opened = DatasetFolder::open(folder() / name);
    std::vector<Sample> samples;
    for (int64_t shard = 0; opened && shard < (*opened)->shards(); ++shard) {
      const Result<ShardReader> reader = ShardReader::open((*opened)->shard_file(shard), (*opened)->head(shard));
      for (int64_t k = (*opened)->first(shard); k < (*opened)->last(shard); ++k)
        samples.push_back(reader->sample(k).value());
    }
    return samples;
  }
  static double difference(const std::vector<double>& a, const std::vector<double>& b) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0;
    for (size_t k = 0; k < std::min(a.size(), b.size()); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
    return largest;
  }
};

TEST_F(Samples, AreTheEquilibriaOfNewtonsMethod) {
  for (const char* start : {"rest", "nearest"}) {
    const std::string text = plan_text(R"(, "samples": 12, "relative_residual": 1e-9, "fields": ["reactions", "probes"],
                                          "start": ")" +
                                       std::string(start) + "\"");
    const std::vector<Sample> own = made(text, std::string("own-") + start),
                              newton = made(text, std::string("newton-") + start, {"solver={\"type\": \"newton\"}"});
    ASSERT_EQ(own.size(), 12u);
    ASSERT_EQ(newton.size(), 12u);
    for (size_t k = 0; k < own.size(); ++k) {
      ASSERT_EQ(own[k].status, SampleStatus::converged) << own[k].reason;
      ASSERT_EQ(newton[k].status, SampleStatus::converged) << newton[k].reason;
      EXPECT_LE(own[k].relative_residual[0], 1.001e-9);
      EXPECT_EQ(own[k].parameters, newton[k].parameters);
      EXPECT_LT(difference(own[k].positions, newton[k].positions), 1e-9);
      EXPECT_LT(difference(own[k].reactions, newton[k].reactions), 1e-5);
      EXPECT_NEAR(own[k].energy[0], newton[k].energy[0], 1e-9);
    }
  }
}

// Where single precision comes to a standstill, double precision goes on.
TEST_F(Samples, GoOnInDoublePrecision) {
  const std::string tight =
      R"(, "samples": 3, "relative_residual": 1e-10, "attempts": 2, "fallback": "none", "set": ["solver.precision=)";
  for (const Sample& sample : made(plan_text(tight + "auto\"]"), "auto")) {
    EXPECT_EQ(sample.status, SampleStatus::converged) << sample.reason;
    EXPECT_EQ(sample.attempts, 2);
    EXPECT_EQ(sample.steps, 1);
  }
  for (const Sample& sample : made(plan_text(tight + "single\"]"), "single")) {
    EXPECT_EQ(sample.status, SampleStatus::unconverged);
    EXPECT_TRUE(says(sample.reason, "stalled after"));
  }
}

// In equilibrium the pins carry the weight, and the probe is the mean of its vertices.
TEST_F(Samples, ReactionsCarryTheWeight) {
  const std::vector<Sample> samples = made(
      plan_text(R"(, "samples": 4, "relative_residual": 1e-9, "fields": ["reactions", "probes", "rest_positions"])"),
      "d");
  ASSERT_EQ(samples.size(), 4u);
  for (const Sample& sample : samples) {
    double sum = 0, middle = 0;
    int count = 0;
    for (size_t v = 0; 3 * v < sample.positions.size(); ++v) {
      sum += sample.reactions[3 * v + 1];
      if (std::abs(sample.rest_positions[3 * v] - 0.2) < 1e-9) middle += sample.positions[3 * v + 1], ++count;
    }
    EXPECT_NEAR(sum, 0.4 * 0.1 * 0.1 * 1000 * 9.81, 1e-6);
    EXPECT_NEAR(sample.probes[1], middle / count, 1e-12);
  }
}

TEST_F(Samples, TrajectoriesHaveTheSameBitsAsSimulations) {
  const std::string moving = R"(, "set": ["time.integrator=backward_euler", "time.frame_dt=0.02", "time.substeps=2"])";
  const std::vector<Sample> samples =
      made(plan_text(R"(, "samples": 3, "kind": "trajectory", "fields": ["velocities"])" + moving), "d");
  ASSERT_EQ(samples.size(), 3u);
  for (const Sample& sample : samples) {
    ASSERT_EQ(sample.status, SampleStatus::converged) << sample.reason;
    const std::vector<std::string> set = {"time.integrator=backward_euler", "time.frame_dt=0.02", "time.substeps=2",
                                          "pins.1.motion.keyframes.1.translate.1=" + std::to_string(0)};
    Result<Scene> scene = parse_scene(this->scene(), "scene", "", set);
    ASSERT_TRUE(scene) << scene.error().message();
    scene->pins[1].motion.keyframes[1].translate[1] = sample.parameters[0];
    scene->materials[0].set("youngs_modulus", sample.parameters[1]);
    Result<Simulation> simulation = Simulation::create(*scene, 1);
    ASSERT_TRUE(simulation) << simulation.error().message();
    std::vector<double> positions, velocities;
    for (int64_t frame = 0; frame < simulation->frame_count(); ++frame) {
      ASSERT_TRUE(simulation->advance_frame());
      for (const Real3& x : simulation->positions()) positions.insert(positions.end(), x.begin(), x.end());
      for (const Real3& v : simulation->velocities()) velocities.insert(velocities.end(), v.begin(), v.end());
    }
    EXPECT_EQ(sample.positions, positions);
    EXPECT_EQ(sample.velocities, velocities);
  }
}

// Pressure follows the surface: its equilibrium is that of the loads where they end.
TEST_F(Samples, SettleUnderLoadsThatFollow) {
  const std::string inflated = scene(R"(, "loads": [{ "object": "bar", "pressure": 2000 }])");
  const std::vector<Sample> samples =
      made(plan_text(R"(, "samples": 3, "relative_residual": 1e-8)",
                     R"({ "p": { "path": "loads.0.pressure", "range": [10, 200] } })", inflated),
           "d");
  ASSERT_EQ(samples.size(), 3u);
  for (const Sample& sample : samples) EXPECT_EQ(sample.status, SampleStatus::converged) << sample.reason;
  const Result<DatasetVerdict> verdict = verify_dataset(folder() / "d");
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->faults.empty()) << verdict->faults[0].message();
  EXPECT_EQ(verdict->residuals, 3);
}

TEST_F(Samples, ThatNeedNothingAreThere) {
  const std::vector<Sample> samples = made(
      plan_text(R"(, "sampling": "grid", "set": ["gravity=[0, 0, 0]"])",
                R"({ "lift": { "path": "pins.1.motion.keyframes.1.translate.1", "range": [0, 0.1], "count": 3 } })"),
      "d");
  ASSERT_EQ(samples.size(), 3u);
  for (const Sample& sample : samples) EXPECT_EQ(sample.status, SampleStatus::converged) << sample.reason;
}

TEST_F(Samples, ThatFailAreKeptWithTheirReason) {
  // Too few iterations.
  std::vector<Sample> samples =
      made(plan_text(R"(, "samples": 3, "attempts": 2, "fallback": "none", "set": ["solver.iterations=1"])"), "few");
  ASSERT_EQ(samples.size(), 3u);
  for (const Sample& sample : samples) {
    EXPECT_EQ(sample.status, SampleStatus::unconverged);
    EXPECT_TRUE(says(sample.reason, "budget after 1 iterations with a residual of"));
    EXPECT_EQ(sample.attempts, 2);
    EXPECT_EQ(sample.steps, 4);
    for (const double x : sample.positions) EXPECT_TRUE(std::isfinite(x));
  }
  // Another mesh than that of the first sample.
  samples = made(plan_text(R"(, "sampling": "grid")",
                           R"({ "cells": { "path": "objects.bar.mesh.box.cells.0", "values": [8, 4] } })"),
                 "meshes");
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].status, SampleStatus::converged) << samples[0].reason;
  EXPECT_EQ(samples[1].status, SampleStatus::refused);
  EXPECT_TRUE(says(samples[1].reason, "a data set has one mesh"));
  // As many vertices, and other tets.
  samples = made(plan_text(R"(, "sampling": "grid")",
                           R"({ "split": { "path": "objects.bar.mesh.box.split", "values": [5, 6] } })"),
                 "splits");
  EXPECT_EQ(samples[1].status, SampleStatus::refused);
  EXPECT_TRUE(says(samples[1].reason, "join other vertices than those of the first sample"));
  samples = made(plan_text(R"(, "sampling": "grid", "kind": "trajectory")",
                           R"({ "duration": { "path": "time.duration", "values": [0.2, 0.1] } })"),
                 "durations");
  EXPECT_EQ(samples[1].status, SampleStatus::refused);
  EXPECT_TRUE(says(samples[1].reason, "frames"));
  const Result<DatasetState> state = dataset_state(folder() / "meshes");
  ASSERT_TRUE(state);
  EXPECT_EQ(state->failed, 1);
  ASSERT_EQ(state->failures.size(), 1u);
  EXPECT_EQ(state->failures[0].first, 1);
}

// Nor do springs, of which mesh.h5 has none, join other vertices from sample to sample.
TEST_F(Samples, ShareTheSpringsOfTheirBodies) {
  const auto sprung = [](const std::string& mesh) {
    return R"({ "sinew": 1, "name": "springs", "gravity": [0, 0, 0],
      "time": { "integrator": "quasistatic", "frame_dt": 0.05, "duration": 0.05 }, "solver": { "type": "newton" },
      "objects": { "it": { "mesh": )" +
           mesh + R"( } }, "pins": [{ "object": "it", "select": { "indices": [0, 1] } }] })";
  };
  const auto fails = [&](const std::string& parameters, const std::string& mesh, const std::string& name) {
    const std::vector<Sample> samples = made(plan_text(R"(, "table": "table.csv")", parameters, sprung(mesh)), name);
    EXPECT_EQ(samples.size(), 2u);
    if (samples.size() < 2) return false;
    EXPECT_EQ(samples[0].status, SampleStatus::converged) << samples[0].reason;
    return samples[1].status == SampleStatus::refused && says(samples[1].reason, "a data set has one mesh");
  };
  const std::string column = R"(", "column": )", mesh = R"({ "path": "objects.it.mesh.)";
  write("table.csv", "a,b\n4,3\n3,4\n");
  EXPECT_TRUE(fails(
      "{ \"a\": " + mesh + "grid.columns" + column + "\"a\" }, \"b\": " + mesh + "grid.rows" + column + "\"b\" } }",
      R"({ "grid": { "columns": 4, "rows": 3 } })", "cloth"));
  write("table.csv", "a\n2\n1\n");
  EXPECT_TRUE(fails("{ \"a\": " + mesh + "arrays.edges.4" + column + "\"a\" } }",
                    R"({ "arrays": { "vertices": [0,0,0, 1,0,0, 0,1,0, 0,0,1], "edges": [0,1, 1,2, 2,3] } })",
                    "edges"));
  write("table.csv", "a\n0\n100\n");
  EXPECT_FALSE(fails("{ \"a\": " + mesh + "grid.shear_stiffness" + column + "\"a\" } }",
                     R"({ "grid": { "columns": 4, "rows": 3 } })", "shear"));
}

// Pushed to half its length in one step the bar does not settle; in smaller ones it does. Pushed through itself it has
// inverted elements however small the steps.
TEST_F(Samples, AreTriedAgainInSmallerSteps) {
  const auto pushed = [&](const std::string& by, int attempts) {
    const std::vector<Sample> samples =
        made(plan_text(R"(, "samples": 1, "fallback": "none", "set": ["gravity=[0, 0, 0]"], "attempts": )" +
                           std::to_string(attempts),
                       R"({ "push": { "path": "pins.1.motion.keyframes.1.translate.0", "values": [)" + by + "] } }"),
             "by" + by + "-" + std::to_string(attempts));
    EXPECT_EQ(samples.size(), 1u);
    return samples.empty() ? Sample() : samples[0];
  };
  EXPECT_EQ(pushed("-0.2", 1).status, SampleStatus::unconverged);
  const Sample again = pushed("-0.2", 4);
  EXPECT_EQ(again.status, SampleStatus::converged) << again.reason;
  EXPECT_GT(again.attempts, 1);
  EXPECT_GT(again.min_j[0], 0);
  const Sample through = pushed("-0.5", 2);
  EXPECT_EQ(through.status, SampleStatus::inverted);
  EXPECT_EQ(through.attempts, 2);
  EXPECT_TRUE(says(through.reason, "inverted"));
}

TEST_F(Samples, AreFoundByNewtonsMethodInTheEnd) {
  const std::vector<Sample> samples =
      made(plan_text(R"(, "samples": 3, "attempts": 1, "set": ["solver.iterations=1"])"), "d");
  ASSERT_EQ(samples.size(), 3u);
  for (const Sample& sample : samples) {
    EXPECT_EQ(sample.status, SampleStatus::converged) << sample.reason;
    EXPECT_EQ(sample.attempts, 2);
    EXPECT_GT(sample.iterations[0], 1);
  }
  // Newton's method has no other to fall back to.
  for (const Sample& sample :
       made(plan_text(R"(, "samples": 1, "attempts": 1)"), "n", {R"(solver={"type": "newton", "iterations": 1})"}))
    EXPECT_EQ(sample.status, SampleStatus::unconverged);
}

}  // namespace
}  // namespace sinew
