// Source: the objective of the CPU, whose formulas the device's kernels have; its sums have another order.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "objective/objective.h"
#include "solver/sweep_case.h"
#include "step/stepper.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::Body;
using support::every_material;

// A body that hangs and is shaken, on the device.
struct Shaken {
  Shaken(const Body& body, bool quasistatic, int precision, SolveOptions options = {.iterations = 3})
      : model(body.compile()), state(rest_state(model)) {
    PinScript pin;
    for (int32_t s = 0; s < model.slot_count(); ++s) {
      if (model.rest[static_cast<size_t>(s)].x > 1e-9 || model.mass[static_cast<size_t>(s)] == 0) continue;
      pin.slots.push_back(s);
      pin.start.push_back(model.rest[static_cast<size_t>(s)]);
    }
    PinScript rail;
    rail.fixed = {{0, 0, 1}};
    for (int32_t s = 0; s < model.slot_count() && rail.slots.empty(); ++s) {
      if (model.rest[static_cast<size_t>(s)].x < 0.5 || model.mass[static_cast<size_t>(s)] == 0) continue;
      rail.slots.push_back(s);
      rail.start.push_back(model.rest[static_cast<size_t>(s)]);
    }
    options.precision = precision;
    stepper.emplace(model, std::vector<PinScript>{pin, rail}, Stepper::Settings{quasistatic, 0.02, options},
                    make_on_device("vbd", precision), nullptr, pool);
    Random random(11);
    for (size_t s = 0; s < state.v.size(); ++s)
      state.v[s] = {random.between(-1, 1), random.between(-1, 1), model.blocks[0].plane() ? 0 : random.between(-1, 1)};
  }

  void expect_same_evaluations(const std::string& what) {
    for (int k = 0; k < 3; ++k) {
      const Result<StepReport> report = stepper->step_leaving(state);
      ASSERT_TRUE(report.ok()) << what << ": " << report.error().message();
      std::vector<Vec3d> forces;
      const std::optional<Evaluation> there = stepper->evaluate_there(&forces);
      ASSERT_TRUE(there.has_value()) << what;
      ASSERT_TRUE(stepper->fetch(state).ok());
      std::vector<Vec3d> expected(state.x.size());
      const Evaluation here = Objective(stepper->problem(), pool).evaluate(state.x, expected);
      const double scale = energy_scale(model, pool);
      EXPECT_NEAR(there->energy, here.energy, 1e-12 * (scale + std::abs(here.energy))) << what;
      EXPECT_NEAR(there->residual, here.residual, 1e-11 * here.residual + 1e-13 * scale) << what;
      EXPECT_NEAR(there->residual_max, here.residual_max, 1e-11 * here.residual + 1e-13 * scale) << what;
      EXPECT_NEAR(there->min_j, here.min_j, 1e-12) << what;
      EXPECT_EQ(there->inverted, here.inverted) << what;
      EXPECT_EQ(there->finite, here.finite) << what;
      EXPECT_GT(here.residual, 1e-3) << what;
      double largest = 0, difference = 0;
      for (size_t s = 0; s < expected.size(); ++s) {
        largest = std::max(largest, support::size(expected[s]));
        difference = std::max(difference, support::size(expected[s] - forces[s]));
      }
      EXPECT_LE(difference, 1e-12 * largest + 1e-13 * scale) << what;
    }
  }

  Model model;
  ThreadPool pool{2};
  State state;
  std::optional<Stepper> stepper;
};

TEST(DeviceObjective, IsThatOfTheCpu) {
  for (const MaterialKind material : every_material()) {
    const std::string name(traits_of(material).name);
    for (const bool quasistatic : {false, true})
      Shaken(assorted_body(material, MaterialKind::NeoHookean), quasistatic, double_precision)
          .expect_same_evaluations(name + (quasistatic ? ", quasistatic" : ""));
    Shaken(assorted_body(material, MaterialKind::Stvk), false, single_precision)
        .expect_same_evaluations(name + ", single");
    for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
      Body body = assorted_body(material, MaterialKind::NeoHookean);
      body.blocks[0].damping = 1e-2;
      body.damping_form = form;
      Shaken(body, false, double_precision).expect_same_evaluations(name + ", damped");
    }
  }
}

TEST(DeviceObjective, HasPlanesAndFactors) {
  Random random(5);
  Body plane = support::plane_body_of(support::rectangle({7, 5}, {3, 2}), MaterialKind::FixedCorotated);
  plane.blocks[0].damping = 1e-3;
  support::vary_stiffness(plane, random);
  Shaken(plane, false, double_precision).expect_same_evaluations("plane");
  Body solid = assorted_body(MaterialKind::StableNeoHookean, MaterialKind::Stvk);
  support::vary_stiffness(solid, random);
  Shaken(solid, false, double_precision).expect_same_evaluations("factors");
}

// The stop rule sees the device's residuals, and where the motions between its tests end.
TEST(DeviceObjective, EndsStepsAsTheCpuDoes) {
  const Body body = support::body_of(support::box({6, 3, 3}), MaterialKind::NeoHookean, 1e4);
  for (const int precision : {double_precision, single_precision}) {
    for (const double tolerance : {1e-2, 1e-5, 0.0}) {
      const SolveOptions options{.iterations = 400,
                                 .tolerance = tolerance,
                                 .relative_tolerance = tolerance > 0 ? 0 : 1e-3,
                                 .check_every = 4,
                                 .precision = precision};
      Shaken there(body, false, precision, options), here(body, false, precision, options);
      here.stepper->loads().push_back({});  // which keeps its steps on the CPU
      for (int k = 0; k < 4; ++k) {
        const Result<StepReport> a = there.stepper->step_leaving(there.state), b = here.stepper->step(here.state);
        ASSERT_TRUE(a.ok() && b.ok());
        EXPECT_EQ(a->status, b->status) << tolerance;
        EXPECT_EQ(a->iterations, b->iterations) << tolerance;
        EXPECT_GT(a->iterations, 4) << tolerance;
        EXPECT_NEAR(a->evaluation.residual, b->evaluation.residual, 1e-8 + 1e-8 * b->first_residual);
        EXPECT_NEAR(a->first_residual, b->first_residual, 1e-8 * b->first_residual);
      }
    }
  }
}

// What the device does not find, the CPU does.
TEST(DeviceObjective, LeavesTiesToTheCpu) {
  Shaken tied(support::tet_with_a_tail(), false, double_precision);
  ASSERT_TRUE(tied.stepper->step_leaving(tied.state).ok());
  EXPECT_FALSE(tied.stepper->evaluate_there(nullptr).has_value());
  Shaken free(support::body_of(support::box({3, 3, 3})), false, double_precision);
  EXPECT_FALSE(free.stepper->evaluate_there(nullptr).has_value()) << "no step was taken";
}

}  // namespace
}  // namespace sinew
