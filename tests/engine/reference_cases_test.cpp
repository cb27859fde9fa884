// Source: docs/theory.md, Reference solutions, computed by an independent program (numpy, double precision) and printed
// with 7 digits; through the public interface: scene from JSON, Newton's method to convergence.
#include <gtest/gtest.h>

#include <string>

#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace sinew {
namespace {

constexpr double digits = 6e-8;  // slightly more than half of the last printed digit

// The simulation after `steps` steps of the scene of this name, with another material.
Simulation advanced(const std::string& name, const std::string& model, int steps) {
  const std::vector<std::string> overrides{"materials.rubber.model=" + model};
  const Result<Scene> scene =
      read_scene(std::string(SINEW_SOURCE_DIR "/scenes/reference_") + name + ".json", overrides);
  EXPECT_TRUE(scene.ok()) << scene.error().message();
  Result<Simulation> simulation = Simulation::create(*scene, 1);
  EXPECT_TRUE(simulation.ok()) << simulation.error().message();
  for (int k = 0; k < steps; ++k) {
    const Result<StepReport> report = simulation->step();
    EXPECT_TRUE(report.ok()) << report.error().message();
    if (!report) break;
    EXPECT_EQ(report->status, SolveStatus::converged);
  }
  return std::move(*simulation);
}
Real3 moved(const Simulation& simulation, size_t vertex) {
  const Real3 x = simulation.positions()[vertex], rest = simulation.rest_positions()[vertex];
  return {x[0] - rest[0], x[1] - rest[1], x[2] - rest[2]};
}

TEST(ReferenceCases, Cantilever) {
  const struct {
    const char* model;
    double dx, dy;
  } cases[] = {{"fixed_corotated", -0.0933533, -0.2519082},
               {"neo_hookean", -0.0942898, -0.2543410},
               {"stable_neo_hookean", -0.0938404, -0.2534061}};
  for (const auto& c : cases) {
    const Real3 tip = moved(advanced("cant", c.model, 1), 220);
    EXPECT_NEAR(tip[0], c.dx, digits) << c.model;
    EXPECT_NEAR(tip[1], c.dy, digits) << c.model;
  }
}

TEST(ReferenceCases, StiffCantilever) {
  const struct {
    const char* model;
    double dy;
  } cases[] = {{"fixed_corotated", -0.003460371},
               {"neo_hookean", -0.003460379},
               {"stable_neo_hookean", -0.003460376},
               {"stvk", -0.003460379},
               {"linear", -0.003460538}};
  for (const auto& c : cases) EXPECT_NEAR(moved(advanced("stiff", c.model, 1), 220)[1], c.dy, 6e-10) << c.model;
}

TEST(ReferenceCases, BackwardEuler) {
  const struct {
    const char* model;
    double dy_10, dy_30;
  } cases[] = {{"fixed_corotated", -0.05431912, -0.38755381},
               {"neo_hookean", -0.05431926, -0.38928216},
               {"stable_neo_hookean", -0.05431926, -0.38866491}};
  for (const auto& c : cases) {
    Simulation simulation = advanced("be", c.model, 1);
    EXPECT_NEAR(moved(simulation, 368)[1], -9.800112e-4, 6e-11) << c.model;
    for (int k = 1; k < 10; ++k) ASSERT_TRUE(simulation.step().ok());
    EXPECT_NEAR(moved(simulation, 368)[1], c.dy_10, 6e-9) << c.model;
    for (int k = 10; k < 30; ++k) ASSERT_TRUE(simulation.step().ok());
    EXPECT_NEAR(moved(simulation, 368)[1], c.dy_30, 6e-9) << c.model;
  }
}

TEST(ReferenceCases, OneLargeStep) {
  const struct {
    const char* model;
    double x, y;
  } cases[] = {{"fixed_corotated", 1.2013631, 0.4892007},
               {"neo_hookean", 1.2039893, 0.4891849},
               {"stable_neo_hookean", 1.2030557, 0.4891906}};
  for (const auto& c : cases) {
    const Real3 x = advanced("rel", c.model, 1).positions()[368];
    EXPECT_NEAR(x[0], c.x, digits) << c.model;
    EXPECT_NEAR(x[1], c.y, digits) << c.model;
  }
}

TEST(ReferenceCases, Twist) {
  const struct {
    const char* model;
    double force, torque;
  } cases[] = {{"fixed_corotated", 47654.095, 9067.868},
               {"neo_hookean", 40043.276, 7780.240},
               {"stable_neo_hookean", 43124.495, 8324.882}};
  for (const auto& c : cases) {
    const Simulation simulation = advanced("twist", c.model, 8);
    const std::vector<Real3> rest = simulation.rest_positions(), x = simulation.positions(), f = simulation.reactions();
    double force = 0, torque = 0;
    for (size_t v = 0; v < x.size(); ++v) {
      if (rest[v][0] < 1) continue;
      force += f[v][0];
      torque += (x[v][1] - 0.5) * f[v][2] - (x[v][2] - 0.5) * f[v][1];
    }
    EXPECT_NEAR(force, c.force, 6e-4) << c.model;
    EXPECT_NEAR(torque, c.torque, 6e-4) << c.model;
  }
}

}  // namespace
}  // namespace sinew
