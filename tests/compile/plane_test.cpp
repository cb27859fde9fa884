// Source: docs/theory.md, Elements (plane strain) and Reference solutions (sq2d, computed by an independent program):
// triangles under every solver. Tolerances: 1e-8 m in double precision, 1e-4 of the size in single precision.
#include "support/stored_fields.h"

namespace sinew {
namespace {

using namespace stored;

const Case sq2d{.scene = "sq2d", .size = 1, .moments = {{4, "sq2d"}}, .models = {fcr, nh, snhlog}};

// Nothing moves a vertex out of the plane, not even round-off.
void expect_plane(const Simulation& simulation) {
  for (const Real3& x : simulation.positions()) ASSERT_EQ(x[2], 0);
}

struct Way {
  const char* name;
  const char* solver;      // including its precision
  const char* iterations;  // sufficient number
  double tolerance;        // [m]
};
void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}
constexpr const char* swift = R"(, "accelerator": { "type": "chebyshev", "delay": 10 })";
const std::string accelerated = std::string(R"("check_every": 50, "iterations": 20000, "tolerance": 1e-10)") + swift;
const std::string single_accelerated = std::string(R"("iterations": 4000)") + swift;
const std::string plain = R"("check_every": 50, "iterations": 100000, "tolerance": 1e-9)";
const Way ways[] = {
    {"newton", R"("type": "newton")", R"("iterations": 100, "tolerance": 1e-10)", 1e-8},
    {"newton_cg", R"("type": "newton", "linear": "cg")", R"("iterations": 100, "tolerance": 1e-10)", 1e-8},
    {"quasi_newton", R"("type": "quasi_newton")", R"("iterations": 2000, "tolerance": 1e-10)", 1e-8},
    {"vbd", R"("type": "vbd", "precision": "double")", accelerated.c_str(), 1e-8},
    {"vbd_single", R"("type": "vbd", "precision": "single")", single_accelerated.c_str(), 1e-4},
    {"pbng", R"("type": "pbng", "precision": "double")", accelerated.c_str(), 1e-8},
    {"pbng_single", R"("type": "pbng", "precision": "single")", single_accelerated.c_str(), 1e-4},
    {"block_jacobi", R"("type": "block_jacobi", "precision": "double")", accelerated.c_str(), 1e-8},
    {"gradient_descent", R"("type": "gradient_descent", "precision": "double")", accelerated.c_str(), 1e-8},
    {"fp_pxpbd", R"("type": "fp_pxpbd", "precision": "double")", plain.c_str(), 1e-8},
    {"fp_pxpbd_single", R"("type": "fp_pxpbd", "precision": "single")", R"("iterations": 4000)", 1e-4}};

class PlaneStoredFields : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(All, PlaneStoredFields, testing::ValuesIn(ways),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(PlaneStoredFields, AreReached) {
  const Way way = GetParam();
  const std::string solver = std::string(way.solver) + ", " + way.iterations;
  const bool in_double = way.tolerance < 1e-6;
  expect_fields(sq2d, solver, in_double, way.tolerance);
}

TEST(PlaneStoredFields, ByBPxpbdWithTheMaterialsThatHaveConstraints) {
  Case fields = sq2d;
  fields.models = {fcr, nh};
  expect_fields(fields, R"("type": "b_pxpbd", "precision": "double", )" + plain, true, 1e-8);
}

// The reference's numbers: the middle of the upper edge, and the force that holds the right side.
TEST(Plane, SquareIsPulledToTwiceItsLength) {
  const struct {
    const Model& model;
    double dy, force;
  } cases[] = {{fcr, -0.1926617, 943.9817}, {nh, -0.1953188, 761.7782}, {snhlog, -0.1873088, 925.5666}};
  for (const auto& c : cases) {
    Simulation simulation = simulation_of(sq2d, c.model);
    for (int k = 0; k < 4; ++k) ASSERT_TRUE(simulation.step().ok());
    expect_plane(simulation);
    const std::vector<Real3> rest = simulation.rest_positions(), f = simulation.reactions();
    EXPECT_NEAR(simulation.positions()[280][1] - rest[280][1], c.dy, 6e-8) << c.model.name;
    double force = 0;
    for (size_t v = 0; v < rest.size(); ++v) force += rest[v][0] == 1 ? f[v][0] : 0;
    EXPECT_NEAR(force, c.force, 6e-5) << c.model.name;
  }
}

TEST(Plane, StartsInItsPlane) {
  const Result<Scene> scene = parse_scene(R"({ "sinew": 1, "materials": { "rubber": {} },
    "objects": { "square": { "mesh": { "rectangle": {} }, "material": "rubber", "scatter": 1 } } })",
                                          "plane", "");
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().message().find("objects.square.scatter: leaves its plane"), std::string::npos)
      << scene.error().message();
}

// A square that falls and swings under all solvers for dynamics: a large step ends in Newton's state, except under
// XPBD.
TEST(Plane, LargeStepsEndWhereNewtonsDoes) {
  const auto scene_of = [](const std::string& solver, const std::string& model) {
    return R"({ "sinew": 1, "gravity": [0, -9.8, 0], "time": { "fps": 30, "duration": 0.1 },
      "materials": { "rubber": { "model": ")" +
           model + R"(", "youngs_modulus": 1000, "density": 10 } },
      "objects": { "square": { "mesh": { "rectangle": { "cells_x": 6, "cells_y": 6 } }, "material": "rubber",
                               "stretch": [1.3, 1, 1] } },
      "pins": [{ "object": "square", "select": { "box": { "min": [0, 0, 0], "max": [0, 1, 0] } } }],
      "solver": { "precision": "double", )" +
           solver + "} }";
  };
  const auto end = [&](const std::string& solver, const std::string& model) {
    const Result<Scene> scene = parse_scene(scene_of(solver, model), "plane", "");
    EXPECT_TRUE(scene.ok()) << scene.error().message();
    Result<Simulation> simulation = Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation.ok()) << simulation.error().message();
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(simulation->step().ok());
    expect_plane(*simulation);
    return simulation->positions();
  };
  const auto apart = [](const std::vector<Real3>& a, const std::vector<Real3>& b) {
    double largest = 0;
    for (size_t k = 0; k < 3 * a.size(); ++k) largest = std::max(largest, std::abs(a[k / 3][k % 3] - b[k / 3][k % 3]));
    return largest;
  };
  for (const char* model : {"neo_hookean", "fixed_corotated", "stable_neo_hookean", "stvk", "linear"}) {
    const std::vector<Real3> newton = end(R"("type": "newton", "iterations": 100, "tolerance": 1e-11)", model);
    for (const char* name : {"vbd", "pbng", "block_jacobi", "gradient_descent", "quasi_newton", "fp_pxpbd"}) {
      const std::string solver = std::string(R"("type": ")") + name + R"(", "iterations": 4000, "tolerance": 1e-9)";
      EXPECT_LT(apart(end(solver, model), newton), 1e-8) << name << ' ' << model;
    }
    if (std::string(model) == "neo_hookean" || std::string(model) == "fixed_corotated") {
      EXPECT_LT(apart(end(R"("type": "b_pxpbd", "iterations": 4000, "tolerance": 1e-9)", model), newton), 1e-8);
      EXPECT_GT(apart(end(R"("type": "xpbd", "iterations": 1000)", model), newton), 1e-3) << model;
    }
  }
}

// In short steps XPBD's answer is the solution of the step to first order in E h^2/(density edge^2), here 4e-4, also
// with a triangle's one constraint of three strains.
TEST(Plane, XpbdOfGreenStrainIsRightInShortSteps) {
  const auto end = [&](const std::string& solver) {
    const Result<Scene> scene = parse_scene(R"({ "sinew": 1, "gravity": [0, 0, 0],
      "time": { "frame_dt": 3e-4, "duration": 1 },
      "materials": { "rubber": { "model": "stvk", "youngs_modulus": 1000, "density": 10 } },
      "objects": { "square": { "mesh": { "rectangle": { "cells_x": 6, "cells_y": 6 } }, "material": "rubber",
                               "stretch": [1.3, 1, 1] } },
      "solver": { "precision": "double", )" + solver +
                                                "} }",
                                            "plane", "");
    EXPECT_TRUE(scene.ok()) << scene.error().message();
    Result<Simulation> simulation = Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation.ok()) << simulation.error().message();
    const std::vector<Real3> start = simulation->positions();
    EXPECT_TRUE(simulation->step().ok());
    expect_plane(*simulation);
    std::vector<Real3> moved = simulation->positions();
    for (size_t k = 0; k < 3 * moved.size(); ++k) moved[k / 3][k % 3] -= start[k / 3][k % 3];
    return moved;
  };
  const std::vector<Real3> newton = end(R"("type": "newton", "iterations": 50)");
  const std::vector<Real3> xpbd = end(R"("type": "xpbd", "iterations": 200)");
  double largest = 0, apart = 0;
  for (size_t k = 0; k < 3 * newton.size(); ++k) {
    largest = std::max(largest, std::abs(newton[k / 3][k % 3]));
    apart = std::max(apart, std::abs(newton[k / 3][k % 3] - xpbd[k / 3][k % 3]));
  }
  EXPECT_GT(largest, 1e-6);
  EXPECT_LT(apart, 2e-3 * largest);
  EXPECT_GT(apart, 1e-9 * largest) << "XPBD is not Newton's method";
}

TEST(Plane, WhatLeavesThePlaneIsRefused) {
  const auto fault_of = [](const std::string& change) {
    const Result<Scene> scene = read_scene(folder / "sq2d.json", std::vector<std::string>{change});
    if (!scene) return scene.error().message();
    const Result<Simulation> simulation = Simulation::create(*scene, 1);
    return simulation.ok() ? std::string() : simulation.error().message();
  };
  const struct {
    const char *change, *place;
  } cases[] = {{"gravity=[0, -9.8, 1]", "gravity"},
               {"objects.square.velocity=[0, 0, 1]", "objects.square.velocity"},
               {"objects.square.stretch=[1, 1, 2]", "objects.square.stretch"},
               {R"(objects.square.transform={ "rotation_axis": [1, 0, 0], "rotation_degrees": 30 })",
                "objects.square.transform.rotation_axis"},
               {R"(loads=[{ "object": "square", "body_force": [0, 0, 1] }])", "loads.0"},
               {R"(loads=[{ "object": "square", "traction": [0, 1, 0] }])", "loads.0"},
               {R"(pins=[{ "object": "square", "select": "all", "motion": { "keyframes": [{ "time": 0 }, { "time": 1,
                  "translate": [0, 0, 1] }] } }])",
                "pins.0.motion"}};
  for (const auto& c : cases) {
    const std::string message = fault_of(c.change);
    EXPECT_NE(message.find(c.place), std::string::npos) << c.change << ": " << message;
  }
  const std::string turned =
      fault_of(R"(objects.square.transform={ "rotation_axis": [0, 0, 1], "rotation_degrees": 30 })");
  EXPECT_EQ(turned.find("rotation_axis"), std::string::npos) << turned;
}

}  // namespace
}  // namespace sinew
