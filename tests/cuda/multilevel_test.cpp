// Source: Newton's method, whose solution multilevel descent converges to; and multilevel descent on the CPU
// (tests/solver/multilevel_test.cpp), whose sums have another order.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "cuda/tied_cases.h"
#include "solver/multilevel_case.h"

namespace sinew {
namespace {

Method on_device(Method method, const std::vector<NamedOption>& options = {{"corrections", std::string("always")}}) {
  const int precision = method.solve.precision;
  method.make = [precision, options](const SolveOptions&) { return make_on_device("multilevel", precision, options); };
  return method;
}

// A cantilever of irregular tets.
Body irregular(double youngs_modulus, MaterialKind material = MaterialKind::NeoHookean) {
  Random random(7);
  Body body = body_of(box({12, 4, 4}, {1.2, 0.4, 0.4}), material, youngs_modulus);
  for (Vec3d& v : body.mesh.vertices) {
    if (v.x < 1e-9) continue;
    v += Vec3d{random.between(-0.02, 0.02), random.between(-0.02, 0.02), random.between(-0.02, 0.02)};
  }
  return body;
}

// Softer and stiffer than inertia in a step, to far beyond it.
TEST(DeviceMultilevel, FindsNewtonsSolution) {
  for (const double youngs_modulus : {1e3, 1e6, 1e9}) {
    const Body body = irregular(youngs_modulus);
    const double tolerance = 1e-12 * youngs_modulus;
    Trial reference(body, newton(frame, tolerance));
    reference.hold(on_left);
    EXPECT_EQ(reference.step().status, SolveStatus::converged);

    Trial run(body, on_device(multilevel(frame, 200, 1e-11 * youngs_modulus)));
    run.hold(on_left);
    const StepReport report = run.step();
    EXPECT_EQ(report.status, SolveStatus::converged) << report.evaluation.residual;
    EXPECT_GT(report.corrections.nodes, 0);
    EXPECT_GT(report.corrections.matrices, 0);
    EXPECT_LT(distance(run.positions(), reference.positions()), 1e-8) << youngs_modulus;
    EXPECT_GT(distance(reference.positions(), reference.model.order.to_user(reference.model.rest)), 1e-7);
  }
}

// Iteration by iteration. Corrections are computed in single precision: their last digits differ, and nothing else.
TEST(DeviceMultilevel, ConvergesAsOnTheCpu) {
  for (const MaterialKind material : {MaterialKind::NeoHookean, MaterialKind::FixedCorotated}) {
    for (const double youngs_modulus : {1e4, 1e7}) {
      for (const int iterations : {1, 2, 4, 8}) {
        const Body body = irregular(youngs_modulus, material);
        MultilevelOptions options = always;
        options.lanes = 1;
        Trial here(body, multilevel(frame, iterations, 0, options));
        Trial there(body, on_device(multilevel(frame, iterations)));
        double moved = 0;
        for (Trial* run : {&here, &there}) {
          run->hold(on_left);
          const std::vector<Vec3d> before = run->positions();
          for (int step = 0; step < 3; ++step) run->step();
          moved = distance(run->positions(), before);
        }
        EXPECT_GT(moved, 1e-4);
        EXPECT_LT(distance(there.positions(), here.positions()), 1e-4 * moved)
            << traits_of(material).name << ", " << youngs_modulus << " Pa, " << iterations << " iterations";
        EXPECT_NEAR(there.evaluate().residual / here.evaluate().residual, 1, 0.05);
      }
    }
  }
}

TEST(DeviceMultilevel, RepeatsItself) {
  std::vector<uint64_t> hashes;
  for (int again = 0; again < 2; ++again) {
    Method method = multilevel(frame, 5);
    method.solve.precision = single_precision;
    Trial run(irregular(1e6), on_device(method));
    run.hold(on_left);
    for (int step = 0; step < 3; ++step) run.step();
    hashes.push_back(run.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

// Of any size, whatever lanes the CPU has.
TEST(DeviceMultilevel, HasTeams) {
  std::vector<std::vector<Vec3d>> ends;
  for (const double team : {1.0, 2.0, 16.0}) {
    Trial run(irregular(1e6), on_device(multilevel(frame, 30), {{"lanes", team}}));
    run.hold(on_left);
    run.step();
    ends.push_back(run.positions());
  }
  for (const auto& end : ends) EXPECT_LT(distance(end, ends[0]), 1e-8);
}

// A body that nothing holds keeps its momentum: the centre falls as a stone does.
TEST(DeviceMultilevel, LetsFreeBodiesFall) {
  Trial run(irregular(1e6), on_device(multilevel(frame, 3)));
  const auto centre = [&] {
    double height = 0, mass = 0;
    for (int32_t s = 0; s < run.model.slot_count(); ++s) {
      height += run.model.mass[s] * run.state.x[s].y;
      mass += run.model.mass[s];
    }
    return height / mass;
  };
  const double before = centre();
  for (int step = 0; step < 5; ++step) run.step();
  EXPECT_NEAR(centre() - before, -9.8 * frame * frame * 15, 1e-12);  // 1 + 2 + ... + 5
}

// Ties, grabs and gliding vertices: iteration by iteration as on the CPU, as far as corrections in single precision go.
void expect_as_on_the_cpu(SweepCase& c, const std::string& what) {
  for (const int precision : {double_precision, single_precision}) {
    for (const int iterations : {1, 6}) {
      MultilevelOptions options = always;
      options.lanes = 1;
      const auto here = make_multilevel({.precision = precision}, options);
      const auto there =
          make_on_device("multilevel", precision, {{"corrections", std::string("always")}, {"lanes", 1.0}});
      const std::vector<Vec3d> expected = iterated(*here, c.problem, c.pool, iterations);
      const std::vector<Vec3d> x = iterated(*there, c.problem, c.pool, iterations);
      EXPECT_TRUE(there->fault().ok());
      EXPECT_GT(there->corrections().nodes, 0) << what;
      EXPECT_EQ(there->corrections().nodes, here->corrections().nodes) << what;
      const double moved = largest_difference(c.model, expected, c.problem.x_start);
      EXPECT_GT(moved, 1e-4) << what;
      EXPECT_LT(largest_difference(c.model, x, expected), 1e-3 * moved)
          << what << ", " << iterations << " iterations, " << precision_names[precision];
    }
  }
}
TEST(DeviceMultilevel, TakesTies) {
  for (const auto& [name, body] : tied_bodies()) {
    SweepCase c(body, time_step, 0.01);
    expect_as_on_the_cpu(c, name);
  }
}
TEST(DeviceMultilevel, TakesGrabs) {
  for (const Body& body : {sprung(), irregular(1e6)}) {
    SweepCase c(body, time_step, 0.005);
    grab(c);
    expect_as_on_the_cpu(c, "grabbed");
  }
}
TEST(DeviceMultilevel, LetsVerticesGlide) {
  for (const Body& body : {sprung(), irregular(1e6)}) {
    SweepCase c(body, time_step, 0.005);
    let_glide(c);
    expect_as_on_the_cpu(c, "gliding");
  }
}

TEST(DeviceMultilevel, RefusesEquilibria) {
  Trial run(irregular(1e4), on_device(multilevel(0, 5)));
  run.hold(on_left);
  const Result<StepReport> report = run.try_step();
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message().find("equilibria"), std::string::npos) << report.error().message();
}

}  // namespace
}  // namespace sinew
