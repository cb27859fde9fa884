// Bodies on a grid and every kind of collider, slippery and sticky.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "compile/collider_shapes.h"
#include "math/length.h"
#include "math/rotation.h"
#include "sinew/simulation.h"
#include "support/grid_cube.h"

namespace sinew {
namespace {

constexpr double spacing = 0.1;

// A cube of 0.4 m in the air, centred over the origin; its lowest corner is at this height.
Scene cube_above(double height) {
  Scene scene = cube_on_grid({-0.2, 0, -0.2});
  scene.objects[0].transform.translate = {0, height, 0};
  scene.gravity = {0, -9.8, 0};
  scene.solver.options.set("iterations", 10);
  return scene;
}

SceneCollider collider(ColliderShape shape) {
  SceneCollider result;
  result.name = "it";
  result.shape = std::move(shape);
  return result;
}

ColliderArrays arrays_of(const SurfaceMesh& mesh, bool inwards = false) {
  ColliderArrays arrays;
  for (const Vec3d& x : mesh.vertices)
    for (const double c : {x.x, x.y, x.z}) arrays.vertices.push_back(c);
  for (const Triangle& t : mesh.triangles)
    for (const int32_t v : {t[0], t[inwards ? 2 : 1], t[inwards ? 1 : 2]}) arrays.triangles.push_back(v);
  return arrays;
}

using Depth = std::function<double(Vec3d)>;  // [m] negative outside

double depth_in_box(Vec3d x, Vec3d low, Vec3d high) {
  return std::min({x.x - low.x, high.x - x.x, x.y - low.y, high.y - x.y, x.z - low.z, high.z - x.z});
}

// Solids whose highest point is the origin.
struct Kind {
  const char* name;
  ColliderShape shape;
  Depth depth;
};
std::vector<Kind> kinds() {
  const Vec3d low{-0.5, -1, -0.5}, high{0.5, 0, 0.5};
  const Depth in_box = [=](Vec3d x) { return depth_in_box(x, low, high); };
  const Depth in_ball = [](Vec3d x) { return 0.5 - length(x - Vec3d{0, -0.5, 0}); };
  return {
      {"half space", ColliderHalfSpace{{0, 0, 0}, {0, 1, 0}}, [](Vec3d x) { return -x.y; }},
      {"slope", ColliderHalfSpace{{0, 0, 0}, {0.5, 1, 0}},
       [](Vec3d x) { return -(x.y + 0.5 * x.x) / std::sqrt(1.25); }},
      {"box", ColliderBox{{-0.5, -1, -0.5}, {0.5, 0, 0.5}}, in_box},
      {"sphere", ColliderSphere{{0, -0.5, 0}, 0.5}, in_ball},
      {"capsule", ColliderCapsule{{-0.6, -0.3, 0}, {0.6, -0.3, 0}, 0.3},
       [](Vec3d x) {
         return 0.3 - length(x - Vec3d{std::clamp(x.x, -0.6, 0.6), -0.3, 0});
       }},
      {"mesh of a box", arrays_of(box_surface(low, high)), in_box},
      {"mesh of a sphere", arrays_of(sphere_surface({0, -0.5, 0}, 0.5)), in_ball},
  };
}

Vec3d at(const Real3& x) {
  return {x[0], x[1], x[2]};
}

// The deepest vertex in a run; vertices are finite, and tets keep their orientation.
double deepest(Simulation& simulation, int steps, const std::function<double(Vec3d, double)>& depth) {
  double most = -1e9;
  for (int step = 0; step < steps; ++step) {
    const Result<StepReport> report = simulation.step();
    EXPECT_TRUE(report.ok()) << report.error().message();
    if (!report) return 1e9;
    for (const Real3& x : simulation.positions()) {
      EXPECT_TRUE(is_finite(at(x)));
      most = std::max(most, depth(at(x), simulation.time()));
    }
  }
  const std::vector<Real3> x = simulation.positions();
  for (const std::array<int32_t, 4>& t : simulation.tets()) {
    const Vec3d a = at(x[static_cast<size_t>(t[0])]);
    const auto from = [&](size_t k) { return at(x[static_cast<size_t>(t[k])]) - a; };
    EXPECT_GT(dot(from(1), cross(from(2), from(3))), 0);
  }
  return most;
}

Vec3d middle(const Simulation& simulation) {
  Vec3d sum{};
  const std::vector<Real3> x = simulation.positions();
  for (const Real3& v : x) sum += at(v);
  return (1.0 / static_cast<double>(x.size())) * sum;
}

Simulation made(const Scene& scene, int threads = 1) {
  Result<Simulation> result = Simulation::create(scene, threads);
  EXPECT_TRUE(result.ok()) << result.error().message();
  return std::move(*result);
}

TEST(GridColliders, KeepWhatFallsOnThemOut) {
  for (const Kind& kind : kinds())
    for (const GridColliders how : {GridColliders::slip, GridColliders::sticky}) {
      SCOPED_TRACE(kind.name + std::string(how == GridColliders::slip ? ", slip" : ", sticky"));
      Scene scene = cube_above(0.15);
      scene.grid->colliders = how;
      scene.colliders = {collider(kind.shape)};
      Simulation simulation = made(scene);
      const double depth = deepest(simulation, 60, [&](Vec3d x, double) { return kind.depth(x); });
      EXPECT_LT(depth, spacing);
      EXPECT_GT(depth, -1.5 * spacing);  // it got there
      if (kind.name == std::string("slope") && how == GridColliders::slip) {
        EXPECT_GT(middle(simulation).x, 0.3);
      }
    }
}

// A cube that sits on a slope, its lowest vertices just below it.
TEST(GridColliders, StickyOnesHoldOnASlope) {
  for (const GridColliders how : {GridColliders::slip, GridColliders::sticky}) {
    Scene scene = cube_above(0);
    const double slope = 0.5, below = -0.02 / std::sqrt(1 + slope * slope);
    scene.objects[0].transform.rotation_degrees = -std::atan(slope) * 180 / std::numbers::pi;
    scene.objects[0].transform.translate = {below * slope, below, 0};
    scene.grid->colliders = how;
    scene.colliders = {collider(ColliderHalfSpace{{0, 0, 0}, {slope, 1, 0}})};
    Simulation simulation = made(scene);
    const double before = middle(simulation).x;
    for (int step = 0; step < 50; ++step) ASSERT_TRUE(simulation.step().ok());
    const double moved = middle(simulation).x - before;
    if (how == GridColliders::sticky) {
      EXPECT_LT(moved, 0.02);
    } else {
      EXPECT_GT(moved, 0.2);
    }
  }
}

// Thrown about, for two seconds.
TEST(GridColliders, ContainersKeepBodiesIn) {
  const Real3 low{-0.6, -0.5, -0.7}, high{0.7, 1.1, 0.6};
  const Vec3d corner[] = {at(low), at(high)};
  const auto box_depth = [&](Vec3d x) { return -depth_in_box(x, corner[0], corner[1]); };
  const auto ball_depth = [](Vec3d x) { return length(x - Vec3d{0, 0.2, 0}) - 0.8; };
  const std::vector<Kind> containers{
      {"inward box", ColliderInwardBox{low, high}, box_depth},
      {"mesh of a box", arrays_of(box_surface(corner[0], corner[1]), true), box_depth},
      {"mesh of a sphere", arrays_of(sphere_surface({0, 0.2, 0}, 0.8), true), ball_depth}};
  for (const Kind& kind : containers) {
    SCOPED_TRACE(kind.name);
    Scene scene = cube_above(0);
    scene.objects[0].velocity = {3, 2, -4};
    scene.colliders = {collider(kind.shape)};
    Simulation simulation = made(scene);
    EXPECT_LT(deepest(simulation, 200, [&](Vec3d x, double) { return kind.depth(x); }), spacing);
  }
}

// A ball that comes up from below lifts the cube; a sticky one takes it along sideways.
TEST(GridColliders, PushAndCarryWhenTheyMove) {
  for (const GridColliders how : {GridColliders::slip, GridColliders::sticky}) {
    Scene scene = cube_above(0.02);
    scene.grid->colliders = how;
    scene.colliders = {collider(ColliderBox{{-0.5, -0.6, -0.5}, {0.5, 0, 0.5}})};
    scene.colliders[0].motion.keyframes = {
        {.time = 0}, {.time = 0.5}, {.time = 1, .translate = {0, 0.4, 0}}, {.time = 1.5, .translate = {0.2, 0.4, 0}}};
    Simulation simulation = made(scene);
    for (int step = 0; step < 150; ++step) ASSERT_TRUE(simulation.step().ok());
    const Vec3d end = middle(simulation);
    EXPECT_NEAR(end.y, 0.6, 0.1);
    EXPECT_NEAR(end.x, how == GridColliders::sticky ? 0.2 : 0.0, 0.03);
  }
}

// As if they had been there, or moved so, from the start.
TEST(GridColliders, AreAddedMovedAndRemovedLive) {
  Scene scene = cube_above(0.02);
  const SceneCollider box = collider(ColliderBox{{-0.5, -0.6, -0.5}, {0.5, 0, 0.5}});
  Motion up;
  up.keyframes = {{.time = 0.1}, {.time = 0.4, .translate = {0, 0.3, 0}}};
  scene.colliders = {box};
  scene.colliders[0].motion = up;
  Simulation scripted = made(scene);
  scene.colliders[0].motion = {};
  Simulation live = made(scene);
  ASSERT_TRUE(live.move_collider(live.colliders()[0].handle, up).ok());
  Simulation resumed = made(scene);
  scene.colliders.clear();
  Simulation later = made(scene);
  const Result<ColliderHandle> added = later.add_collider(box);
  ASSERT_TRUE(added.ok()) << added.error().message();
  ASSERT_TRUE(later.move_collider(*added, up).ok());
  for (int step = 0; step < 60; ++step) {
    for (Simulation* each : {&scripted, &live, &later}) ASSERT_TRUE(each->step().ok());
    if (step != 20) continue;
    Result<Simulation> from = Simulation::resume(live.checkpoint(), 2);
    ASSERT_TRUE(from.ok()) << from.error().message();
    live = std::move(*from);
  }
  EXPECT_EQ(live.positions(), scripted.positions());
  EXPECT_EQ(later.positions(), scripted.positions());
  EXPECT_GT(middle(live).y, 0.4);
  const Result<PlacedCollider> placed = live.collider(live.colliders()[0].handle);
  ASSERT_TRUE(placed.ok());
  double top = -1;
  for (const Real3& x : placed->vertices) top = std::max(top, x[1]);
  EXPECT_NEAR(top, 0.3, 1e-9);

  // By hand, on the way there; then away with it.
  PinPose down;
  down.translate = {0, 0.1, 0};
  ASSERT_TRUE(live.move_collider(live.colliders()[0].handle, down, live.time() + 0.3).ok());
  for (int step = 0; step < 60; ++step) ASSERT_TRUE(live.step().ok());
  EXPECT_NEAR(middle(live).y, middle(scripted).y - 0.2, 0.05);
  ASSERT_TRUE(live.remove_collider(live.colliders()[0].handle).ok());
  for (int step = 0; step < 30; ++step) ASSERT_TRUE(live.step().ok());
  EXPECT_LT(middle(live).y, 0.1);
}

// One that jumps is named, and the state stays.
TEST(GridColliders, DoNotJumpLive) {
  Scene scene = cube_above(0.02);
  scene.colliders = {collider(ColliderBox{{-0.5, -0.6, -0.5}, {0.5, 0, 0.5}})};
  Simulation s = made(scene);
  for (int step = 0; step < 20; ++step) ASSERT_TRUE(s.step().ok());
  PinPose up;
  up.translate = {0, 0.3, 0};
  ASSERT_TRUE(s.move_collider(s.colliders()[0].handle, up).ok());
  const std::vector<Real3> before = s.positions();
  const Result<StepReport> jumped = s.step();
  ASSERT_FALSE(jumped.ok());
  EXPECT_NE(jumped.error().message().find("colliders.it: moves by"), std::string::npos) << jumped.error().message();
  EXPECT_EQ(s.positions(), before);
  ASSERT_TRUE(s.move_collider(s.colliders()[0].handle, up, s.time() + 0.2).ok());
  for (int step = 0; step < 30; ++step) ASSERT_TRUE(s.step().ok());
  EXPECT_GT(middle(s).y, 0.4);
}

TEST(GridColliders, PushWhatTheyTurnAgainst) {
  Scene scene = cube_above(0);
  scene.gravity = {0, 0, 0};
  scene.colliders = {collider(ColliderBox{{-1, -0.5, 0.3}, {1, 1, 0.6}})};
  scene.colliders[0].motion.axis = {0, 1, 0};
  scene.colliders[0].motion.center = {-0.8, 0, 0.45};
  scene.colliders[0].motion.smooth = false;
  scene.colliders[0].motion.keyframes = {{.time = 0}, {.time = 1, .rotate_degrees = 60}};
  Simulation simulation = made(scene);
  const double depth = deepest(simulation, 100, [](Vec3d x, double time) {
    const Vec3d c{-0.8, 0, 0.45};
    const Vec3d back = c + rotation({0, 1, 0}, -60 * std::min(time, 1.0)) * (x - c);
    return depth_in_box(back, {-1, -0.5, 0.3}, {1, 1, 0.6});
  });
  EXPECT_LT(depth, spacing);
  EXPECT_LT(middle(simulation).z, -0.3);
}

// A mesh is the shape that it approximates, as far as it does.
TEST(GridColliders, MeshesAreTheirShapes) {
  const auto end_on = [](ColliderShape shape) {
    Scene scene = cube_above(0.15);
    scene.objects[0].transform.translate[0] = 0.013;
    scene.colliders = {collider(std::move(shape))};
    Simulation simulation = made(scene);
    for (int step = 0; step < 40; ++step) EXPECT_TRUE(simulation.step().ok());
    return middle(simulation);
  };
  const Vec3d low{-0.53, -1, -0.51}, high{0.52, 0.003, 0.54};
  const Vec3d box = end_on(ColliderBox{{low.x, low.y, low.z}, {high.x, high.y, high.z}});
  EXPECT_NEAR(length(end_on(arrays_of(box_surface(low, high))) - box), 0, 1e-4);
  const Vec3d ball = end_on(ColliderSphere{{0, -0.5, 0}, 0.5});
  EXPECT_NEAR(length(end_on(arrays_of(sphere_surface({0, -0.5, 0}, 0.5))) - ball), 0, 0.02);
}

// Turned by a quarter about y, on nodes that are turned too: sweeps differ, what they sweep to does not.
TEST(GridColliders, TurnedOnesTurnTheScene) {
  const auto end_on = [](double degrees) {
    Scene scene = cube_above(0.15);
    scene.solver.options.set("iterations", 50);
    scene.objects[0].transform.rotation_axis = {0, 1, 0};
    scene.objects[0].transform.rotation_degrees = degrees;
    scene.colliders = {collider(ColliderBox{{-0.35, -0.3, -0.12}, {0.15, 0, 0.36}})};
    scene.colliders[0].transform.rotation_axis = {0, 1, 0};
    scene.colliders[0].transform.rotation_degrees = degrees;
    Simulation simulation = made(scene);
    for (int step = 0; step < 40; ++step) EXPECT_TRUE(simulation.step().ok());
    return middle(simulation);
  };
  const Vec3d straight = end_on(0), turned = end_on(90);
  EXPECT_GT(length(Vec3d{straight.x, 0, straight.z}), 1e-3);
  EXPECT_NEAR(length(turned - rotation({0, 1, 0}, 90) * straight), 0, 1e-3);
}

TEST(GridColliders, HaveTheSameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<Real3>> ends;
  for (const int threads : {1, 2, 3}) {
    Scene scene = cube_above(0.05);
    scene.colliders = {collider(arrays_of(sphere_surface({0, -0.5, 0}, 0.5))),
                       collider(ColliderCapsule{{-0.6, -0.3, 0.2}, {0.6, -0.3, 0.3}, 0.3})};
    scene.colliders[1].name = "other";
    scene.colliders[1].motion.keyframes = {{.time = 0}, {.time = 0.5, .translate = {0, 0.4, 0}}};
    Simulation simulation = made(scene, threads);
    for (int step = 0; step < 30; ++step) ASSERT_TRUE(simulation.step().ok());
    ends.push_back(simulation.positions());
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(GridColliders, AreLeftOutWhereNothingTouchesThem) {
  Scene scene = cube_above(0.05);
  scene.colliders = {collider(ColliderSphere{{0, -0.5, 0}, 0.5})};
  scene.colliders[0].contact.touches = false;
  Simulation simulation = made(scene);
  for (int step = 0; step < 50; ++step) ASSERT_TRUE(simulation.step().ok());
  EXPECT_LT(middle(simulation).y, -0.8);
}

// What nodes may miss is warned of.
TEST(GridColliders, ThinOnesAreWarnedOf) {
  const auto warned = [](ColliderShape shape) {
    Scene scene = cube_above(0.05);
    scene.colliders = {collider(std::move(shape))};
    const std::vector<std::string> warnings = made(scene).warnings();
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& w) {
      return w.find("colliders.it: ") != std::string::npos && w.find("grid.spacing") != std::string::npos;
    });
  };
  EXPECT_TRUE(warned(ColliderBox{{-0.5, -0.15, -0.5}, {0.5, 0, 0.5}}));
  EXPECT_FALSE(warned(ColliderBox{{-0.5, -0.25, -0.5}, {0.5, 0, 0.5}}));
  EXPECT_TRUE(warned(ColliderSphere{{0, -0.5, 0}, 0.09}));
  EXPECT_TRUE(warned(ColliderCapsule{{0, -0.5, 0}, {1, -0.5, 0}, 0.09}));
  EXPECT_FALSE(warned(ColliderCapsule{{0, -0.5, 0}, {1, -0.5, 0}, 0.11}));
  EXPECT_TRUE(warned(arrays_of(box_surface({-0.5, -0.15, -0.5}, {0.5, 0, 0.5}))));
  EXPECT_FALSE(warned(arrays_of(box_surface({-0.5, -0.5, -0.5}, {0.5, 0, 0.5}))));
  EXPECT_FALSE(warned(arrays_of(box_surface({-0.5, -0.1, -0.5}, {0.5, 1, 0.5}), true)));
}

TEST(GridColliders, ThatMoveByMoreThanACellAreNamed) {
  Scene scene = cube_above(0.05);
  scene.colliders = {collider(ColliderBox{{-0.5, -0.5, -0.5}, {0.5, -0.25, 0.5}})};
  scene.colliders[0].motion.keyframes = {{.time = 0}, {.time = 0.1, .translate = {0, 5, 0}}};
  scene.colliders[0].motion.smooth = false;
  Simulation simulation = made(scene);
  const Result<StepReport> step = simulation.step();
  ASSERT_FALSE(step.ok());
  EXPECT_HAS(step.error().message(), "colliders.it");
  EXPECT_HAS(step.error().message(), "time.substeps");
}

}  // namespace
}  // namespace sinew
