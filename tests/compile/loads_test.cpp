// Sources: docs/theory.md, 2.2 (loads); statics (a load is balanced by the reactions); terminal velocity under drag,
// v^2 = 2 m g / (rho C_D A); small strain of a body under uniform pressure, -p (1 - 2 nu) / E along every axis.
#include <cmath>
#include <fstream>
#include <numbers>

#include "io/temporary_folder.h"
#include "scene/places.h"
#include "sinew/run.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

Vec3d sum_of(const std::vector<Real3>& list) {
  Vec3d sum{};
  for (const Real3& v : list) sum += to_vec(v);
  return sum;
}
void expect_near(Vec3d a, Vec3d b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}
// [N] by user vertex.
std::vector<Vec3d> forces(const CompiledScene& c) {
  std::vector<Vec3d> user;
  for (int32_t v = 0; v < c.model.order.vertex_count(); ++v)
    user.push_back(c.model.external_force(static_cast<size_t>(c.model.order.slot(UserVertex{v}))));
  return user;
}

TEST(Loads, AForceIsSharedByAreaOnFacesAndByMassElsewhere) {
  Scene scene = box_scene(2);
  const Real3 force{3, -6, 9};
  // On a face of 2 x 2 cells the centre belongs to the most triangles, and all shares sum to the force.
  scene.loads = {load_of(SceneLoad::Kind::force, force, SelectPlane{{1, 0, 0}, {1, 0, 0}})};
  CompiledScene c = compiled(scene);
  expect_near(sum_of_forces(c), to_vec(force), 1e-13);
  for (int32_t v = 0; v < c.model.order.vertex_count(); ++v) {
    const Vec3d rest = rest_of(c, v);
    const bool edge_y = rest.y == 0 || rest.y == 1, edge_z = rest.z == 0 || rest.z == 1;
    const double f = forces(c)[static_cast<size_t>(v)].z;
    if (rest.x < 1) {
      EXPECT_EQ(f, 0);
    } else if (!edge_y && !edge_z) {
      EXPECT_GT(f, 9.0 / 8);  // it belongs to more triangles than the others
    }
  }
  // On all vertices, including the inner one: by mass.
  scene.loads[0].select = SelectAll{};
  c = compiled(scene);
  double mass = 0;
  for (const double m : c.model.mass) mass += m;
  for (size_t s = 0; s < c.model.mass.size(); ++s)
    EXPECT_NEAR(c.model.external_force(s).z, 9 * c.model.mass[s] / mass, 1e-13);
  // On one vertex: the whole force.
  scene.loads[0].select = SelectIndices{{5}};
  EXPECT_NEAR(forces(compiled(scene))[5].y, -6, 1e-14);
}

TEST(Loads, AnAccelerationActsOnSolidsAndOnSpringsAsGravityDoes) {
  Scene solid = box_scene(2), springs;
  SceneObject chain;
  chain.name = "block";
  MeshChain links;
  links.links = 5;
  chain.mesh = links;
  springs.objects = {chain};
  for (Scene* scene : {&solid, &springs}) {
    scene->gravity = {1, -9.81, 0.5};
    scene->solver.options = {{"iterations", 200.0}};  // because their guesses differ
    scene->pins = {pin_of(SelectIndices{{0}})};
    Simulation by_gravity = simulation_of(*scene);
    scene->gravity = {0, 0, 0};
    scene->loads = {load_of(SceneLoad::Kind::acceleration, {1, -9.81, 0.5}, SelectAll{})};
    Simulation by_load = simulation_of(*scene);
    take(by_gravity, 20);
    take(by_load, 20);
    for (size_t v = 0; v < by_load.positions().size(); ++v)
      for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(by_load.positions()[v][k], by_gravity.positions()[v][k], 1e-4);
  }
}

TEST(Loads, ReactionsBalanceEveryKindOfLoad) {
  for (const SceneLoad::Kind kind :
       {SceneLoad::Kind::force, SceneLoad::Kind::acceleration, SceneLoad::Kind::pressure, SceneLoad::Kind::wind}) {
    for (const bool over_time : {false, true}) {
      Scene scene = box_scene(3);
      scene.time.quasistatic = true;
      scene.solver.type = "newton";
      scene.solver.options = {{"tolerance", 1e-8}};
      scene.pins = {pin_of(SelectPlane{{0, 0, 0}, {-1, 0, 0}})};
      scene.loads = {load_of(kind, {30, 20, -10}, SelectPlane{{1, 0, 0}, {1, 0, 0}})};
      SceneLoad& load = scene.loads[0];
      load.pressure = 40;
      load.wind = {.velocity = {-8, 1, 0}, .lift = 0.4};
      if (over_time) load.curve = LoadCurve{{0, 0.1}, {0, 0.5}};
      Simulation s = simulation_of(scene);
      take(s, 12);
      const double share = over_time ? 0.5 : 1;
      const Vec3d reaction = sum_of(s.reactions());
      const double tolerance = 1e-5;
      if (kind == SceneLoad::Kind::force) expect_near(reaction, -share * Vec3d{30, 20, -10}, tolerance);
      if (kind == SceneLoad::Kind::acceleration) {
        double mass = 0;
        const CompiledScene c = compiled(scene);
        for (size_t slot = 0; slot < c.model.mass.size(); ++slot)
          if (std::abs(c.model.rest[slot].x - 1) < 1e-9) mass += c.model.mass[slot];
        expect_near(reaction, (-share * mass) * Vec3d{30, 20, -10}, 1e-3 * mass);
      }
      // The face rotates and stretches by no more than the strain.
      if (kind == SceneLoad::Kind::pressure) expect_near(reaction, {share * 40, 0, 0}, 0.1);
      if (kind == SceneLoad::Kind::wind) {
        const double flow = 1.2 / 2 * 8, speed = std::sqrt(65.0), tilt = 8 / speed;
        // s = (-1, 0, 0) is inclined to the wind's direction: l = s - (s.e) e.
        const Vec3d e{-8 / speed, 1 / speed, 0}, lift = Vec3d{-1, 0, 0} - tilt * e;
        expect_near(reaction, -share * flow * (Vec3d{-8, 1, 0} + (0.4 * speed) * lift), 0.1);
      }
    }
  }
}

TEST(Loads, PressureAllAroundCompressesABodyEvenly) {
  for (const bool ball : {false, true}) {
    Scene scene = box_scene(4);
    if (ball) scene.objects[0].mesh = MeshBall{.radius = 0.5, .shells = 4};
    scene.materials[0].set("poisson_ratio", 0.25);
    scene.time.quasistatic = true;
    scene.time.frame_dt = 1;
    scene.solver.type = "newton";
    scene.solver.options = {{"tolerance", 1e-9}};
    // Held in the planes through its centre, or its lowest corner, so that it may shrink. A ball held at its centre
    // alone would turn over: within a step pressure keeps its direction, and pulls at a surface that has rotated by 180
    // degrees.
    const Real3 normals[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const ScenePin::Free free[3] = {ScenePin::Free::yz, ScenePin::Free::xz, ScenePin::Free::xy};
    for (int k = 0; k < 3; ++k) {
      const Real3& n = normals[k];
      const auto slab = [&](double half) {
        return Real3{n[0] > 0 ? half : 2 * half / 1e-9, n[1] > 0 ? half : 2 * half / 1e-9,
                     n[2] > 0 ? half : 2 * half / 1e-9};
      };
      ScenePin pin = pin_of(ball ? Selection(SelectBox{slab(-1e-9), slab(1e-9)})
                                 : Selection(SelectPlane{{0, 0, 0}, {-n[0], -n[1], -n[2]}}));
      pin.free = free[k];
      scene.pins.push_back(pin);
    }
    const double p = 100;  // relative to 1e5
    scene.loads = {load_of(SceneLoad::Kind::pressure, {}, SelectAll{})};
    scene.loads[0].pressure = p;
    Simulation s = simulation_of(scene);
    take(s, 4);
    const double strain = -p * (1 - 2 * 0.25) / 1e5;
    for (size_t v = 0; v < s.positions().size(); ++v) {
      const Vec3d rest = to_vec(s.rest_positions()[v]), x = to_vec(s.positions()[v]);
      expect_near(x - rest, strain * rest, 5e-3 * -strain);
    }
    expect_near(sum_of(s.reactions()), {}, 1e-6);  // pressure on all sides sums to zero
  }
}

TEST(Loads, PressureAndForcesInPairsKeepMomentum) {
  Scene scene = box_scene(3);
  scene.solver.options = {{"precision", std::string("double")}, {"iterations", 50.0}};
  scene.loads = {load_of(SceneLoad::Kind::pressure, {}, SelectAll{}),
                 load_of(SceneLoad::Kind::force, {500, 0, 0}, SelectPlane{{1, 0, 0}, {1, 0, 0}}),
                 load_of(SceneLoad::Kind::force, {-500, 0, 0}, SelectPlane{{0, 0, 0}, {-1, 0, 0}})};
  scene.loads[0].pressure = 5e3;
  scene.loads[0].curve = LoadCurve{{0, 0.2}, {1, 0}};
  const CompiledScene c = compiled(scene);
  Simulation s = simulation_of(scene);
  take(s, 30);
  Vec3d momentum{};
  double fastest = 0;
  for (size_t v = 0; v < s.velocities().size(); ++v) {
    const double m = c.model.mass[static_cast<size_t>(c.model.order.slot(UserVertex{static_cast<int32_t>(v)}))];
    momentum += m * to_vec(s.velocities()[v]);
    fastest = std::max(fastest, std::abs(s.velocities()[v][0]));
  }
  EXPECT_GT(fastest, 1e-3);
  expect_near(momentum, {}, 1e-9 * 1000 * fastest);
}

TEST(Loads, ABallFallsAtItsTerminalVelocity) {
  Scene scene = box_scene();
  scene.objects[0].mesh = MeshBall{.radius = 0.1, .shells = 2};
  scene.materials[0].density = 20;
  scene.gravity = {0, -9.81, 0};
  scene.time.frame_dt = 1.0 / 30;
  scene.loads = {load_of(SceneLoad::Kind::wind, {}, SelectAll{})};
  scene.loads[0].wind = {.drag = 0.5};  // in still air
  for (const char* solver : {"multilevel", "xpbd", "newton"}) {
    scene.solver.type = solver;
    if (std::string(solver) == "xpbd") scene.materials[0].model = "fixed_corotated";
    Simulation s = simulation_of(scene);
    take(s, 240);
    Vec3d v{};
    for (const Real3& each : s.velocities()) v += (1 / static_cast<double>(s.velocities().size())) * to_vec(each);
    // Computed for the polyhedron, which rotates as it falls.
    const CompiledScene c = compiled(scene);
    double mass = 0, front = 0;
    for (const double m : c.model.mass) mass += m;
    for (const Triangle& t : c.objects[0].surface) {
      const Vec3d x = rest_of(c, t[0]), n = cross(rest_of(c, t[1]) - x, rest_of(c, t[2]) - x);
      front += std::max(0.0, -n.y) / 2;
    }
    EXPECT_NEAR(v.y, -std::sqrt(2 * mass * 9.81 / (1.2 * 0.5 * front)), 0.03 * 9) << solver;
  }
}

// Loads on the vertices of a surface alone would invert elements before the first iteration.
TEST(Loads, DoNotCountInTheAdaptiveGuess) {
  for (const SceneLoad::Kind kind : {SceneLoad::Kind::traction, SceneLoad::Kind::pressure}) {
    const auto hash = [&](const char* guess) {
      Scene scene = box_scene(3);
      scene.loads = {load_of(kind, {0, -2e4, 0}, SelectAll{})};
      scene.loads[0].pressure = 2e4;
      scene.solver.options = {{"initial_guess", std::string(guess)}};
      Simulation s = simulation_of(scene);
      take(s, 5);
      EXPECT_EQ(s.evaluate().inverted, 0);
      return s.hash();
    };
    EXPECT_EQ(hash("adaptive"), hash("inertia"));
  }
}

TEST(Loads, ACurveTellsHowALoadChanges) {
  for (const SceneLoad::Kind kind : {SceneLoad::Kind::body_force, SceneLoad::Kind::traction, SceneLoad::Kind::force}) {
    Scene scene = box_scene();
    scene.loads = {load_of(kind, {0, 8, 0}, SelectAll{})};
    const CompiledScene constant = compiled(scene);
    EXPECT_TRUE(constant.loads.empty());
    scene.loads[0].curve = LoadCurve{{1, 2}, {1, 3}};
    const CompiledScene c = compiled(scene);
    ASSERT_EQ(c.loads.size(), 1u);
    std::vector<Vec3d> force(c.model.mass.size());
    add_loads(c.loads, {1.5, 0.01, c.start.x, c.start.v, c.model.mass}, force);
    for (size_t s = 0; s < force.size(); ++s) EXPECT_NEAR(force[s].y, 2 * constant.model.external_force(s).y, 1e-12);
  }
}

TEST(Loads, ALoadThatStopsLeavesABodyThatFliesOn) {
  Scene scene = box_scene(1);
  scene.time.frame_dt = 0.01;
  scene.loads = {load_of(SceneLoad::Kind::acceleration, {2, 0, 0}, SelectAll{})};
  scene.loads[0].curve = LoadCurve{{0.5, 0.5 + 1e-9}, {1, 0}};
  Simulation s = simulation_of(scene);
  take(s, 100);
  for (const Real3& v : s.velocities()) EXPECT_NEAR(v[0], 1, 1e-4);
}

TEST(Loads, SolversOfEveryFamilyFeelThem) {
  const auto end = [](const char* solver) {
    Scene scene = box_scene(2);
    scene.materials[0].model = "fixed_corotated";
    scene.solver.type = solver;
    scene.solver.options = {{"iterations", 200.0}};
    scene.pins = {pin_of(SelectPlane{{0, 0, 0}, {-1, 0, 0}})};
    scene.loads = {load_of(SceneLoad::Kind::pressure, {}, SelectPlane{{0, 1, 0}, {0, 1, 0}}),
                   load_of(SceneLoad::Kind::wind, {}, SelectAll{})};
    scene.loads[0].pressure = 800;
    scene.loads[0].curve = LoadCurve{{0, 0.1}, {0, 1}};
    scene.loads[1].wind.velocity = {0, 0, 15};
    scene.time.frame_dt = 0.01;
    Simulation s = simulation_of(scene);
    take(s, 20);
    return s.positions();
  };
  const std::vector<Real3> exact = end("newton");
  EXPECT_LT(exact.back()[1], 0.99);   // pressed down
  EXPECT_GT(exact.back()[2], 1.001);  // and blown aside
  for (const char* solver : {"multilevel", "vbd", "pbng", "fp_pxpbd", "quasi_newton", "block_jacobi"}) {
    const std::vector<Real3> x = end(solver);
    for (size_t v = 0; v < x.size(); ++v)
      for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(x[v][k], exact[v][k], 2e-4) << solver;
  }
}

class LoadsInRuns : public TemporaryFolder {};

TEST_F(LoadsInRuns, AResumedRunHasTheSameBits) {
  Scene scene = box_scene(2);
  scene.pins = {pin_of(SelectPlane{{0, 0, 0}, {-1, 0, 0}})};
  scene.pins[0].free = ScenePin::Free::yz;
  scene.loads = {load_of(SceneLoad::Kind::pressure, {}, SelectAll{}), load_of(SceneLoad::Kind::wind, {}, SelectAll{}),
                 load_of(SceneLoad::Kind::force, {5, 50, 0}, SelectIndices{{3, 7}})};
  scene.loads[0].pressure = 2e3;
  scene.loads[1].wind.velocity = {0, 0, 9};
  scene.loads[2].curve = LoadCurve{{0, 1}, {0, 1}};
  scene.time.duration = 10 * scene.time.frame_dt;
  const auto run = [&](const char* name, std::optional<int64_t> frames, bool resume, int threads) {
    RunOptions options;
    options.folder = folder() / name;
    options.frames = frames;
    options.resume = resume;
    options.threads = threads;
    const Result<RunOutcome> outcome = run_scene(scene, options, {});
    EXPECT_TRUE(outcome.ok()) << outcome.error().message();
    return outcome ? outcome->hash : 0;
  };
  const uint64_t whole = run("whole", {}, false, 1);
  run("parts", 4, false, 2);
  EXPECT_EQ(run("parts", {}, true, 3), whole);
  // Other faces are another scene, even with the same text.
  scene.loads[0].select = SelectPlane{{1, 0, 0}, {1, 0, 0}};
  RunOptions options;
  options.folder = folder() / "parts";
  options.resume = true;
  EXPECT_FALSE(run_scene(scene, options, {}).ok());
}

TEST(Loads, WhatCannotActIsRefused) {
  const auto error = [](SceneLoad load, SceneMesh mesh = MeshBox{.cells = {2, 2, 2}}) {
    Scene scene = box_scene();
    scene.objects[0].mesh = std::move(mesh);
    if (!std::holds_alternative<MeshBox>(scene.objects[0].mesh) &&
        !std::holds_alternative<MeshRectangle>(scene.objects[0].mesh))
      scene.objects[0].material = "";
    scene.loads = {std::move(load)};
    return error_of(scene);
  };
  using Kind = SceneLoad::Kind;
  EXPECT_HAS(error(load_of(Kind::body_force, {0, 1, 0}, SelectAll{}), MeshChain{}), "which have no volume");
  EXPECT_HAS(error(load_of(Kind::body_force, {0, 1, 0}, SelectAll{}), MeshGrid{}), "use acceleration");
  EXPECT_HAS(error(load_of(Kind::wind, {}, SelectAll{}), MeshChain{}), "a chain has no faces");
  EXPECT_EQ(error(load_of(Kind::wind, {}, SelectAll{}), MeshGrid{}), "");
  EXPECT_EQ(error(load_of(Kind::force, {0, 1, 0}, SelectAll{}), MeshChain{}), "");
  EXPECT_HAS(error(load_of(Kind::pressure, {}, SelectIndices{{0, 1}})), "no face of the boundary has all");
  EXPECT_HAS(error(load_of(Kind::pressure, {}, SelectAll{}), MeshRectangle{}), "no faces to act on");
  EXPECT_HAS(error(load_of(Kind::force, {0, 0, 1}, SelectAll{}), MeshRectangle{}), "leaves its plane");
  SceneLoad load = load_of(Kind::force, {0, 1, 0}, SelectAll{});
  load.curve = LoadCurve{{0, 1}, {1}};
  EXPECT_HAS(error(load), "loads.0.curve.values: 1, but there are 2 times");
  load.curve = LoadCurve{{1, 1}, {1, 2}};
  EXPECT_HAS(error(load), "loads.0.curve.times.1");
  load = load_of(Kind::wind, {}, SelectAll{});
  load.wind.density = -1;
  EXPECT_HAS(error(load), "loads.0.wind.density");
}

TEST(Loads, AForceThatNothingBalancesHasNoEquilibrium) {
  Scene scene = box_scene();
  scene.time.quasistatic = true;
  scene.loads = {load_of(SceneLoad::Kind::force, {0, 3, 0}, SelectAll{})};
  EXPECT_HAS(error_of(scene), "forces of (0, 3, 0) N");
  scene.loads[0].curve = LoadCurve{{0, 1}, {0, 1}};
  EXPECT_HAS(error_of(scene), "forces of (0, 3, 0) N");
  scene.loads[0] = load_of(SceneLoad::Kind::pressure, {}, SelectAll{});
  scene.loads[0].pressure = 10;
  EXPECT_EQ(error_of(scene), "");
}

TEST(Loads, WindThatIsTooMuchForASheetIsToldOf) {
  Scene scene;
  SceneObject flag;
  flag.name = "block";
  flag.mesh = MeshGrid{.mass = 0.01};
  scene.objects = {flag};
  scene.loads = {load_of(SceneLoad::Kind::wind, {}, SelectAll{})};
  scene.loads[0].wind.velocity = {0, 0, 30};
  const auto warned = [&] {
    for (const std::string& w : compiled(scene).warnings)
      if (w.starts_with("loads.0.wind: in a step of")) return w;
    return std::string();
  };
  const std::string warning = warned();
  EXPECT_HAS(warning, "Take time.substeps = ");
  scene.time.substeps = std::stoi(warning.substr(warning.rfind('=') + 2));
  EXPECT_EQ(warned(), "");
}

TEST(Loads, AreReadAndWritten) {
  const std::string text = R"({
    "sinew": 1, "materials": { "m": {} }, "objects": { "b": { "mesh": { "box": {} }, "material": "m" } },
    "pins": [
      { "object": "b", "select": "all", "free": "plane", "normal": [0, 1, 1] },
      { "object": "b", "select": "all", "free": "axis", "direction": [1, 0, 1] },
      { "object": "b", "select": "all", "free": "xz" }
    ],
    "loads": [
      { "object": "b", "force": [1, 2, 3], "curve": { "times": [0, 2], "values": [0, -1] } },
      { "object": "b", "acceleration": [1, 2, 3], "curve": "constant" },
      { "object": "b", "pressure": -7 },
      { "object": "b", "wind": { "velocity": [1, 0, 0], "density": 1000, "drag": 0.4, "lift": 0.2 } }
    ]
  })";
  const Result<Scene> scene = parse_scene(text, "test", "");
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  EXPECT_EQ(scene->pins[0].free, ScenePin::Free::plane);
  EXPECT_EQ(*scene->pins[0].normal, (Real3{0, 1, 1}));
  EXPECT_EQ(*scene->pins[1].direction, (Real3{1, 0, 1}));
  EXPECT_EQ(scene->pins[2].free, ScenePin::Free::xz);
  EXPECT_EQ(scene->loads[0].curve->values, (std::vector<double>{0, -1}));
  EXPECT_FALSE(scene->loads[1].curve);
  EXPECT_EQ(scene->loads[2].pressure, -7);
  EXPECT_EQ(scene->loads[3].wind.density, 1000);
  const Result<Scene> again = parse_scene(resolved_json(*scene), "test", "");
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_EQ(*again, *scene);
}

}  // namespace
}  // namespace sinew
