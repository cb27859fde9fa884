// Source: the accelerators of the CPU (tests/accel), whose rules are the same; sums on devices have another order,
// which only the measured rho feels.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "accel/accelerator_list.h"
#include "cuda/device_accelerator.h"
#include "cuda/device_sum.h"
#include "cuda/test_device.h"

namespace sinew {
namespace {

std::vector<Vec3d> accelerated(Solver& solver, Accelerator& accelerator, SweepCase& c, int iterations) {
  solver.prepare(c.model, c.pool);
  const Objective objective(c.problem, c.pool);
  for (int step = 0; step < 2; ++step) {  // the second forgets the first
    solver.begin_step(objective);
    accelerator.begin_step(solver.iterate_ref(), c.pool);
    for (int k = 1; k <= iterations; ++k) {
      solver.iterate();
      accelerator.apply(solver.iterate_ref(), k, c.pool);
      if (accelerator.moves_multipliers_alone()) solver.follow_multipliers();
    }
  }
  std::vector<Vec3d> x(c.problem.x_start.size());
  solver.positions(x);
  return x;
}

// In single precision stiff bodies of metres feel each contraction of a b + c, of which cards have more.
double rounding(int precision) {
  if (precision == double_precision) return 1e-11;
  return test_device()->emulated() ? 2e-5 : 5e-4;
}

struct Acceleration {
  std::string name;
  std::vector<NamedOption> options;
};

void expect_as_on_the_cpu(const std::string& solver, const Acceleration& how, int iterations = 6,
                          double youngs_modulus = 1e5) {
  Body body = body_of(box({4, 3, 2}, {2, 1.5, 1}), MaterialKind::NeoHookean, youngs_modulus);
  SweepCase c(body, time_step, 0.02);
  for (const int precision : {double_precision, single_precision}) {
    SolveOptions common;
    common.precision = precision;
    const std::vector<NamedOption> lanes = {{"lanes", 1.0}};
    const auto here = make_solver(*find_solver(solver), common, lanes, "solver", nullptr);
    const auto by = make_accelerator(how.name, how.options, "solver.accelerator");
    const auto there = make_on_device(solver, precision, lanes);
    const auto by_device = make_device_accelerator(how.name, how.options, "solver.accelerator", test_device());
    ASSERT_TRUE(here.ok() && by.ok() && by_device.ok());
    const std::vector<Vec3d> expected = accelerated(**here, **by, c, iterations);
    EXPECT_GT(largest_difference(c.model, expected, iterated(**here, c.problem, c.pool, iterations)), 1e-6)
        << "it changes something";
    const std::vector<Vec3d> x = accelerated(*there, **by_device, c, iterations);
    EXPECT_LE(largest_difference(c.model, x, expected), rounding(precision))
        << solver << ", " << how.name << ", " << precision_names[precision];
    for (int32_t s = 0; s < c.model.slot_count(); ++s) {
      if (!c.problem.held[s] || precision == single_precision) continue;
      EXPECT_EQ(support::size(x[s] - c.problem.x_start[s]), 0) << "held vertices stay";
    }
  }
}

TEST(DeviceAccelerator, ChebyshevIsThatOfTheCpu) {
  for (const std::string solver : {"vbd", "pbng", "xpbd"}) {
    expect_as_on_the_cpu(solver, {"chebyshev", {{"rho", 0.7}}});
    expect_as_on_the_cpu(solver, {"chebyshev", {{"rho", 0.6}, {"gamma", 0.9}, {"delay", 3.0}}});
  }
}
TEST(DeviceAccelerator, ChebyshevMeasuresItsRho) {
  expect_as_on_the_cpu("vbd", {"chebyshev", {}}, 14);
}
TEST(DeviceAccelerator, SorIsThatOfTheCpu) {
  for (const std::string solver : {"vbd", "pbng", "xpbd"}) {
    for (const std::string form : {"richardson", "sweep"})
      expect_as_on_the_cpu(solver, {"sor", {{"omega", 1.3}, {"form", form}}});
  }
}

// Enough iterations that the window is full and its oldest column leaves it.
TEST(DeviceAccelerator, AndersonIsThatOfTheCpu) {
  for (const std::string solver : {"vbd", "pbng"}) expect_as_on_the_cpu(solver, {"anderson", {{"window", 3.0}}}, 7);
  for (const std::string on : {"both", "positions"})
    expect_as_on_the_cpu("xpbd", {"anderson", {{"window", 3.0}, {"on", on}}}, 7);
  const double soft = 300;  // else it diverges
  expect_as_on_the_cpu("xpbd", {"anderson", {{"window", 3.0}, {"on", std::string("multipliers")}}}, 7, soft);
}

TEST(DeviceAccelerator, RefusesWhatItLacks) {
  const auto made = make_device_accelerator("nesterov", {}, "solver.accelerator", test_device());
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().where, "solver.accelerator");
  EXPECT_NE(made.error().message().find("chebyshev"), std::string::npos) << made.error().message();
  const std::vector<NamedOption> wrong = {{"omega", 3.0}};
  EXPECT_FALSE(make_device_accelerator("sor", wrong, "solver.accelerator", test_device()).ok());
}

// 1/1 + 1/2 + ...
TEST(DeviceSum, IsTheSum) {
  const auto device = test_device();
  for (const size_t count : {size_t{0}, size_t{1}, size_t{4095}, size_t{4096}, size_t{100000}}) {
    std::vector<Vec4<double>> here(count), zero(count, {0, 0, 0, 0});
    double expected = 0;
    for (size_t i = 0; i < count; ++i) {
      here[i] = {1 / std::sqrt(static_cast<double>(i + 1)), 0, 0, 0};
      expected += 1 / static_cast<double>(i + 1);
    }
    DeviceArray<Vec4<double>> a, b;
    a.upload(*device, here);
    b.upload(*device, zero);
    double sum = -1;
    device_sums(*device, static_cast<int64_t>(count), SquareOfChange<double>{a.data(), b.data()}, std::span(&sum, 1));
    EXPECT_NEAR(sum, expected, 1e-13 * expected);
  }
}

}  // namespace
}  // namespace sinew
