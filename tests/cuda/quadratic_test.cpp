// Source: the sweeps of the CPU over quadratic tets (tests/solver/quadratic_test.cpp), whose scalar kernel does the
// same operations in the same order; and Newton's method, where they end.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "cuda/tied_cases.h"
#include "solver/by_vertex/pbng.h"
#include "solver/by_vertex/vbd.h"
#include "solver/mixed_elements.h"
#include "support/constraint_bar.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::every_material;
using support::Method;
using support::on_left;
using support::Trial;
using support::with_middles;

constexpr MaterialKind nh = MaterialKind::NeoHookean;
constexpr int quadratic_sweeps = 5;
// Near a Poisson ratio of 1/2 sums cancel.
double quadratic_error(int precision) {
  return device_error(precision, 4000);
}

// Cells of half a metre.
SweepCase case_of(const Body& body) {
  return SweepCase(body, time_step, 0.02);
}
// mixed_body, in which vertices have tets of both kinds.
Body joined_body(MaterialKind first, MaterialKind second) {
  Body body = mixed_body(first, second);
  const size_t alone = body.mesh.tets.size() - 1;
  for (size_t e = alone - 5; e < alone; ++e) {
    body.mesh.middles[e].fill(no_middle);
    body.block_of_tet[e] = 2;
  }
  return body;
}

struct QuadraticRule {
  bool pbng = false;
  bool line_search = false;
  bool multipliers = true;
  int sweep_order = sweep_forward;
};
std::unique_ptr<Solver> quadratic_here(const QuadraticRule& rule, int precision, int layout) {
  if (rule.pbng) {
    return make_pbng({.precision = precision},
                     {.sweep_order = rule.sweep_order, .multipliers = rule.multipliers, .layout = layout, .lanes = 1});
  }
  return make_vbd({.precision = precision}, {.line_search = rule.line_search,
                                             .sweep_order = rule.sweep_order,
                                             .multipliers = rule.multipliers,
                                             .layout = layout,
                                             .lanes = 1});
}
std::unique_ptr<Solver> quadratic_there(const QuadraticRule& rule, int precision, int layout) {
  std::vector<NamedOption> options = {{"sweep_order", std::string(sweep_order_names[rule.sweep_order])},
                                      {"multipliers", rule.multipliers},
                                      {"layout", std::string(vertex_layout_names[layout])}};
  if (rule.line_search) options.push_back({"line_search", true});
  return make_on_device(rule.pbng ? "pbng" : "vbd", precision, options);
}

void expect_quadratic_as_on_the_cpu(SweepCase& c, const QuadraticRule& rule, const std::string& what) {
  for (const int precision : {double_precision, single_precision}) {
    for (const int layout : {layout_frames, layout_links}) {
      const std::string where = what + ", " + std::string(precision_names[precision]) + ", " +
                                std::string(vertex_layout_names[layout]) + (rule.pbng ? ", pbng" : ", vbd");
      const auto expected = quadratic_here(rule, precision, layout), tested = quadratic_there(rule, precision, layout);
      const std::vector<Vec3d> end = iterated(*expected, c.problem, c.pool, quadratic_sweeps);
      EXPECT_GT(largest_difference(c.model, end, c.problem.x_start), 1e-4) << where << ": they move";
      const std::vector<Vec3d> x = iterated(*tested, c.problem, c.pool, quadratic_sweeps);
      EXPECT_TRUE(tested->fault().ok());
      EXPECT_LE(largest_difference(c.model, x, end), quadratic_error(precision)) << where;
      std::vector<double> p, q;
      expected->pressures(p);
      tested->pressures(q);
      ASSERT_EQ(p.size(), q.size()) << where;
      for (size_t e = 0; e < p.size(); ++e) EXPECT_LE(std::abs(p[e] - q[e]), 1e4 * quadratic_error(precision)) << where;
    }
  }
}

class DeviceQuadraticOf : public testing::TestWithParam<MaterialKind> {};

TEST_P(DeviceQuadraticOf, HasTheSameBitsAsOnTheCpu) {
  SweepCase c = case_of(joined_body(GetParam(), nh));
  c.problem.pressures.assign(c.model.tets.size(), -20);
  for (const bool pbng : {false, true}) expect_quadratic_as_on_the_cpu(c, {.pbng = pbng}, "mixed");
}
TEST_P(DeviceQuadraticOf, NearlyIncompressibleHasTheSameBitsAsOnTheCpu) {
  SweepCase c = case_of(joined_body(nh, GetParam()));
  for (const bool multipliers : {false, true})
    expect_quadratic_as_on_the_cpu(c, {.multipliers = multipliers},
                                   multipliers ? "with multipliers" : "without multipliers");
}
TEST_P(DeviceQuadraticOf, WithDampingHasTheSameBitsAsOnTheCpu) {
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    Body body = joined_body(GetParam(), GetParam());
    body.damping_form = form;
    for (ElasticBlock& block : body.blocks) block.damping = 1e-2;
    SweepCase c = case_of(body);
    expect_quadratic_as_on_the_cpu(c, {.pbng = form == DampingForm::own_block}, "damped");
  }
}
// Whether a step is shortened may hang on the last bit.
TEST_P(DeviceQuadraticOf, WithLineSearchesHasTheSameBitsAsOnTheCpu) {
  if (quadratic_error(double_precision) > 0) GTEST_SKIP() << "bits differ where a b + c may be one rounding";
  Body body = joined_body(GetParam(), GetParam());
  body.blocks[0].damping = 1e-2;
  SweepCase c = case_of(body);
  expect_quadratic_as_on_the_cpu(c, {.line_search = true}, "with line searches");
}
TEST_P(DeviceQuadraticOf, OfEquilibriaHasTheSameBitsAsOnTheCpu) {
  SweepCase c = case_of(joined_body(GetParam(), GetParam()));
  c.problem.quasistatic = true;
  for (const bool pbng : {false, true}) expect_quadratic_as_on_the_cpu(c, {.pbng = pbng}, "at rest");
}
INSTANTIATE_TEST_SUITE_P(, DeviceQuadraticOf, testing::ValuesIn(every_material()),
                         [](const auto& of) { return std::string(traits_of(of.param).name); });

TEST(DeviceQuadratic, InEveryOrderHasTheSameBitsAsOnTheCpu) {
  SweepCase c = case_of(joined_body(nh, nh));
  for (const int order : {sweep_backward, sweep_symmetric, sweep_random})
    expect_quadratic_as_on_the_cpu(c, {.sweep_order = order}, std::string(sweep_order_names[order]));
}

TEST(DeviceQuadratic, OfClustersHasTheSameBitsAsOnTheCpu) {
  Body body = body_of(with_middles(box({6, 3, 3}, {3, 1.5, 1.5})), nh, 1000, 0.49);
  body.cluster_vertices = 100;
  SweepCase c = case_of(body);
  EXPECT_GT(c.model.clusters.count(), 1);
  expect_quadratic_as_on_the_cpu(c, {}, "clusters");
}

TEST(DeviceQuadratic, WithStiffnessFactorsHasTheSameBitsAsOnTheCpu) {
  Random random(3);
  Body body = joined_body(nh, nh);
  support::vary_stiffness(body, random);
  SweepCase c = case_of(body);
  expect_quadratic_as_on_the_cpu(c, {}, "of varied stiffness");
}

TEST(DeviceQuadratic, WithTiesGrabsAndGlidesHasTheSameBitsAsOnTheCpu) {
  Body body = joined_body(nh, MaterialKind::StableNeoHookean);
  const auto vertices = static_cast<int32_t>(body.mesh.vertices.size());
  for (int32_t v = 0; v + 9 < vertices; v += 4) body.ties.add_spring(v, v + 9, 200 + v, 0.5, v % 3 ? 0 : 0.01);
  SweepCase c = case_of(body);
  expect_quadratic_as_on_the_cpu(c, {}, "tied");
  grab(c);
  expect_quadratic_as_on_the_cpu(c, {}, "grabbed");
  let_glide(c);
  ASSERT_GT(c.problem.glides.size(), 5u);
  expect_quadratic_as_on_the_cpu(c, {}, "gliding");
}

TEST(DeviceQuadratic, RepeatsItself) {
  SweepCase c = case_of(joined_body(nh, MaterialKind::FixedCorotated));
  const auto once = iterated(*quadratic_there({}, single_precision, layout_auto), c.problem, c.pool, quadratic_sweeps);
  const auto again = iterated(*quadratic_there({}, single_precision, layout_auto), c.problem, c.pool, quadratic_sweeps);
  EXPECT_EQ(largest_difference(c.model, once, again), 0);
}

// New material parameters reach the device where nothing has to be built anew, and bring multipliers or take them.
TEST(DeviceQuadratic, TakesParameters) {
  SweepCase c = case_of(joined_body(MaterialKind::StableNeoHookean, MaterialKind::StableNeoHookean));
  const auto tested = quadratic_there({}, double_precision, layout_frames);
  iterated(*tested, c.problem, c.pool, 1);
  for (const double nu : {0.2, 0.495}) {
    c.model.blocks[1].material = elastic_material(MaterialKind::StableNeoHookean, lame_from(9000, nu));
    ASSERT_TRUE(tested->take_parameters(c.model));
    const Objective objective(c.problem, c.pool);
    tested->begin_step(objective);
    for (int k = 0; k < quadratic_sweeps; ++k) tested->iterate();
    std::vector<Vec3d> x(c.problem.x_start.size());
    tested->positions(x);
    const auto expected =
        iterated(*quadratic_here({}, double_precision, layout_frames), c.problem, c.pool, quadratic_sweeps);
    EXPECT_LE(largest_difference(c.model, x, expected), quadratic_error(double_precision)) << nu;
  }
  c.model.blocks[0].material = elastic_material(MaterialKind::StableNeoHookean, lame_from(1000, 0.49));
  EXPECT_FALSE(tested->take_parameters(c.model)) << "its tets have no multipliers as yet";
}

// Steps of a whole simulation, in which multipliers go on from step to step.
TEST(DeviceQuadratic, StepsEndAsOnTheCpu) {
  for (const bool quasistatic : {false, true}) {
    for (const int precision : {double_precision, single_precision}) {
      Body body = body_of(with_middles(box({2, 2, 2})), nh, 1000, 0.49);
      body.gravity = {0, -0.5, 0};
      Method m{.quasistatic = quasistatic, .h = quasistatic ? 1 : 0.01};
      m.solve = {.iterations = 60, .tolerance = 0.02, .precision = precision};
      m.make = [&](const SolveOptions&) { return quadratic_here({}, precision, layout_auto); };
      Trial here(body, m);
      m.make = [&](const SolveOptions&) { return quadratic_there({}, precision, layout_auto); };
      Trial there(body, m);
      for (Trial* run : {&here, &there}) run->hold(on_left);
      for (int step = 0; step < 3; ++step) {
        const StepReport expected = here.step(), report = there.step();
        EXPECT_EQ(report.status, expected.status);
        EXPECT_EQ(report.iterations, expected.iterations);
      }
      EXPECT_LE(largest_difference(here.model, here.state.x, there.state.x), 10 * quadratic_error(precision));
      ASSERT_EQ(here.state.pressures.size(), here.model.tets.size());
      ASSERT_EQ(there.state.pressures.size(), here.model.tets.size());
      double largest = 0;
      for (size_t e = 0; e < here.state.pressures.size(); ++e) {
        largest = std::max(largest, std::abs(here.state.pressures[e]));
        EXPECT_LE(std::abs(here.state.pressures[e] - there.state.pressures[e]), 1e5 * quadratic_error(precision));
      }
      EXPECT_GT(largest, 0.05) << "they have grown";
    }
  }
}

TEST(DeviceQuadratic, SweepsEndWhereNewtonDoes) {
  for (const MaterialKind material : {nh, MaterialKind::LinearElastic}) {
    Body body = body_of(with_middles(box({1, 1, 1})), material, 1000, 0.45);
    body.gravity = {0, -0.5, 0};
    const auto end_of = [&](const Method& method) {
      Trial run(body, method);
      run.hold(on_left);
      EXPECT_EQ(run.step().status, SolveStatus::converged);
      return run.positions();
    };
    Method m{.kind = Method::newton, .quasistatic = true, .h = 1};
    m.solve = {.iterations = 20000, .tolerance = 1e-7, .check_every = 20, .precision = double_precision};
    const std::vector<Vec3d> expected = end_of(m);
    for (const bool line_search : {false, true}) {
      m.make = [&](const SolveOptions&) {
        return quadratic_there({.line_search = line_search}, double_precision, layout_auto);
      };
      EXPECT_LT(support::largest_coordinate(end_of(m), expected), 1e-6) << traits_of(material).name;
    }
  }
}

TEST(DeviceQuadratic, ALackOfMemoryIsAFault) {
  SweepCase c = case_of(joined_body(nh, MaterialKind::LinearElastic));
  const auto full = make_on_device("vbd", single_precision, {}, emulated_device());
  iterated(*full, c.problem, c.pool, 2);
  ASSERT_TRUE(full->fault().ok());
  for (size_t memory = 0; memory < full->memory_bytes() / 2; memory += full->memory_bytes() / 50) {
    const auto tested = make_on_device("vbd", single_precision, {}, emulated_device(memory));
    iterated(*tested, c.problem, c.pool, 2);
    EXPECT_FALSE(tested->fault().ok()) << memory;
  }
}

TEST(DeviceQuadratic, OthersAreRefused) {
  SweepCase c = case_of(joined_body(nh, nh));
  for (const std::string name : {"vbd", "pbng"}) EXPECT_TRUE(make_on_device(name, single_precision)->check(c.model));
  for (const std::string name : {"xpbd", "multilevel"}) {
    const Status status = make_on_device(name, single_precision)->check(c.model);
    ASSERT_FALSE(status) << name;
    const std::string message = status.error().message();
    for (const std::string& part : {std::string("quadratic tets"), name, std::string("use device \"cpu\"")})
      EXPECT_NE(message.find(part), std::string::npos) << message;
    const SweepCase linear = case_of(body_of(box({2, 1, 1})));
    EXPECT_TRUE(make_on_device(name, single_precision)->check(linear.model)) << name;
  }
}

}  // namespace
}  // namespace sinew
