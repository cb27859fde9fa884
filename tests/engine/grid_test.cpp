// Sources: Chen et al. 2024 (PXPBD), section 5.5 and figure 9; the numbers are of oracle_grid.py, an independent
// implementation in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/simulation.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

Scene on_grid(const char* solver) {
  Scene scene = box_scene(3);
  scene.materials.resize(1);
  scene.materials[0].model = "fixed_corotated";
  scene.materials[0].set("youngs_modulus", 1000);
  scene.materials[0].set("poisson_ratio", 0.3);
  scene.materials[0].density = 10;
  scene.gravity = {0, -9.8, 0};
  scene.time.frame_dt = 0.02;
  scene.time.duration = 10;
  scene.grid = GridSettings{.spacing = 1 / 3.0};
  scene.solver.type = solver;
  scene.solver.options.set("precision", std::string("double"));
  return scene;
}
void add_floor(Scene& scene, double height) {
  SceneCollider floor;
  floor.name = "floor";
  floor.shape = ColliderHalfSpace{{0, height, 0}, {0, 1, 0}};
  scene.colliders = {floor};
}

TEST(Grid, AgreesWithTheOracle) {
  const std::vector<Real3> xpbd{{3.43788894628299, 3.05854228417249, 3.09223111884418},
                                {4.04401233599906, 3.04155190338284, 3.20305291843902},
                                {3.50989353190529, 3.50306103236455, 3.10617656786836},
                                {3.47320518581266, 3.09034355141423, 3.69853939484844}};
  const std::vector<Real3> blended{{3.43762584247314, 3.05898407700433, 3.09273413306033},
                                   {4.04458554494197, 3.04128942563174, 3.20272190502391},
                                   {3.50944224991759, 3.50302860861474, 3.10716228245119},
                                   {3.47334636266732, 3.09075065547432, 3.69738167946457}};
  for (const char* solver : {"xpbd", "b_pxpbd"}) {
    Scene scene = on_grid(solver);
    MeshArrays one;
    one.vertices = {3.1, 3.15, 3.1, 3.7, 3.1, 3.2, 3.2, 3.6, 3.1, 3.15, 3.2, 3.7};
    one.tets = {0, 1, 2, 3};
    scene.objects[0].mesh = one;
    scene.objects[0].stretch = {1.1, 1, 1};
    scene.grid->spacing = 0.3;
    scene.solver.options.set("iterations", 6);
    if (std::string_view(solver) == "b_pxpbd") scene.solver.options.set("zeta", 0.5);
    add_floor(scene, 3);
    Result<Simulation> made = Simulation::create(scene, 1);
    ASSERT_TRUE(made.ok()) << made.error().message();
    for (int step = 0; step < 10; ++step) ASSERT_TRUE(made->step().ok());
    const std::vector<Real3> x = made->positions();
    const std::vector<Real3>& expected = std::string_view(solver) == "xpbd" ? xpbd : blended;
    for (size_t v = 0; v < 4; ++v)
      for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(x[v][c], expected[v][c], 1e-9) << solver << " " << v;
  }
}

class Residuals : public Observer {
 public:
  bool wants(int64_t, int iteration) const override { return iteration == 0 || iteration == 60; }
  void on_iteration(const IterationReport& r) override { (r.iteration == 0 ? first : last) = r.evaluation.residual; }
  double first = 0, last = 0;
};

TEST(Grid, BlendedReducesTheResidualWhereXpbdStagnates) {
  const auto reduction = [](const char* solver) {
    Scene scene = on_grid(solver);
    scene.objects[0].transform.translate = {3.1, 3.1, 3.1};
    scene.objects[0].stretch = {1.05, 1, 1};
    scene.solver.options.set("iterations", 60);
    if (std::string_view(solver) == "b_pxpbd") scene.solver.options.set("zeta", 0.5);
    Result<Simulation> made = Simulation::create(scene, 1);
    EXPECT_TRUE(made.ok()) << made.error().message();
    Residuals residuals;
    made->set_observer(&residuals);
    EXPECT_TRUE(made->step().ok());
    return residuals.last / residuals.first;
  };
  EXPECT_LT(reduction("b_pxpbd"), 1e-10);
  EXPECT_GT(reduction("xpbd"), 1e-4);
}

// With a floor that some nodes slip along, and a body beside the grid.
TEST(Grid, NewtonEndsWhereBlendedDoes) {
  const auto end_of = [&](const char* solver, const char* linear, int threads, StepReport& last) {
    Scene scene = on_grid(solver);
    scene.objects[0].stretch = {1.05, 1, 1};
    scene.objects.push_back(scene.objects[0]);
    scene.objects[1].name = "beside";
    scene.objects[1].on_grid = false;
    scene.objects[1].transform.translate = {5, 0, 0};
    scene.solver.options.set("iterations", 200);
    scene.solver.options.set("relative_tolerance", 1e-11);
    if (std::string_view(solver) == "newton") scene.solver.options.set("linear", std::string(linear));
    add_floor(scene, 0);
    Result<Simulation> made = Simulation::create(scene, threads);
    EXPECT_TRUE(made.ok()) << made.error().message();
    for (int step = 0; step < 3; ++step) {
      Result<StepReport> report = made->step();
      EXPECT_TRUE(report.ok()) << report.error().message();
      last = *report;
    }
    return made->positions();
  };
  StepReport last;
  const std::vector<Real3> blended = end_of("b_pxpbd", "", 1, last), newton = end_of("newton", "cholesky", 1, last);
  EXPECT_LE(last.iterations, 8);
  EXPECT_EQ(newton, end_of("newton", "cholesky", 3, last));
  const std::vector<Real3> by_gradients = end_of("newton", "cg", 2, last);
  EXPECT_EQ(by_gradients, end_of("newton", "cg", 1, last));
  EXPECT_LE(last.iterations, 12);
  for (size_t v = 0; v < newton.size(); ++v)
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(blended[v][c], newton[v][c], 1e-8) << v;
      EXPECT_NEAR(by_gradients[v][c], newton[v][c], 1e-9) << v;
    }
}

TEST(Grid, HasTheSameBitsForAnyNumberOfThreadsAndGoesOnFromACheckpoint) {
  for (const char* precision : {"single", "double"}) {
    Scene scene = on_grid("b_pxpbd");
    scene.objects[0].transform.translate = {0, 0.1, 0};
    scene.solver.options.set("precision", std::string(precision));
    add_floor(scene, 0);
    std::vector<std::vector<Real3>> ends;
    for (const int threads : {1, 2, 3}) {
      Result<Simulation> made = Simulation::create(scene, threads);
      ASSERT_TRUE(made.ok()) << made.error().message();
      for (int step = 0; step < 12; ++step) {
        ASSERT_TRUE(made->step().ok());
        if (threads != 3 || step != 5) continue;
        made = Simulation::resume(made->checkpoint(), threads);
        ASSERT_TRUE(made.ok()) << made.error().message();
      }
      ends.push_back(made->positions());
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(ends[0], ends[2]);
  }
}

// Also of one that is stressed at rest, beside a body that is not on the grid.
TEST(Grid, HoldsBodiesOfManyMaterials) {
  for (const char* model : {"neo_hookean", "stable_neo_hookean", "fixed_corotated", "stvk", "linear"}) {
    for (const char* solver : {"xpbd", "b_pxpbd"}) {
      Scene scene = on_grid(solver);
      scene.materials[0].model = model;
      scene.materials[0].set("youngs_modulus", 1e4);
      scene.objects.push_back(scene.objects[0]);
      scene.objects[1].name = "free";
      scene.objects[1].on_grid = false;
      scene.objects[1].transform.translate = {5, 0, 0};
      scene.objects[0].transform.translate = {0, 0.1, 0};
      add_floor(scene, 0);
      Result<Simulation> made = Simulation::create(scene, 2);
      if (!made.ok()) {  // it has no constraints of the solver's kind
        EXPECT_NE(made.error().message().find("solver.type"), std::string::npos) << made.error().message();
        continue;
      }
      for (int step = 0; step < 30; ++step) ASSERT_TRUE(made->step().ok()) << model << " " << solver;
      const std::vector<Real3> x = made->positions(), rest = made->rest_positions();
      const double fall = -9.8 * 0.02 * 0.02 * 30 * 31 / 2;  // of backward Euler
      double fallen = 0;
      for (size_t v = 0; v < x.size(); ++v) {
        if (v >= x.size() / 2) {
          fallen += 2 * (x[v][1] - rest[v][1]) / static_cast<double>(x.size());
        } else {
          EXPECT_GT(x[v][1], -0.2) << model << " " << solver;
        }
      }
      EXPECT_NEAR(fallen, fall, 0.01) << model << " " << solver;
    }
  }
}

TEST(Grid, FallsFreelyAndHangsFromPins) {
  Scene falling = on_grid("b_pxpbd");
  falling.time.frame_dt = 0.01;
  Result<Simulation> made = Simulation::create(falling, 1);
  ASSERT_TRUE(made.ok()) << made.error().message();
  double before = 0, after = 0;
  for (const Real3& x : made->positions()) before += x[1];
  for (int step = 0; step < 50; ++step) ASSERT_TRUE(made->step().ok());
  for (const Real3& x : made->positions()) after += x[1];
  const double steps = 50, h = 0.01;
  const auto count = static_cast<double>(made->positions().size());
  // Backward Euler's fall; parts of steps make it a little less.
  EXPECT_NEAR((after - before) / count, -9.8 * h * h * steps * (steps + 1) / 2, 0.03);

  Scene hanging = on_grid("b_pxpbd");
  hanging.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
  made = Simulation::create(hanging, 1);
  ASSERT_TRUE(made.ok()) << made.error().message();
  for (int step = 0; step < 50; ++step) ASSERT_TRUE(made->step().ok());
  const std::vector<Real3> x = made->positions(), rest = made->rest_positions();
  double reaction = 0;
  for (const Real3& f : made->reactions()) reaction += f[1];
  EXPECT_NEAR(reaction, 98, 30);  // the weight, and what is left of the bouncing
  EXPECT_LT(made->evaluate().residual, 1);
  for (size_t v = 0; v < x.size(); ++v)
    if (rest[v][1] == 1) {
      EXPECT_NEAR(x[v][1], 1, 2e-3);
    }
}

TEST(Grid, KeepsBodiesApart) {
  Scene scene = on_grid("b_pxpbd");
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "above";
  scene.objects[1].transform.translate = {0.1, 1.5, 0.05};
  scene.objects[0].transform.translate = {0, 0.1, 0};
  add_floor(scene, 0);
  Result<Simulation> made = Simulation::create(scene, 1);
  ASSERT_TRUE(made.ok()) << made.error().message();
  for (int step = 0; step < 60; ++step) ASSERT_TRUE(made->step().ok());
  const std::vector<Real3> x = made->positions();
  const auto at = [&](int32_t v) { return Vec3d{x[v][0], x[v][1], x[v][2]}; };
  const auto half = static_cast<int32_t>(x.size() / 2);
  int64_t looked_at = 0;
  for (const std::array<int32_t, 4>& t : made->tets())
    for (int32_t v = 0; v < 2 * half; ++v) {
      if ((t[0] < half) == (v < half)) continue;
      const Vec3d a = at(t[0]), p = at(t[1]) - a, q = at(t[2]) - a, r = at(t[3]) - a, d = at(v) - a;
      const double volume = dot(p, cross(q, r)), b = dot(d, cross(q, r)) / volume, c = dot(p, cross(d, r)) / volume,
                   e = dot(p, cross(q, d)) / volume;
      EXPECT_FALSE(b > 0 && c > 0 && e > 0 && b + c + e < 1) << v;
      ++looked_at;
    }
  EXPECT_GT(looked_at, 10000);
}

TEST(Grid, RefusesWhatItCannotTreat) {
  const auto refused = [](const Scene& scene, const char* place) {
    const Result<Simulation> made = Simulation::create(scene, 1);
    ASSERT_FALSE(made.ok()) << place;
    EXPECT_NE(made.error().message().find(place), std::string::npos) << made.error().message();
  };
  refused(on_grid("fp_pxpbd"), "solver.type");
  refused(on_grid("vbd"), "solver.type");
  Scene scene = on_grid("b_pxpbd");
  scene.time.quasistatic = true;
  refused(scene, "time.integrator");
  scene = on_grid("xpbd");
  scene.solver.accelerator = "chebyshev";
  refused(scene, "solver.accelerator");
  scene = on_grid("xpbd");
  scene.solver.options.set("order", std::string("jacobi"));
  refused(scene, "solver.order");
  scene = on_grid("b_pxpbd");
  scene.objects[0].on_grid = false;
  refused(scene, "grid");
  scene = on_grid("b_pxpbd");
  SceneCollider sheet;
  sheet.name = "sheet";
  sheet.shape = ColliderArrays{{0, -1, 0, 0, -1, 1, 1, -1, 0}, {0, 1, 2}};
  scene.colliders = {sheet};
  refused(scene, "colliders.sheet.shape: is not closed");
}

// A step that fails leaves the state as it was.
TEST(Grid, RefusesStepsThatPassThroughManyNodes) {
  Scene scene = on_grid("b_pxpbd");
  scene.objects[0].velocity = {1e5, 0, 0};
  Result<Simulation> made = Simulation::create(scene, 1);
  ASSERT_TRUE(made.ok()) << made.error().message();
  Result<StepReport> step = made->step();
  ASSERT_FALSE(step.ok());
  EXPECT_NE(step.error().message().find("time.substeps"), std::string::npos) << step.error().message();
  EXPECT_EQ(made->positions(), made->rest_positions());

  scene = on_grid("b_pxpbd");
  add_floor(scene, 0.1);
  scene.colliders[0].motion.keyframes = {{.time = 0}, {.time = 0.1, .translate = {0, 5, 0}}};
  scene.colliders[0].motion.smooth = false;
  made = Simulation::create(scene, 1);
  ASSERT_TRUE(made.ok()) << made.error().message();
  step = made->step();
  ASSERT_FALSE(step.ok());
  EXPECT_NE(step.error().message().find("colliders"), std::string::npos) << step.error().message();
}

TEST(Grid, TakesFastStepsInParts) {
  Scene scene = on_grid("b_pxpbd");
  scene.gravity = {0, 0, 0};
  scene.objects[0].velocity = {30, 0, 0};
  Result<Simulation> made = Simulation::create(scene, 1);
  ASSERT_TRUE(made.ok()) << made.error().message();
  const std::vector<Real3> before = made->positions();
  const Result<StepReport> step = made->step();
  ASSERT_TRUE(step.ok());
  EXPECT_EQ(step->grid.parts, 5);  // 0.6 m by 0.4 of 1/3 m
  EXPECT_GT(step->grid.colors, 1);
  const std::vector<Real3> after = made->positions();
  for (size_t v = 0; v < after.size(); ++v) EXPECT_NEAR(after[v][0] - before[v][0], 0.6, 1e-9);
  EXPECT_NEAR(made->time(), 0.02, 1e-15);
}

}  // namespace
}  // namespace sinew
