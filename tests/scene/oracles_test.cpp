// Source: MATH.md section 18: whole fields of positions that an independent program computed (oracles/README.md),
// reached as a user would: scene and mesh from files, Simulation. Tolerances are that section's: 1e-8 m in double
// precision, 1e-4 of the body's size in single precision; XPBD must not reach them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "io/npy.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace sinew {
namespace {

const std::filesystem::path folder = SINEW_SOURCE_DIR "/tests/scene/oracles";

struct Model {
  const char* name;
  const char* in_files;
};
constexpr Model fcr{"fixed_corotated", "fcr"}, nh{"neo_hookean", "nh"}, snhlog{"stable_neo_hookean", "snhlog"},
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
  std::string vbd_double, vbd_single;  // how VBD reaches what the scene asks of Newton
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.scene;
}

// Statics converge slowly without acceleration. In single precision positions go on improving when the residual has
// long stopped falling, so iterations are counted.
const std::string in_double = R"("type": "vbd", "precision": "double", "check_every": 50, )";
const std::string in_single = R"("type": "vbd", "precision": "single", )";
const std::string swift = R"(, "accelerator": { "type": "chebyshev", "delay": 10 })";

const Case cant{.scene = "cant",
                .size = 0.4,
                .moments = {{1, "cant"}},
                .models = {fcr, nh, snhlog},
                .vbd_double = in_double + R"("iterations": 20000, "tolerance": 1e-10)" + swift,
                .vbd_single = in_single + R"("iterations": 10000)" + swift};
const Case stiff{.scene = "stiff",
                 .size = 0.4,
                 .moments = {{1, "stiff"}},
                 .models = {fcr, nh, snhlog, stvk, linear},
                 .vbd_double = in_double + R"("iterations": 20000, "tolerance": 1e-9)" + swift,
                 .vbd_single = in_single + R"("iterations": 20000)" + swift};
const Case be{.scene = "be",
              .size = 1,
              .moments = {{1, "be1"}, {10, "be10"}, {30, "be30"}},
              .models = {fcr, nh, snhlog},
              .vbd_double = in_double + R"("iterations": 400, "tolerance": 1e-9)",
              .vbd_single = in_single + R"("iterations": 60)"};
const Case rel{.scene = "rel",
               .size = 1,
               .moments = {{1, "rel"}},
               .models = {fcr, nh, snhlog},
               .vbd_double = in_double + R"("iterations": 1000, "tolerance": 1e-9)",
               .vbd_single = in_single + R"("iterations": 300)"};
const Case twist{.scene = "twist",
                 .size = 1,
                 .moments = {{8, "twist"}},
                 .models = {fcr, nh, snhlog},
                 .vbd_double = in_double + R"("iterations": 20000, "tolerance": 1e-7)" + swift,
                 .vbd_single = in_single + R"("iterations": 400)" + swift};

// An empty `solver` leaves the scene's own.
Simulation simulation_of(const Case& c, const Model& model, const std::string& solver = "") {
  std::vector<std::string> overrides{std::string("materials.rubber.model=") + model.name};
  if (!solver.empty()) overrides.push_back("solver={ " + solver + " }");
  const Result<Scene> scene = read_scene(folder / (std::string(c.scene) + ".json"), overrides);
  EXPECT_TRUE(scene.ok()) << scene.error().message();
  Result<Simulation> simulation = Simulation::create(*scene, 1);
  EXPECT_TRUE(simulation.ok()) << simulation.error().message();
  return std::move(*simulation);
}

// [m] The largest difference of any coordinate of any vertex from the stored field.
double distance(const Simulation& simulation, const Moment& moment, const Model& model) {
  const std::string file = std::string(moment.field) + "_" + model.in_files + ".npy";
  const std::vector<double> expected = read_npy(folder / file).value().as_doubles();
  const std::vector<Real3> x = simulation.positions();
  if (expected.size() != 3 * x.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (size_t k = 0; k < expected.size(); ++k) largest = std::max(largest, std::abs(x[k / 3][k % 3] - expected[k]));
  testing::Test::RecordProperty("distance_from_" + file, std::to_string(largest * 1e12) + "e-12");
  return largest;
}

void expect_fields(const Case& c, const std::string& solver, bool converges, double tolerance) {
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

class StoredFields : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, StoredFields, testing::Values(cant, stiff, be, rel, twist),
                         [](const auto& test) { return std::string(test.param.scene); });

TEST_P(StoredFields, NewtonReachesThem) {
  expect_fields(GetParam(), "", true, 1e-8);
}
TEST_P(StoredFields, VbdReachesThem) {
  expect_fields(GetParam(), GetParam().vbd_double, true, 1e-8);
}
TEST_P(StoredFields, VbdInSinglePrecisionComesNear) {
  expect_fields(GetParam(), GetParam().vbd_single, false, 1e-4 * GetParam().size);
}

// However long it goes on. Stable Neo-Hookean with its logarithm has no constraints for XPBD to project.
TEST(StoredFieldsByXpbd, AreNotReached) {
  for (const Model& model : {fcr, nh}) {
    SCOPED_TRACE(model.name);
    double residual_before = 0;
    for (const int iterations : {100, 1000}) {
      Simulation simulation = simulation_of(
          rel, model, R"("type": "xpbd", "precision": "double", "iterations": )" + std::to_string(iterations));
      const double start = simulation.evaluate().residual;
      ASSERT_TRUE(simulation.step().ok());
      const double residual = simulation.evaluate().residual;
      EXPECT_GT(residual, 0.2 * start);
      EXPECT_GT(distance(simulation, rel.moments[0], model), 0.01) << "100 times what single precision is allowed";
      if (iterations > 100) {
        EXPECT_NEAR(residual, residual_before, 1e-4 * start) << "no progress any more";
      }
      residual_before = residual;
    }
  }
}

}  // namespace
}  // namespace sinew
