// Source: the sweeps by constraint of the CPU (tests/solver/constraint_sweep_test.cpp), whose scalar kernel does the
// same operations in the same order.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "solver/by_constraint/xpbd.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::xpbd_materials;

constexpr int constraint_sweeps = 3;

void expect_xpbd_as_on_the_cpu(SweepCase& c, const std::string& what, XpbdOptions options = {}) {
  options.lanes = 1;
  for (const int precision : {double_precision, single_precision}) {
    const std::vector<Vec3d> expected =
        iterated(*make_xpbd({.precision = precision}, options), c.problem, c.pool, constraint_sweeps);
    EXPECT_GT(largest_difference(c.model, expected, c.problem.x_target), 1e-3) << "they move";
    const auto xpbd = make_on_device("xpbd", precision,
                                     {{"order", std::string(constraint_order_names[options.order])},
                                      {"groups", static_cast<double>(options.groups)},
                                      {"jacobi_scale", options.jacobi_scale},
                                      {"sweep_order", std::string(sweep_order_names[options.sweep_order])}});
    const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, constraint_sweeps);
    EXPECT_TRUE(xpbd->fault().ok());
    EXPECT_LE(largest_difference(c.model, x, expected), device_error(precision, 8000))
        << what << ", " << constraint_order_names[options.order] << ", " << precision_names[precision];
  }
}
void expect_every_order(SweepCase& c, const std::string& what) {
  for (const int order : {order_colors, order_cliques, order_jacobi})
    expect_xpbd_as_on_the_cpu(c, what, {.order = order, .groups = 4});
}

class DeviceConstraintSweepOf : public testing::TestWithParam<MaterialKind> {};

TEST_P(DeviceConstraintSweepOf, HasTheSameBitsAsOnTheCpu) {
  for (const MaterialKind second : xpbd_materials()) {
    SweepCase c(assorted_body(GetParam(), second), time_step, 0.05);
    expect_every_order(c, std::string("beside ") + traits_of(second).name);
  }
}
TEST_P(DeviceConstraintSweepOf, OfVariedStiffnessHasTheSameBitsAsOnTheCpu) {
  Random random(3);
  Body body = body_of(assorted(), GetParam());
  support::vary_stiffness(body, random);
  SweepCase c(body, time_step, 0.05);
  expect_every_order(c, "of varied stiffness");
}
TEST_P(DeviceConstraintSweepOf, InThePlaneHasTheSameBitsAsOnTheCpu) {
  SweepCase c(support::plane_body_of(support::rectangle({7, 5}, {3, 2}), GetParam()), time_step, 0.05);
  for (auto* x : {&c.problem.x_prev, &c.problem.x_start, &c.problem.x_target})
    for (Vec3d& p : *x) p.z = 0;
  expect_every_order(c, "in the plane");
}
INSTANTIATE_TEST_SUITE_P(, DeviceConstraintSweepOf, testing::ValuesIn(xpbd_materials()),
                         [](const auto& of) { return std::string(traits_of(of.param).name); });

TEST(DeviceConstraintSweep, InEveryOrderHasTheSameBitsAsOnTheCpu) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::Stvk), time_step, 0.05);
  for (const int sweep_order : {sweep_forward, sweep_backward, sweep_symmetric, sweep_random})
    expect_xpbd_as_on_the_cpu(c, std::string(sweep_order_names[sweep_order]), {.sweep_order = sweep_order});
}

TEST(DeviceConstraintSweep, ScalesChangesAsTheCpuDoes) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::Stvk), time_step, 0.05);
  expect_xpbd_as_on_the_cpu(c, "scaled", {.order = order_jacobi, .jacobi_scale = 0.1});
}

// A step begins with multipliers of zero, whatever the last one left.
TEST(DeviceConstraintSweep, BeginsEachStepAnew) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::Stvk), time_step, 0.05);
  const auto xpbd = make_on_device("xpbd", single_precision);
  const std::vector<Vec3d> once = iterated(*xpbd, c.problem, c.pool, constraint_sweeps);
  const Objective objective(c.problem, c.pool);
  xpbd->begin_step(objective);
  for (int k = 0; k < constraint_sweeps; ++k) xpbd->iterate();
  std::vector<Vec3d> x(once.size());
  xpbd->positions(x);
  EXPECT_EQ(largest_difference(c.model, x, once), 0);
}

}  // namespace
}  // namespace sinew
