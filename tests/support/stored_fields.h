// Fields of positions that an independent program computed (oracles/README.md), and how far from them a scene ends.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "files/read_file.h"
#include "io/npy.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace sinew::stored {

inline const std::filesystem::path folder = SINEW_SOURCE_DIR "/tests/engine/oracles";

struct Model {
  const char* name;
  const char* in_files;
};
inline constexpr Model fcr{"fixed_corotated", "fcr"}, nh{"neo_hookean", "nh"}, snhlog{"stable_neo_hookean", "snhlog"},
    stvk{"stvk", "stvk"}, linear{"linear", "lin"};

// A field that was stored, and the step whose end it is.
struct Moment {
  int64_t step;
  const char* field;
};

struct Case {
  const char* scene;
  double size;  // [m]
  std::vector<Moment> moments;
  std::vector<Model> models;
};

inline const Case cant{.scene = "cant", .size = 0.4, .moments = {{1, "cant"}}, .models = {fcr, nh, snhlog}};
inline const Case stiff{
    .scene = "stiff", .size = 0.4, .moments = {{1, "stiff"}}, .models = {fcr, nh, snhlog, stvk, linear}};
inline const Case be{
    .scene = "be", .size = 1, .moments = {{1, "be1"}, {10, "be10"}, {30, "be30"}}, .models = {fcr, nh, snhlog}};
inline const Case rel{.scene = "rel", .size = 1, .moments = {{1, "rel"}}, .models = {fcr, nh, snhlog}};
inline const Case twist{.scene = "twist", .size = 1, .moments = {{8, "twist"}}, .models = {fcr, nh, snhlog}};

// An empty `solver` leaves the scene's own.
inline Simulation simulation_of(const Case& c, const Model& model, const std::string& solver = "") {
  std::vector<std::string> overrides{std::string("materials.rubber.model=") + model.name};
  if (!solver.empty()) overrides.push_back("solver={ " + solver + " }");
  const Result<Scene> scene = read_scene(folder / (std::string(c.scene) + ".json"), overrides);
  EXPECT_TRUE(scene.ok()) << scene.error().message();
  Result<Simulation> simulation = Simulation::create(*scene, 1);
  EXPECT_TRUE(simulation.ok()) << simulation.error().message();
  return std::move(*simulation);
}

// [m] The largest difference of any coordinate of any vertex from the stored field.
inline double distance(const Simulation& simulation, const Moment& moment, const Model& model) {
  const std::string file = std::string(moment.field) + "_" + model.in_files + ".npy";
  const std::vector<double> expected = parse_npy(read_file(folder / file).value(), file).value().as_doubles();
  const std::vector<Real3> x = simulation.positions();
  if (expected.size() != 3 * x.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (size_t k = 0; k < expected.size(); ++k) largest = std::max(largest, std::abs(x[k / 3][k % 3] - expected[k]));
  testing::Test::RecordProperty("distance_from_" + file, std::to_string(largest * 1e12) + "e-12");
  return largest;
}

inline void expect_fields(const Case& c, const std::string& solver, bool converges, double tolerance) {
  for (const Model& model : c.models) {
    Simulation simulation = simulation_of(c, model, solver);
    for (const Moment& moment : c.moments) {
      while (simulation.steps_taken() < moment.step) {
        const Result<StepReport> report = simulation.step();
        ASSERT_TRUE(report.ok()) << report.error().message();
        if (converges) {
          EXPECT_EQ(report->status, SolveStatus::converged) << moment.field << ' ' << model.name;
        }
      }
      EXPECT_LT(distance(simulation, moment, model), tolerance) << moment.field << ' ' << model.name;
    }
  }
}

}  // namespace sinew::stored
