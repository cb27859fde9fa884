// Sources: docs/theory.md, 2.2 (vertices that glide); the homogeneous deformation of a bar of fixed corotated material
// under a force at its end, 2 mu (s - 1) + lambda (s t^2 - 1) t^2 = T and 2 mu (t - 1) + lambda (s t^2 - 1) s t = 0,
// which linear tets represent exactly.
#include <cmath>

#include "math/rotation.h"
#include "scene/methods.h"
#include "scene/places.h"
#include "solver/solver_list.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

constexpr double youngs = 1e5, poisson = 0.3, pull = 2e4;  // [Pa], [-], [N] on 1 m^2

struct Stretches {
  double along = 1, across = 1;
};
Stretches stretched_by(double force) {
  const double mu = youngs / (2 * (1 + poisson)), lambda = youngs * poisson / ((1 + poisson) * (1 - 2 * poisson));
  Stretches s;
  for (int k = 0; k < 50; ++k) {
    const auto residual = [&](double a, double t) {
      return std::pair{2 * mu * (a - 1) + lambda * (a * t * t - 1) * t * t - force,
                       2 * mu * (t - 1) + lambda * (a * t * t - 1) * a * t};
    };
    const double e = 1e-6;
    const auto [f, g] = residual(s.along, s.across);
    const auto [fa, ga] = residual(s.along + e, s.across);
    const auto [ft, gt] = residual(s.along, s.across + e);
    const double a = (fa - f) / e, b = (ft - f) / e, c = (ga - g) / e, d = (gt - g) / e, det = a * d - b * c;
    s.along -= (d * f - b * g) / det;
    s.across -= (a * g - c * f) / det;
  }
  return s;
}

SelectIndices at_face(const Scene& box, int axis, double place) {
  const CompiledScene c = compiled(box);
  SelectIndices chosen;
  for (int32_t v = 0; v < c.objects[0].last_vertex; ++v) {
    const Vec3d x = rest_of(c, v);
    const double at[3] = {x.x, x.y, x.z};
    if (std::abs(at[axis] - place) < 1e-9) chosen.indices.push_back(v);
  }
  return chosen;
}

// An eighth of a block that is pulled at both ends, cut by its three planes of symmetry and rotated about a general
// axis.
struct Octant {
  Mat3d turn;
  Scene scene;

  Octant(const std::string& solver, bool quasistatic, double degrees = 40, int cells = 3) {
    scene = box_scene(cells);
    scene.materials[0].model = "fixed_corotated";
    scene.materials[0].set("youngs_modulus", youngs);
    scene.materials[0].set("poisson_ratio", poisson);
    scene.materials[0].density = 100;
    scene.time.quasistatic = quasistatic;
    scene.solver.type = solver;
    const Scene straight = scene;
    scene.objects[0].transform.rotation_axis = {1, 2, 3};
    scene.objects[0].transform.rotation_degrees = degrees;
    turn = rotation({1, 2, 3}, degrees);
    const auto real = [](Vec3d v) { return Real3{v.x, v.y, v.z}; };
    const Vec3d normals[3] = {turn.c0, turn.c1, turn.c2};
    for (int axis = 0; axis < 3; ++axis) {
      ScenePin pin = pin_of(at_face(straight, axis, 0));
      pin.free = ScenePin::Free::plane;
      pin.normal = real(normals[axis]);
      scene.pins.push_back(pin);
    }
    scene.loads = {load_of(SceneLoad::Kind::force, real(pull * turn.c0), at_face(straight, 0, 1))};
  }
  void option(const char* name, OptionScalar value) { scene.solver.options.push_back({name, std::move(value)}); }
  // The largest distance of a vertex from its exact position.
  double error(const std::vector<Real3>& rest, const std::vector<Real3>& x) const {
    const Stretches s = stretched_by(pull);
    double worst = 0;
    for (size_t v = 0; v < x.size(); ++v) {
      const Vec3d local = transpose(turn) * to_vec(rest[v]);
      const Vec3d d = to_vec(x[v]) - turn * Vec3d{s.along * local.x, s.across * local.y, s.across * local.z};
      worst = std::max(worst, std::sqrt(dot(d, d)));
    }
    return worst;
  }
};

// The solvers whose results depend on moduli: without them, as without fibres, a body only returns to its shape.
std::vector<std::string> methods(bool quasistatic) {
  std::vector<std::string> names;
  for (const SolverInfo& info : solver_list()) {
    if (info.traits.fibres && (quasistatic ? info.traits.quasistatic : info.traits.dynamic))
      names.emplace_back(info.name);
  }
  return names;
}

// These have an error that shrinks with the square of the (pseudo-)step.
bool stagnates(const std::string& name) {
  return !find_solver(name)->traits.converges;
}

TEST(Glide, EverySolverFindsTheEquilibriumBetweenThreePlanesOfSymmetry) {
  for (const std::string& name : methods(true)) {
    Octant octant(name, true);
    octant.option("iterations", 40000.0);
    octant.option("tolerance", 1e-5 * pull);
    if (find_solver(name)->traits.single_precision) octant.option("precision", std::string("double"));
    if (stagnates(name)) {
      octant.option("pseudo_step", 1.0 / 480);
      octant.option("local_iterations", 10.0);
    }
    Simulation s = simulation_of(octant.scene);
    take(s, 1);
    EXPECT_LT(octant.error(s.rest_positions(), s.positions()), stagnates(name) ? 4e-3 : 1e-4) << name;
  }
}

TEST(Glide, EverySolverComesToRestBetweenThreePlanesOfSymmetry) {
  for (const std::string& name : methods(false)) {
    Octant octant(name, false, 40, 2);
    if (stagnates(name)) octant.scene.time.substeps = 6;
    octant.option("iterations", stagnates(name) ? 20.0 : 400.0);
    if (!stagnates(name)) octant.option("tolerance", 1e-3 * pull);
    Simulation s = simulation_of(octant.scene);
    take(s, 90 * octant.scene.time.substeps);
    EXPECT_LT(octant.error(s.rest_positions(), s.positions()), stagnates(name) ? 1e-2 : 1e-3) << name;
  }
}

// The same step by every solver that solves it exactly.
TEST(Glide, EverySolverTakesTheStepsThatNewtonsMethodTakes) {
  const auto after_steps = [](const std::string& name, bool single, double damping) {
    Octant octant(name, false, 40, 2);
    octant.scene.materials[0].damping = damping;
    octant.scene.time.frame_dt = 0.01;
    octant.scene.gravity = {3, -5, 2};
    octant.scene.up = UpAxis::y;
    octant.option("iterations", 4000);
    octant.option("tolerance", 1e-7 * pull);
    if (!single && find_solver(name)->traits.single_precision) octant.option("precision", std::string("double"));
    Simulation s = simulation_of(octant.scene);
    take(s, 5);
    return s.positions();
  };
  for (const double damping : {0.0, 0.02}) {
    const std::vector<Real3> exact = after_steps(reference_solver().name, false, damping);
    for (const std::string& name : methods(false)) {
      if (stagnates(name) || (damping > 0 && !find_solver(name)->traits.damping)) continue;
      for (const bool single : {false, true}) {
        if (single && !find_solver(name)->traits.single_precision) continue;
        const std::vector<Real3> x = after_steps(name, single, damping);
        double worst = 0;
        for (size_t v = 0; v < x.size(); ++v)
          for (size_t k = 0; k < 3; ++k) worst = std::max(worst, std::abs(x[v][k] - exact[v][k]));
        EXPECT_LT(worst, single ? 2e-5 : 1e-6)
            << name << ", damping " << damping << (single ? " in single precision" : "");
      }
    }
  }
}

TEST(Glide, VerticesStayInTheirPlanesToTheLastDigitsUnderEverySolver) {
  for (const SolverInfo& info : solver_list()) {
    Octant octant(info.name, !info.traits.dynamic, 40, 2);
    for (double& f : octant.scene.loads[0].value) f *= 0.05;
    Simulation s = simulation_of(octant.scene);
    take(s, 3);
    const std::vector<Real3> rest = s.rest_positions(), x = s.positions();
    double moved = 0;
    for (const ScenePin& pin : octant.scene.pins) {
      const Vec3d n = to_vec(*pin.normal);
      for (const int64_t v : std::get<SelectIndices>(pin.select).indices) {
        const Vec3d d = to_vec(x[static_cast<size_t>(v)]) - to_vec(rest[static_cast<size_t>(v)]);
        EXPECT_NEAR(dot(n, d), 0, 1e-14) << info.name;
        moved = std::max(moved, std::sqrt(dot(d, d)));
      }
    }
    EXPECT_GT(moved, 1e-5) << info.name;  // vertices do glide
  }
}

TEST(Glide, ReactionsActAcrossThePlanesAndBalanceTheLoad) {
  Octant octant("newton", true);
  octant.option("tolerance", 1e-9);
  Simulation s = simulation_of(octant.scene);
  take(s, 1);
  const std::vector<Real3> reactions = s.reactions();
  Vec3d sum{};
  for (const Real3& r : reactions) sum += to_vec(r);
  const Vec3d expected = -pull * octant.turn.c0;
  EXPECT_NEAR(sum.x, expected.x, 1e-6);
  EXPECT_NEAR(sum.y, expected.y, 1e-6);
  EXPECT_NEAR(sum.z, expected.z, 1e-6);
  // A vertex in one plane only is held across it; the other pins exert nothing on it.
  std::vector<int> planes(reactions.size());
  for (const ScenePin& pin : octant.scene.pins)
    for (const int64_t v : std::get<SelectIndices>(pin.select).indices) ++planes[static_cast<size_t>(v)];
  const Vec3d n = octant.turn.c1;
  for (const int64_t v : std::get<SelectIndices>(octant.scene.pins[1].select).indices) {
    if (planes[static_cast<size_t>(v)] != 1) continue;
    const Vec3d r = to_vec(reactions[static_cast<size_t>(v)]), across = r - dot(n, r) * n;
    EXPECT_NEAR(dot(across, across), 0, 1e-16);
  }
}

TEST(Glide, AWordForAxesOfTheWorldIsThePlaneOrTheAxis) {
  const auto hash = [](const ScenePin& how, std::optional<double> tilt) {
    Scene scene = box_scene();
    scene.gravity = {1, -9.81, 2};
    ScenePin pin = pin_of(SelectPlane{{0, 0, 0}, {-1, 0, 0}});
    pin.free = how.free;
    pin.normal = how.normal;
    pin.direction = how.direction;
    if (tilt) pin.normal = Real3{1, *tilt, 0};
    scene.pins = {pin};
    Simulation s = simulation_of(scene);
    take(s, 4);
    return s.hash();
  };
  using Free = ScenePin::Free;
  const auto pin = [](Free free, std::optional<Real3> normal = {}, std::optional<Real3> direction = {}) {
    ScenePin p;
    p.free = free;
    p.normal = normal;
    p.direction = direction;
    return p;
  };
  EXPECT_EQ(hash(pin(Free::yz), {}), hash(pin(Free::plane, Real3{2, 0, 0}), {}));
  EXPECT_EQ(hash(pin(Free::xz), {}), hash(pin(Free::plane, Real3{0, -1, 0}), {}));
  EXPECT_EQ(hash(pin(Free::xy), {}), hash(pin(Free::plane, Real3{0, 0, 3}), {}));
  EXPECT_NE(hash(pin(Free::yz), {}), hash(pin(Free::plane), 0.1));
  EXPECT_EQ(hash(pin(Free::x), {}), hash(pin(Free::axis, {}, Real3{5, 0, 0}), {}));
  EXPECT_EQ(hash(pin(Free::y), {}), hash(pin(Free::axis, {}, Real3{0, 1, 0}), {}));
  EXPECT_EQ(hash(pin(Free::z), {}), hash(pin(Free::axis, {}, Real3{0, 0, -1}), {}));
}

// A bead of a chain on a rod: along the rod the bead falls freely.
TEST(Glide, AlongItsAxisAVertexFallsFreely) {
  for (const char* solver : {"multilevel", "vbd", "newton", "xpbd", "pbd", "quasi_newton", "fp_pxpbd"}) {
    Scene scene;
    SceneObject bead;
    bead.name = "bead";
    MeshChain chain;
    chain.links = 1;
    chain.spacing = 1;
    chain.stiffness = 1e3;
    bead.mesh = chain;
    scene.objects = {bead};
    scene.gravity = {0, -10, 0};
    scene.time.frame_dt = 0.01;
    scene.solver.type = solver;
    scene.solver.options = {{"iterations", 200.0}};
    ScenePin pin = pin_of(SelectAll{}, "bead");
    pin.free = ScenePin::Free::axis;
    pin.direction = Real3{3, 4, 0};
    scene.pins = {pin};
    Simulation s = simulation_of(scene);
    take(s, 10);
    const double fallen = 10 * 0.8 * 0.01 * 0.01 * 55;  // backward Euler: h^2 g (1 + ... + 10)
    for (size_t v = 0; v < 2; ++v) {
      EXPECT_NEAR(s.positions()[v][0] - s.rest_positions()[v][0], -0.6 * fallen, 1e-5) << solver;
      EXPECT_NEAR(s.positions()[v][1] - s.rest_positions()[v][1], -0.8 * fallen, 1e-5) << solver;
    }
  }
}

// A platen that presses a block down, on which the block spreads: the motion acts in the held directions.
TEST(Glide, AMovingPlaneCarriesItsVerticesAndLetsThemSpread) {
  for (const char* solver : {"multilevel", "newton", "xpbd", "quasi_newton"}) {
    Scene scene = box_scene(3);
    scene.materials[0].model = "fixed_corotated";
    scene.materials[0].set("poisson_ratio", 0.4);
    scene.solver.type = solver;
    scene.solver.options = {{"iterations", 100.0}};
    ScenePin below = pin_of(SelectPlane{{0, 0, 0}, {0, -1, 0}}), above = pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}});
    below.free = above.free = ScenePin::Free::xz;
    above.motion.keyframes = {{.time = 0}, {.time = 0.5, .translate = {7, -0.2, 0}}};  // 7 m along x have no effect
    scene.pins = {below, above, pin_of(SelectIndices{{0}})};
    Simulation s = simulation_of(scene);
    take(s, 120);
    double widest = 0;
    for (size_t v = 0; v < s.positions().size(); ++v) {
      const Real3 rest = s.rest_positions()[v], x = s.positions()[v];
      EXPECT_NEAR(x[1], rest[1] * 0.8, rest[1] == 0 || rest[1] == 1 ? 1e-14 : 0.05) << solver;
      widest = std::max(widest, x[0]);
    }
    EXPECT_GT(widest, 1.05) << solver;
    EXPECT_LT(widest, 1.3) << solver;
  }
}

TEST(Glide, SameBitsForAnyNumberOfThreadsAndMoreThanOneCluster) {
  for (const char* solver :
       {"multilevel", "vbd", "pbng", "xpbd", "fp_pxpbd", "newton", "quasi_newton", "block_jacobi"}) {
    for (const int cluster : {0, 100}) {
      Octant octant(solver, false, 40, 6);
      octant.scene.solver.cluster_vertices = cluster;
      octant.scene.loads.push_back(load_of(SceneLoad::Kind::pressure, {}, SelectAll{}));
      octant.scene.loads.back().pressure = 3e3;
      Simulation one = simulation_of(octant.scene, 1), four = simulation_of(octant.scene, 4);
      take(one, 2);
      take(four, 2);
      EXPECT_EQ(one.hash(), four.hash()) << solver;
    }
  }
}

// Sweeps lane by lane agree with those of all lane widths, in each layout.
TEST(Glide, LanesAgreeWithOneLane) {
  for (const char* model : {"neo_hookean", "fixed_corotated", "stvk"}) {
    std::vector<Real3> first;
    for (const double lanes : {1.0, 0.0}) {
      for (const char* layout : {"frames", "links"}) {
        Octant octant("vbd", false, 40, 4);
        octant.scene.materials[0].model = model;
        octant.option("lanes", lanes);
        octant.option("layout", std::string(layout));
        octant.option("precision", std::string("double"));
        Simulation s = simulation_of(octant.scene);
        take(s, 3);
        if (first.empty()) first = s.positions();
        for (size_t v = 0; v < first.size(); ++v)
          for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(s.positions()[v][k], first[v][k], 1e-11) << model;
      }
    }
  }
}

TEST(Glide, CorrectionsOnTheLatticeGlideToo) {
  // Planes of symmetry need as few iterations as the whole body.
  Octant octant("multilevel", true, 40, 12);
  octant.option("iterations", 60.0);
  octant.option("relative_tolerance", 1e-4);
  Result<Simulation> s = Simulation::create(octant.scene, 2);
  ASSERT_TRUE(s.ok());
  const Result<StepReport> report = s->step();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->status, SolveStatus::converged);
  EXPECT_LT(octant.error(s->rest_positions(), s->positions()), 1e-3);
}

// The lattice's matrix includes the damping of tets that glide: without it, corrections of bodies that are damped far
// more than they are stiff would be many times too long.
TEST(Glide, CorrectionsOfDampedBodiesConvergeAsFast) {
  const auto iterations = [](double damping) {
    Octant octant("multilevel", false, 40, 10);
    octant.scene.time.frame_dt = 0.01;
    octant.scene.materials[0].set("youngs_modulus", 1e6);
    octant.scene.materials[0].damping = damping;
    octant.option("corrections", std::string("always"));
    octant.option("iterations", 100.0);
    octant.option("relative_tolerance", 1e-4);
    Simulation s = simulation_of(octant.scene);
    int count = 0;
    for (int k = 0; k < 4; ++k) {
      const Result<StepReport> report = s.step();
      EXPECT_TRUE(report.ok());
      if (report.ok()) count += report->iterations;
    }
    return count;
  };
  const int undamped = iterations(0);
  EXPECT_LT(iterations(0.2), 2 * undamped) << undamped;
}

TEST(Glide, PinsThatGlideAreChecked) {
  const auto error = [](const std::function<void(ScenePin&)>& change, bool plane = false) {
    Scene scene = box_scene();
    if (plane) scene.objects[0].mesh = MeshRectangle{};
    scene.pins = {pin_of(SelectAll{})};
    change(scene.pins[0]);
    return error_of(scene);
  };
  EXPECT_HAS(error([](ScenePin& p) { p.free = ScenePin::Free::plane; }), "pins.0.normal: missing");
  EXPECT_HAS(error([](ScenePin& p) { p.free = ScenePin::Free::axis; }), "pins.0.direction: missing");
  EXPECT_HAS(error([](ScenePin& p) { p.normal = Real3{0, 1, 0}; }), "goes with free = \"plane\" only");
  EXPECT_HAS(error([](ScenePin& p) { p.direction = Real3{0, 1, 0}; }), "goes with free = \"axis\" only");
  EXPECT_HAS(error([](ScenePin& p) {
               p.free = ScenePin::Free::plane;
               p.normal = Real3{};
             }),
             "has no direction");
  EXPECT_HAS(error(
                 [](ScenePin& p) {
                   p.free = ScenePin::Free::plane;
                   p.normal = Real3{1, 0, 1};
                 },
                 true),
             "leaves the plane of the object");
}

TEST(Glide, WhatMayGlideAwayHasNoEquilibrium) {
  Scene scene = box_scene();
  scene.time.quasistatic = true;
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectPlane{{0, 0, 0}, {-1, 0, 0}})};
  scene.pins[0].free = ScenePin::Free::yz;
  EXPECT_HAS(error_of(scene), "its pins let the part with vertex 0 glide");
  scene.pins.push_back(pin_of(SelectPlane{{0, 0, 0}, {0, -1, 0}}));
  scene.pins[1].free = ScenePin::Free::xz;
  EXPECT_EQ(error_of(scene), "");
}

TEST(Glide, GlidingPinsThatShareVerticesAreNoOddity) {
  const Octant octant("multilevel", true);
  for (const std::string& w : compiled(octant.scene).warnings) EXPECT_EQ(w.find("shares"), std::string::npos) << w;
}

TEST(Glide, PlaneBodiesGlideInTheirPlane) {
  Scene scene = box_scene();
  scene.objects[0].mesh = MeshRectangle{.cells_x = 4, .cells_y = 4};
  scene.gravity = {2, -9.81, 0};
  scene.pins = {pin_of(SelectPlane{{0, 0, 0}, {0, -1, 0}})};
  scene.pins[0].free = ScenePin::Free::xz;
  for (const char* solver : {"multilevel", "vbd", "newton", "quasi_newton", "fp_pxpbd"}) {
    scene.solver.type = solver;
    scene.solver.options = {{"iterations", 100.0}};
    Simulation s = simulation_of(scene);
    take(s, 10);
    // The mean motion along x: backward Euler's h^2 a (1 + ... + 10).
    double mean = 0;
    for (size_t v = 0; v < s.positions().size(); ++v) {
      mean += (s.positions()[v][0] - s.rest_positions()[v][0]) / static_cast<double>(s.positions().size());
      EXPECT_EQ(s.positions()[v][2], 0);
      if (s.rest_positions()[v][1] == 0) {
        EXPECT_EQ(s.positions()[v][1], 0);
      }
    }
    EXPECT_NEAR(mean, 2 / 3600.0 * 55, 2e-3) << solver;
  }
}

}  // namespace
}  // namespace sinew
