// Source: the sweeps of the CPU (tests/solver/vertex_sweep_test.cpp), whose scalar kernel does the same operations in
// the same order; teams add up in another order, and then there is the definition, in reference_sweeps.h.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contact/contacts.h"
#include "cuda/test_device.h"
#include "model/clusters.h"
#include "solver/by_vertex/pbng.h"
#include "solver/by_vertex/vbd.h"
#include "solver/reference_sweeps.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::every_material;

// Bodies of a few metres, after this many sweeps.
constexpr int vertex_sweeps = 5;
double same_order(int precision) {
  return device_error(precision, 800);
}
double other_order(int precision) {
  return precision == double_precision ? 5e-12 : 5e-5;
}

std::vector<Vec3d> on_device(SweepCase& c, const std::string& name, int precision,
                             const std::vector<NamedOption>& options, int iterations = vertex_sweeps) {
  const auto solver = make_on_device(name, precision, options);
  std::vector<Vec3d> x = iterated(*solver, c.problem, c.pool, iterations);
  EXPECT_TRUE(solver->fault().ok());
  return x;
}

void expect_vbd_as_on_the_cpu(SweepCase& c, const std::string& what, VbdOptions options = {}) {
  for (const int precision : {double_precision, single_precision}) {
    for (const int layout : {layout_frames, layout_links}) {
      options.layout = layout;
      options.lanes = 1;
      const std::vector<Vec3d> expected =
          iterated(*make_vbd({.precision = precision}, options), c.problem, c.pool, vertex_sweeps);
      EXPECT_GT(largest_difference(c.model, expected, c.problem.x_start), 1e-3) << "they move";
      for (const int team : {1, 2, 4, 8, 16}) {
        if (options.line_search && team > 1) continue;  // it has no teams
        const std::vector<Vec3d> x = on_device(c, "vbd", precision,
                                               {{"layout", std::string(vertex_layout_names[layout])},
                                                {"lanes", static_cast<double>(team)},
                                                {"line_search", options.line_search},
                                                {"sweep_order", std::string(sweep_order_names[options.sweep_order])}});
        EXPECT_LE(largest_difference(c.model, x, expected), team == 1 ? same_order(precision) : other_order(precision))
            << what << ", " << vertex_layout_names[layout] << ", teams of " << team << ", "
            << precision_names[precision];
        for (int32_t s = 0; s < c.model.slot_count(); ++s) {
          if (!c.problem.held[s] || precision == single_precision) continue;
          EXPECT_EQ(support::size(x[s] - c.problem.x_start[s]), 0) << "held vertices stay";
        }
      }
    }
  }
}

class DeviceVertexSweepOf : public testing::TestWithParam<MaterialKind> {};

TEST_P(DeviceVertexSweepOf, HasTheSameBitsAsOnTheCpu) {
  for (const MaterialKind second : every_material()) {
    SweepCase c(assorted_body(GetParam(), second), time_step);
    expect_vbd_as_on_the_cpu(c, std::string("beside ") + traits_of(second).name);
  }
}
TEST_P(DeviceVertexSweepOf, AloneHasTheSameBitsAsOnTheCpu) {
  SweepCase c(body_of(assorted(), GetParam()), time_step);
  expect_vbd_as_on_the_cpu(c, "alone");
}
TEST_P(DeviceVertexSweepOf, WithDampingHasTheSameBitsAsOnTheCpu) {
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
    body.blocks[0].damping = 1e-2;
    body.damping_form = form;
    SweepCase c(body, time_step);
    expect_vbd_as_on_the_cpu(c, "damped");
  }
}
INSTANTIATE_TEST_SUITE_P(, DeviceVertexSweepOf, testing::ValuesIn(every_material()),
                         [](const auto& of) { return std::string(traits_of(of.param).name); });

TEST(DeviceVertexSweep, OfAPlaneHasTheSameBitsAsOnTheCpu) {
  for (const MaterialKind material : {MaterialKind::NeoHookean, MaterialKind::FixedCorotated}) {
    SweepCase c(support::plane_body_of(support::rectangle({7, 5}, {3, 2}), material), time_step, 0.05);
    for (Vec3d& x : c.problem.x_start) x.z = 0;
    expect_vbd_as_on_the_cpu(c, "in the plane");
  }
}

TEST(DeviceVertexSweep, WithStiffnessFactorsHasTheSameBitsAsOnTheCpu) {
  Random random(3);
  Body body = assorted_body(MaterialKind::NeoHookean, MaterialKind::StableNeoHookean);
  support::vary_stiffness(body, random);
  SweepCase c(body, time_step);
  expect_vbd_as_on_the_cpu(c, "of varied stiffness");
}

TEST(DeviceVertexSweep, InEveryOrderHasTheSameBitsAsOnTheCpu) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::Stvk), time_step);
  for (const int order : {sweep_forward, sweep_backward, sweep_symmetric, sweep_random})
    expect_vbd_as_on_the_cpu(c, std::string(sweep_order_names[order]), {.sweep_order = order});
}

// Whether a step is shortened may hang on the last bit.
TEST(DeviceVertexSweep, WithLineSearchesHasTheSameBitsAsOnTheCpu) {
  if (same_order(double_precision) > 0) GTEST_SKIP() << "bits differ where a b + c may be one rounding";
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::StableNeoHookean), time_step);
  expect_vbd_as_on_the_cpu(c, "with line searches", {.line_search = true});
}

// Clusters of a phase share no element, and so a device sweeps their colours at once.
TEST(DeviceVertexSweep, OfClustersHasTheSameBitsAsOnTheCpu) {
  for (const int32_t size : {64, whole_mesh}) {
    Body body = body_of(box({9, 6, 5}, {4.5, 3, 2.5}));
    body.cluster_vertices = size;
    SweepCase c(body, time_step);
    EXPECT_EQ(c.model.clusters.count() > 1, size == 64);
    expect_vbd_as_on_the_cpu(c, "clusters of " + std::to_string(size));
  }
}

TEST(DeviceVertexSweep, OfEquilibriaHasTheSameBitsAsOnTheCpu) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::FixedCorotated), time_step);
  c.problem.quasistatic = true;
  for (const int precision : {double_precision, single_precision}) {
    const auto pbng = make_pbng({.precision = precision}, {.layout = layout_links, .lanes = 1});
    const std::vector<Vec3d> expected = iterated(*pbng, c.problem, c.pool, vertex_sweeps);
    const std::vector<Vec3d> x = on_device(c, "pbng", precision, {{"layout", std::string("links")}, {"lanes", 1.0}});
    EXPECT_LE(largest_difference(c.model, x, expected), same_order(precision)) << precision_names[precision];
  }
}

// A hundred sweeps forget how sums were ordered.
TEST(DeviceVertexSweep, IsTheDefinition) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::MooneyRivlin), time_step);
  std::vector<Vec3d> expected = c.problem.x_start;
  const ReferenceVbd reference(c.problem);
  for (int k = 0; k < 100; ++k) reference.sweep(expected);
  for (const int precision : {double_precision, single_precision})
    EXPECT_LT(largest_difference(c.model, on_device(c, "vbd", precision, {}, 100), expected), other_order(precision));
}

TEST(DeviceVertexSweep, RepeatsItself) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::FixedCorotated), time_step);
  const std::vector<Vec3d> once = on_device(c, "vbd", single_precision, {});
  EXPECT_EQ(largest_difference(c.model, once, on_device(c, "vbd", single_precision, {})), 0);
}

// New material parameters reach the device where nothing has to be built anew.
TEST(DeviceVertexSweep, TakesParameters) {
  SweepCase c(body_of(assorted(), MaterialKind::StableNeoHookean), time_step);
  const auto solver = make_on_device("vbd", double_precision, {{"lanes", 1.0}});
  iterated(*solver, c.problem, c.pool, 1);
  c.model.blocks[0].material = elastic_material(MaterialKind::StableNeoHookean, lame_from(9000, 0.2));
  ASSERT_TRUE(solver->take_parameters(c.model));
  const Objective objective(c.problem, c.pool);
  solver->begin_step(objective);
  for (int k = 0; k < vertex_sweeps; ++k) solver->iterate();
  std::vector<Vec3d> x(c.problem.x_start.size());
  solver->positions(x);
  const auto expected =
      iterated(*make_vbd({.precision = double_precision}, {.lanes = 1}), c.problem, c.pool, vertex_sweeps);
  EXPECT_LE(largest_difference(c.model, x, expected), same_order(double_precision));
}

std::string error_of(const Status& status) {
  return status ? "" : status.error().message();
}
#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(DeviceVertexSweep, RefusesWhatItLacks) {
  const auto vbd = make_on_device("vbd", double_precision);
  SweepCase c(body_of(assorted()), time_step);
  EXPECT_EQ(error_of(vbd->check(c.model)), "");
  EXPECT_EQ(error_of(vbd->check_step(c.problem)), "");
  const Contacts contacts({}, {}, {}, c.pool);
  StepProblem touching = c.problem;
  touching.contacts = &contacts;
  EXPECT_SAYS(error_of(make_on_device("xpbd", double_precision)->check_step(touching)), "contact");
  SolveOptions common;
  common.device = on_emulated;
  const auto newton = make_device_solver(*find_solver("newton"), common, {}, "solver", test_device());
  ASSERT_FALSE(newton.ok());
  EXPECT_SAYS(newton.error().message(), "use device \"cpu\"");
}

}  // namespace
}  // namespace sinew
