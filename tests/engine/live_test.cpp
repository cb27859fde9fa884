// Sources: the interfaces in sinew/simulation.h and sinew/live.h. What is changed live must equal what was built so
// from the start, bit for bit if the state permits it; Newton's second law for free bodies; rays against closed forms.
#include "sinew/live.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/simulation.h"
#include "solver/solver_list.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// A block of 1 m in free flight without gravity.
Scene free_block(const char* solver = "vbd") {
  Scene scene = box_scene(2);
  scene.solver.type = solver;
  scene.time.frame_dt = 0.02;
  scene.time.duration = 1;
  return scene;
}
// The block hangs from its upper face.
Scene hung_block(const char* solver = "vbd") {
  Scene scene = free_block(solver);
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
  return scene;
}
std::vector<int32_t> all_of(const Simulation& s) {
  std::vector<int32_t> all;
  for (int32_t v = 0; v < s.vertex_count(); ++v) all.push_back(v);
  return all;
}
std::vector<int32_t> upper_face(const Simulation& s) {
  const std::vector<Real3> rest = s.rest_positions();
  std::vector<int32_t> face;
  for (size_t v = 0; v < rest.size(); ++v)
    if (rest[v][1] > 0.99) face.push_back(static_cast<int32_t>(v));
  return face;
}
TEST(Live, PinAddedAtTheStartEqualsOneOfTheScene) {
  for (const char* solver : {"vbd", "multilevel", "xpbd", "newton", "fp_pxpbd"}) {
    Simulation built = simulation_of(hung_block(solver));
    Scene without = hung_block(solver);
    without.pins.clear();
    Simulation live = simulation_of(without);
    ASSERT_TRUE(live.add_pin(upper_face(live)).ok());
    take(built, 5);
    take(live, 5);
    EXPECT_EQ(built.hash(), live.hash()) << solver;
  }
}

TEST(Live, PinsMoveByPoseAndByPlaces) {
  Scene moved = hung_block();
  moved.pins[0].motion.keyframes = {{.time = 0, .translate = {0.1, 0, 0}, .rotate_degrees = 10}};
  Simulation built = simulation_of(moved), by_pose = simulation_of(hung_block()),
             by_places = simulation_of(hung_block());
  ASSERT_TRUE(by_pose.move_pin({0}, {.translate = {0.1, 0, 0}, .rotate_degrees = 10, .center = {}}).ok());
  take(built, 3);
  take(by_pose, 3);
  EXPECT_EQ(built.hash(), by_pose.hash());

  std::vector<Real3> places;
  for (const int32_t v : upper_face(by_places)) places.push_back(built.positions()[static_cast<size_t>(v)]);
  ASSERT_TRUE(by_places.move_pin({0}, places).ok());
  take(by_places, 3);
  EXPECT_EQ(built.hash(), by_places.hash());
}

TEST(Live, RemovedPinLetsGo) {
  Simulation s = simulation_of(hung_block());
  take(s, 3);
  ASSERT_TRUE(s.remove_pin({0}).ok());
  const std::vector<Real3> before = s.positions();
  take(s, 10);
  // Free fall of the centre of mass from its state at that time: y = v t - g t^2/2, in steps -g h^2 n (n + 1)/2.
  const std::vector<double> mass = s.masses();
  double down = 0, whole = 0;
  for (size_t v = 0; v < mass.size(); ++v) {
    down += mass[v] * (s.positions()[v][1] - before[v][1]);
    whole += mass[v];
  }
  EXPECT_LT(down / whole, -0.9 * 9.81 * 0.02 * 0.02 * 55);
  EXPECT_REFUSED(s.move_pin({0}, PinPose()), "was removed");
  EXPECT_REFUSED(s.remove_pin({7}), "there is no such pin");
}

// A total force of m a gives every vertex the acceleration a: after n steps of backward Euler h^2 a n (n + 1)/2.
TEST(Live, ForceAccelerates) {
  Simulation s = simulation_of(free_block("newton"));
  double whole = 0;
  for (const double m : s.masses()) whole += m;
  EXPECT_NEAR(whole, 1000, 1e-9);
  const Result<ForceHandle> force = s.add_force(all_of(s), {2 * whole, 0, 0});
  ASSERT_TRUE(force.ok());
  take(s, 5);
  const double far = 0.02 * 0.02 * 2 * 15;
  for (int32_t v = 0; v < s.vertex_count(); ++v)
    EXPECT_NEAR(s.positions()[static_cast<size_t>(v)][0] - s.rest_positions()[static_cast<size_t>(v)][0], far, 1e-9);
  ASSERT_TRUE(s.remove_force(*force).ok());
  take(s, 5);
  const double coasted = far + 5 * 0.02 * (5 * 0.02 * 2);
  EXPECT_NEAR(s.positions()[0][0] - s.rest_positions()[0][0], coasted, 1e-9);
  EXPECT_REFUSED(s.set_force(*force, {1, 0, 0}), "was removed");
}

TEST(Live, ForcesKeepTheirHandlesWhenOthersGo) {
  Simulation s = simulation_of(free_block("newton")), other = simulation_of(free_block("newton"));
  const std::vector<int32_t> first{0}, last{s.vertex_count() - 1};
  const ForceHandle a = s.add_force(first, {10, 0, 0}).value(), b = s.add_force(last, {0, 5, 0}).value();
  ASSERT_TRUE(s.remove_force(a).ok());
  ASSERT_TRUE(s.set_force(b, {0, 7, 0}).ok());
  ASSERT_TRUE(other.add_force(last, {0, 7, 0}).ok());
  take(s, 3);
  take(other, 3);
  EXPECT_EQ(s.hash(), other.hash());
}

TEST(Live, GravityChangesAtOnce) {
  Scene weighty = free_block();
  weighty.gravity = {1, -2, 3};
  Simulation built = simulation_of(weighty), live = simulation_of(free_block());
  ASSERT_TRUE(live.set_gravity({1, -2, 3}).ok());
  take(built, 4);
  take(live, 4);
  EXPECT_EQ(built.hash(), live.hash());
  EXPECT_REFUSED(live.set_gravity({0, std::nan(""), 0}), "is not finite");
}

// Each value, set before the first step, compared with a scene that has it.
TEST(Live, SetEqualsBuiltSo) {
  const std::pair<const char*, const char*> values[] = {{"materials.rubber.youngs_modulus", "3e5"},
                                                        {"materials.rubber.damping", "0.01"},
                                                        {"solver.type", "newton"},
                                                        {"solver.iterations", "7"},
                                                        {"time.substeps", "3"},
                                                        {"solver.accelerator", "chebyshev"},
                                                        {"gravity", "[0, 1, 0]"}};
  for (const auto& [path, value] : values) {
    const std::string change = std::string(path) + "=" + value;
    const Scene scene = hung_block();
    Scene asked = scene;
    if (path == std::string("solver.type")) asked.solver = with_solver(scene.solver, value);
    const Result<Scene> so = parse_scene(resolved_json(asked), "a", "", std::span(&change, 1));
    ASSERT_TRUE(so.ok()) << so.error().message();
    Simulation built = simulation_of(*so), live = simulation_of(scene);
    const Status set = live.set(path, value);
    ASSERT_TRUE(set.ok()) << set.error().message();
    take(built, 4);
    take(live, 4);
    EXPECT_EQ(built.hash(), live.hash()) << change;
  }
}

// Values of every type are the text that says the same, to the last digit.
TEST(Live, TakesNumbersSwitchesAndVectors) {
  const Scene scene = hung_block("newton");
  const double third = 1e5 / 3;
  Simulation texts = simulation_of(scene), values = simulation_of(scene);
  ASSERT_TRUE(texts.set("materials.rubber.youngs_modulus", "33333.333333333336").ok());
  ASSERT_TRUE(texts.set("time.substeps", "2").ok());
  ASSERT_TRUE(texts.set("solver.line_search", "false").ok());
  ASSERT_TRUE(texts.set("gravity", "[0, 1, 0.1]").ok());
  ASSERT_TRUE(values.set("materials.rubber.youngs_modulus", third).ok());
  ASSERT_TRUE(values.set("time.substeps", 2).ok());
  ASSERT_TRUE(values.set("solver.line_search", false).ok());
  ASSERT_TRUE(values.set("gravity", {0, 1, 0.1}).ok());
  EXPECT_EQ(values.changes().value(), texts.changes().value());
  take(texts, 2);
  take(values, 2);
  EXPECT_EQ(values.hash(), texts.hash());
  EXPECT_REFUSED(values.set("solver.iterations", -1), "iterations");
  EXPECT_REFUSED(values.set("time.substeps", 2.5), "whole");
  const Real3 nowhere{0, std::nan(""), 0};
  EXPECT_REFUSED(values.set("gravity", nowhere), "gravity");
  EXPECT_REFUSED(values.set("solver.line_search", 1), "true or false");
}

// A stiffness factor that all tets of a block share is part of the block's parameters.
TEST(Live, ModulusKeepsStiffnessFactors) {
  Scene scene = hung_block();
  scene.objects[0].stiffness_factors = FactorList{std::vector<double>(40, 3)};
  Scene stiffer = scene;
  stiffer.materials[0].set("youngs_modulus", 2e5);
  Simulation built = simulation_of(stiffer), live = simulation_of(scene);
  ASSERT_TRUE(live.set("materials.rubber.youngs_modulus", "2e5").ok());
  take(built, 3);
  take(live, 3);
  EXPECT_EQ(built.hash(), live.hash());
}

Scene with_options(Scene scene, std::vector<OptionValue> options) {
  scene.solver.options = std::move(options);
  return scene;
}

// Frames do not hold stiffness and damping: whatever changes, the bits are those of a scene that was built so.
TEST(Live, FramesTakeParametersBitForBit) {
  for (const char* solver : {"vbd", "pbng", "multilevel", "block_jacobi"}) {
    const Scene scene = with_options(hung_block(solver), {{"layout", "frames"}});
    Scene other = scene;
    other.materials[0].set("youngs_modulus", 3e5);
    other.materials[0].set("poisson_ratio", 0.4);
    other.materials[0].damping = 0.02;
    Simulation built = simulation_of(other), live = simulation_of(scene), later = simulation_of(scene);
    for (Simulation* each : {&live, &later}) {
      ASSERT_TRUE(each->set("materials.rubber.youngs_modulus", "3e5").ok());
      ASSERT_TRUE(each->set("materials.rubber.poisson_ratio", "0.4").ok());
      ASSERT_TRUE(each->set("materials.rubber.damping", "0.02").ok());
    }
    take(built, 4);
    take(live, 4);
    EXPECT_EQ(built.hash(), live.hash()) << solver;
  }
}

double distance(const Simulation& a, const Simulation& b) {
  double far = 0;
  const std::vector<Real3> x = a.positions(), y = b.positions();
  for (size_t v = 0; v < x.size(); ++v)
    for (size_t c = 0; c < 3; ++c) far = std::max(far, std::abs(x[v][c] - y[v][c]));
  return far;
}

// Packed links are rescaled. Twice the modulus is twice the unit, bit for bit; other factors leave the weights rounded
// as they were, which makes a difference like that between packed and exact weights; and the way back is exact.
TEST(Live, PackedLinksAreRescaled) {
  for (const char* solver : {"vbd", "multilevel"}) {
    const Scene scene = with_options(hung_block(solver), {{"layout", "packed"}, {"precision", "single"}});
    for (const auto& [modulus, is_exact] : {std::pair{2e5, true}, {3e5, false}, {1e5, true}}) {
      Scene other = scene;
      other.materials[0].set("youngs_modulus", modulus);
      Simulation built = simulation_of(other), live = simulation_of(scene);
      ASSERT_TRUE(live.set("materials.rubber.youngs_modulus", "7e4").ok());
      ASSERT_TRUE(live.set("materials.rubber.youngs_modulus", std::to_string(modulus)).ok());
      take(built, 4);
      take(live, 4);
      if (is_exact) {
        EXPECT_EQ(built.hash(), live.hash()) << solver << ' ' << modulus;
        continue;
      }
      other.solver.options[0].value = "links";
      Simulation unpacked = simulation_of(other);
      take(unpacked, 4);
      EXPECT_LE(distance(built, live), 3 * distance(built, unpacked)) << solver;
    }
    // A rescaled state comes back, from memory and from bytes, whatever was done in between.
    Simulation s = simulation_of(scene);
    take(s, 2);
    ASSERT_TRUE(s.set("materials.rubber.youngs_modulus", "1.3e5").ok());
    take(s, 2);
    const Snapshot then = s.save();
    const std::string bytes = s.checkpoint();
    take(s, 3);
    const uint64_t straight = s.hash();
    ASSERT_TRUE(s.set("materials.rubber.poisson_ratio", "0.2").ok());
    ASSERT_TRUE(s.set("solver.type", "newton").ok());
    take(s, 1);
    ASSERT_TRUE(s.restore(then).ok());
    take(s, 3);
    EXPECT_EQ(s.hash(), straight) << solver;
    Result<Simulation> resumed = Simulation::resume(bytes, 2);
    ASSERT_TRUE(resumed.ok()) << resumed.error().message();
    take(*resumed, 3);
    EXPECT_EQ(resumed->hash(), straight) << solver;
  }
}

// The clock continues from its time, also in frames.
TEST(Live, TimeStepChangesWhileItRuns) {
  Simulation s = simulation_of(hung_block());
  take(s, 3);
  ASSERT_TRUE(s.set("time.substeps", "4").ok());
  const Snapshot then = s.save();
  take(s, 1);
  EXPECT_NEAR(s.time(), 3 * 0.02 + 0.005, 1e-15);
  ASSERT_TRUE(s.advance_frame().ok());
  EXPECT_EQ(s.frames_taken(), 4);
  EXPECT_EQ(s.steps_taken(), 7);
  EXPECT_NEAR(s.time(), 4 * 0.02, 1e-15);
  ASSERT_TRUE(s.set("time.substeps", "1").ok());
  take(s, 1);
  EXPECT_NEAR(s.time(), 5 * 0.02, 1e-15);
  ASSERT_TRUE(s.restore(then).ok());
  take(s, 2);
  EXPECT_NEAR(s.time(), 3 * 0.02 + 0.01, 1e-15);
  EXPECT_EQ(s.frames_taken(), 3);
}

TEST(Live, SetRefusesWhatIsFixed) {
  Simulation s = simulation_of(hung_block());
  take(s, 2);
  const uint64_t before = s.hash();
  EXPECT_REFUSED(s.set("materials.rubber.density", "900"), "is fixed once the simulation exists");
  EXPECT_REFUSED(s.set("objects.block.mesh.box.cells", "3"), "is fixed once the simulation exists");
  EXPECT_REFUSED(s.set("solver.type", "magic"), "magic");
  EXPECT_REFUSED(s.set("solver.iterations", "-1"), "iterations");
  EXPECT_REFUSED(s.set("output.every", "3"), "is fixed once the simulation exists");
  EXPECT_REFUSED(s.set("materials.rubber.model", "stvk"), "is fixed once the simulation exists");
  EXPECT_EQ(s.hash(), before);
  Simulation same = simulation_of(hung_block());
  take(same, 4);
  take(s, 2);
  EXPECT_EQ(s.hash(), same.hash());
}

// A solver that does not suit the scene leaves the old solver and the old modulus.
TEST(Live, FailedChangeChangesNothing) {
  Simulation s = simulation_of(hung_block()), same = simulation_of(hung_block());
  EXPECT_REFUSED(s.set("solver.type", "xpbd_qs"), "solves quasistatics only");
  take(s, 3);
  take(same, 3);
  EXPECT_EQ(s.hash(), same.hash());
}

// Under every solver, with the first material that it treats and on which unstable ones stay finite; those that
// converge also with sweeps in random order.
TEST(Live, SnapshotGoesBack) {
  std::vector<Scene> scenes;
  for (const SolverInfo& info : solver_list()) {
    Scene scene = hung_block(info.name);
    scene.time.quasistatic = !info.traits.dynamic;
    for (int k = 0; k < material_count; ++k) {
      const MaterialTraits material = traits_of(MaterialKind(k));
      if (info.traits.needs_constraints && material.stressed_at_rest()) continue;
      scene.materials[0].model = material.name;
      if (Simulation::create(scene, 1)) break;
    }
    scenes.push_back(scene);
    if (!info.traits.converges || !find_option(info.options, "sweep_order")) continue;
    scene.solver.options.push_back({"sweep_order", std::string("random")});
    scenes.push_back(scene);
  }
  for (const Scene& scene : scenes) {
    Simulation s = simulation_of(scene, 3);
    take(s, 3);
    const Snapshot then = s.save();
    take(s, 5);
    const uint64_t straight = s.hash();
    // Changes the state and everything else, then restores it.
    ASSERT_TRUE(s.set_gravity({5, 0, 0}).ok());
    ASSERT_TRUE(s.add_pin(std::vector<int32_t>{0}).ok());
    ASSERT_TRUE(s.add_force(std::vector<int32_t>{1}, {1e3, 0, 0}).ok());
    ASSERT_TRUE(s.set("materials.rubber.youngs_modulus", "2e5").ok());
    take(s, 2);
    ASSERT_TRUE(s.restore(then).ok());
    EXPECT_EQ(s.steps_taken(), 3);
    take(s, 5);
    EXPECT_EQ(s.hash(), straight) << scene.solver.type << (scene.solver.options.empty() ? "" : " in random order");
  }
  EXPECT_GT(scenes.size(), solver_list().size());
  Simulation a = simulation_of(free_block()), b = simulation_of(free_block());
  EXPECT_REFUSED(a.restore(b.save()), "of another simulation");
  EXPECT_REFUSED(a.restore(Snapshot()), "is empty");
}

TEST(Live, ReadsIntoSpans) {
  Simulation s = simulation_of(hung_block());
  take(s, 4);
  const auto n = static_cast<size_t>(s.vertex_count());
  std::vector<double> x(3 * n), v(3 * n);
  std::vector<float> xf(3 * n), vf(3 * n);
  ASSERT_TRUE(s.read_positions(x).ok());
  ASSERT_TRUE(s.read_positions(xf).ok());
  ASSERT_TRUE(s.read_velocities(v).ok());
  ASSERT_TRUE(s.read_velocities(vf).ok());
  for (size_t k = 0; k < n; ++k)
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(x[3 * k + c], s.positions()[k][c]);
      EXPECT_EQ(xf[3 * k + c], static_cast<float>(x[3 * k + c]));
      EXPECT_EQ(v[3 * k + c], s.velocities()[k][c]);
      EXPECT_EQ(vf[3 * k + c], static_cast<float>(v[3 * k + c]));
    }
  std::vector<double> few(3);
  EXPECT_REFUSED(s.read_positions(few), "3 numbers where there are");
  ASSERT_EQ(s.objects().size(), 1u);
  EXPECT_EQ(s.objects()[0].name, "block");
  EXPECT_EQ(s.objects()[0].last_vertex, s.vertex_count());
  EXPECT_EQ(s.surface(0).value().size(), 48u);  // 6 faces of 2 x 2 cells
  EXPECT_REFUSED(s.surface(1), "there are 1 objects");
}

TEST(Live, RaysAndNearestPoints) {
  const Simulation s = simulation_of(free_block());
  const auto hit = s.cast_ray({0.3, 0.6, 5}, {0, 0, -2}).value();
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->distance, 4, 1e-12);
  EXPECT_NEAR(hit->position[0], 0.3, 1e-12);
  EXPECT_NEAR(hit->position[1], 0.6, 1e-12);
  EXPECT_NEAR(hit->position[2], 1, 1e-12);
  Real3 there{};
  for (size_t j = 0; j < 3; ++j)
    for (size_t c = 0; c < 3; ++c)
      there[c] += hit->weights[j] * s.positions()[static_cast<size_t>(hit->vertices[j])][c];
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(there[c], hit->position[c], 1e-12);
  EXPECT_FALSE(s.cast_ray({0.3, 0.6, 5}, {0, 0, 1}).value().has_value());
  EXPECT_FALSE(s.cast_ray({3, 0.6, 5}, {0, 0, -1}).value().has_value());
  EXPECT_REFUSED(s.cast_ray({0, 0, 0}, {0, 0, 0}), "has no direction");

  const auto near = s.nearest_point({2, 0.5, 0.5}).value();
  ASSERT_TRUE(near.has_value());
  EXPECT_NEAR(near->distance, 1, 1e-12);
  const auto corner = s.nearest_point({2, 2, 2}).value();
  EXPECT_NEAR(corner->distance, std::sqrt(3.0), 1e-12);
}

TEST(Live, BadInputIsRefused) {
  Simulation s = simulation_of(hung_block());
  const uint64_t before = s.hash();
  EXPECT_REFUSED(s.add_pin({}), "are none");
  EXPECT_REFUSED(s.add_pin(std::vector<int32_t>{-1}), "-1: there are 27 vertices");
  EXPECT_REFUSED(s.add_pin(std::vector<int32_t>{3, 4, 3}), "3 is named twice");
  EXPECT_REFUSED(s.add_force(std::vector<int32_t>{27}, {1, 0, 0}), "27: there are 27 vertices");
  EXPECT_REFUSED(s.add_force(std::vector<int32_t>{2}, {1, INFINITY, 0}), "is not finite");
  EXPECT_REFUSED(s.move_pin({0}, std::vector<Real3>{{0, 0, 0}}), "1 for the 9 vertices");
  EXPECT_REFUSED(s.move_pin({0}, {.axis = {0, 0, 0}, .rotate_degrees = 5, .center = {}}), "has no direction");
  EXPECT_REFUSED(s.set_force({0}, {}), "there is no such force");
  EXPECT_EQ(s.hash(), before);
}

// After any changes in any order a simulation continues, and the same changes give the same bits on one thread and on
// three.
TEST(Live, RandomChangesHaveTheSameBitsOnAnyThreads) {
  const int changes = std::getenv("SINEW_LIVE_CHANGES") ? std::atoi(std::getenv("SINEW_LIVE_CHANGES")) : 120;
  Scene scene = with_options(hung_block(), {{"layout", "packed"}, {"precision", "single"}});
  scene.objects[0].fibres = SceneFibres{.along = FibreConstant{{0, 1, 0}}, .peak_stress = 1e3, .activation_curve = {}};
  Simulation one = simulation_of(scene, 1), three = simulation_of(scene, 3);
  Simulation* const both[] = {&one, &three};
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto number = [&] { return (below(2001) - 1000) / 1000.0; };
  int pins = 1, forces = 0, grabs = 0;
  std::vector<Snapshot> kept[2];
  for (int k = 0; k < changes; ++k) {
    const int what = below(21), which = below(5);
    const std::vector<int32_t> vertices{below(one.vertex_count())};
    const Real3 v{number(), number(), number()};
    // A point of the block's surface, and what may be a further block.
    const double share = 0.5 + 0.5 * number();
    const SurfacePoint point{.vertices = one.surface(0).value()[static_cast<size_t>(below(48))],
                             .weights = {share, 0.5 - 0.5 * share, 0.5 - 0.5 * share}};
    SceneObject further;
    further.name = which < 3 ? "second" : "third";
    further.mesh = MeshBox{{1, 1, 1}, {1, 2, 1}, {0, 0, 0}, 5};
    further.material = "rubber";
    further.transform.translate = {2 + v[0], v[1], v[2]};
    const int pin = below(pins + 1), force = below(forces + 1), grab = below(grabs + 1);
    const bool switched = below(2) == 0;
    bool ok[2] = {true, true};
    for (size_t b = 0; b < 2; ++b) {
      Simulation& s = *both[b];
      switch (what) {
        case 0:
          ok[b] = s.add_pin(vertices).ok();
          break;
        case 1:
          ok[b] = s.move_pin({pin}, {.translate = {0.1 * v[0], 0.1 * v[1], 0.1 * v[2]}, .center = {}}).ok();
          break;
        case 2:
          ok[b] = s.remove_pin({pin}).ok();
          break;
        case 3:
          ok[b] = s.add_force(vertices, {100 * v[0], 100 * v[1], 100 * v[2]}).ok();
          break;
        case 4:
          ok[b] = s.set_force({force}, {100 * v[0], 0, 0}).ok();
          break;
        case 5:
          ok[b] = s.remove_force({force}).ok();
          break;
        case 6:
          ok[b] = s.set_gravity({v[0], 9.81 * v[1], v[2]}).ok();
          break;
        case 7:
          ok[b] = s.set("materials.rubber.youngs_modulus", std::to_string(1e5 * (1.5 + v[0]))).ok();
          break;
        case 8:
          ok[b] = s.set("solver.type", which < 3 ? "vbd" : which == 3 ? "pbng" : "xpbd").ok();
          break;
        case 9:
          ok[b] = s.add_force(point, {100 * v[0], 100 * v[1], 100 * v[2]}).ok();
          break;
        case 10:
          ok[b] = s.move_force({force}, point).ok();
          break;
        case 11:
          ok[b] = s.set_activation("block", share).ok();
          break;
        case 12:
          ok[b] = s.switch_object(which < 3 ? "block" : "second", switched).ok();
          break;
        case 13:
          ok[b] = s.add_object(further).ok();
          break;
        case 14:
          ok[b] = s.remove_object(further.name).ok();
          break;
        case 15:
          ok[b] = s.set_velocities(std::vector<Real3>(static_cast<size_t>(s.vertex_count()), v)).ok();
          break;
        case 16:
          ok[b] = s.add_grab(point, {.stiffness = 1e4 * (1.1 + v[0]), .damping = {}}).ok();
          break;
        case 17:
          ok[b] = s.add_grab(vertices[0]).ok();
          break;
        case 18:
          ok[b] = s.move_grab({grab}, {v[0], 1 + v[1], v[2]}, {0, v[2], v[1]}).ok();
          break;
        case 19:
          ok[b] = s.remove_grab({grab}).ok();
          break;
        default:
          if (kept[b].empty() || which < 3)
            kept[b].push_back(s.save());
          else
            ok[b] = s.restore(kept[b].back()).ok();
      }
    }
    ASSERT_EQ(ok[0], ok[1]) << what;
    if (what == 0 && ok[0]) ++pins;
    if ((what == 3 || what == 9) && ok[0]) ++forces;
    if ((what == 16 || what == 17) && ok[0]) ++grabs;
    ASSERT_EQ(one.vertex_count(), three.vertex_count());
    take(one, 1);
    take(three, 1);
    ASSERT_EQ(one.hash(), three.hash()) << "change " << k << ", kind " << what;
  }
  // Replaying its log leads to the same state.
  Simulation replayed = simulation_of(scene, 2);
  const Status replay = replayed.replay(one.changes().value());
  ASSERT_TRUE(replay.ok()) << replay.error().message();
  EXPECT_EQ(replayed.hash(), one.hash());
  EXPECT_EQ(replayed.changes().value(), one.changes().value());
  one.keep_changes(false);
  EXPECT_REFUSED(one.changes(), "are not kept");
}

TEST(Live, LogsThatAreNone) {
  Simulation s = simulation_of(hung_block());
  EXPECT_REFUSED(s.replay("{"), "changes");
  EXPECT_REFUSED(s.replay("{}"), "is not a log of changes");
  const std::string head = R"({"format": "sinew changes", "steps": 2, "changes": [)";
  EXPECT_REFUSED(s.replay(head + "3]}"), "changes.0: must be an object");
  EXPECT_REFUSED(s.replay(head + R"({"step": 1, "fly": 1}]})"), "changes.0: is no change");
  EXPECT_REFUSED(s.replay(head + R"({"step": 1, "set_gravity": [1, 2]}]})"), "set_gravity: must be three numbers");
  EXPECT_REFUSED(s.replay(head + R"({"step": 0, "restore": 0}]})"), "changes.0: restore");
  EXPECT_EQ(s.steps_taken(), 0);
  take(s, 1);
  EXPECT_REFUSED(s.replay(head + "]}"), "has taken steps");
}

}  // namespace
}  // namespace sinew
