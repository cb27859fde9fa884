// Source: the CPU's scalar kernels, which do the same operations in the same order: springs, bindings, muscles, grabs
// and gliding vertices in sweeps by vertex and by constraint.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "cuda/tied_cases.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/pbng.h"
#include "solver/by_vertex/vbd.h"

namespace sinew {
namespace {

constexpr int tied_sweeps = 5;

struct Tried {
  std::string name;
  std::unique_ptr<Solver> (*on_cpu)(int precision, int layout, int sweep_order, bool line_search);
  bool by_vertex;
};
const Tried tried[] = {
    {"vbd",
     [](int precision, int layout, int order, bool line_search) {
       return make_vbd({.precision = precision},
                       {.line_search = line_search, .sweep_order = order, .layout = layout, .lanes = 1});
     },
     true},
    {"pbng",
     [](int precision, int layout, int order, bool) {
       return make_pbng({.precision = precision}, {.sweep_order = order, .layout = layout, .lanes = 1});
     },
     true},
    {"xpbd",
     [](int precision, int, int order, bool) {
       return make_xpbd({.precision = precision}, {.sweep_order = order, .lanes = 1});
     },
     false},
};

void expect_as_on_the_cpu(SweepCase& c, const Tried& method, const std::string& what, int sweep_order = sweep_forward,
                          bool line_search = false) {
  for (const int precision : {double_precision, single_precision}) {
    for (const int layout : {layout_frames, layout_links}) {
      if (layout == layout_links && !method.by_vertex) continue;
      const auto here = method.on_cpu(precision, layout, sweep_order, line_search);
      const std::vector<Vec3d> expected = iterated(*here, c.problem, c.pool, tied_sweeps);
      EXPECT_GT(largest_difference(c.model, expected, c.problem.x_target), 1e-4) << what << ": they move";
      std::vector<NamedOption> options = {{"sweep_order", std::string(sweep_order_names[sweep_order])}};
      if (method.by_vertex) {
        options.push_back({"lanes", 1.0});
        options.push_back({"layout", std::string(vertex_layout_names[layout])});
      }
      if (line_search) options.push_back({"line_search", true});
      const auto there = make_on_device(method.name, precision, options);
      const std::vector<Vec3d> x = iterated(*there, c.problem, c.pool, tied_sweeps);
      EXPECT_TRUE(there->fault().ok());
      EXPECT_LE(largest_difference(c.model, x, expected), device_error(precision, method.by_vertex ? 2000 : 20000))
          << method.name << ", " << what << ", " << precision_names[precision] << ", " << vertex_layout_names[layout];
    }
  }
}

class DeviceTiesOf : public testing::TestWithParam<int> {
 protected:
  const Tried& method() const { return tried[GetParam()]; }
};

TEST_P(DeviceTiesOf, HaveTheSameBitsAsOnTheCpu) {
  for (const auto& [name, body] : tied_bodies()) {
    SweepCase c(body, time_step, 0.02);
    expect_as_on_the_cpu(c, method(), name);
  }
}
TEST_P(DeviceTiesOf, InEveryOrderHaveTheSameBits) {
  SweepCase c(sprung(), time_step, 0.02);
  for (const int order : {sweep_backward, sweep_symmetric, sweep_random})
    expect_as_on_the_cpu(c, method(), std::string(sweep_order_names[order]), order);
}
TEST_P(DeviceTiesOf, AndGrabsHaveTheSameBits) {
  for (Body body : {sprung(), assorted_body(MaterialKind::NeoHookean, MaterialKind::NeoHookean)}) {
    SweepCase c(body, time_step, 0.02);
    grab(c);
    expect_as_on_the_cpu(c, method(), "grabbed");
  }
}
TEST_P(DeviceTiesOf, AndGlidesHaveTheSameBits) {
  for (Body body : {sprung(), assorted_body(MaterialKind::NeoHookean, MaterialKind::NeoHookean)}) {
    SweepCase c(body, time_step, 0.02);
    let_glide(c);
    ASSERT_GT(c.problem.glides.size(), 5u);
    expect_as_on_the_cpu(c, method(), "gliding");
    const auto there = make_on_device(method().name, double_precision);
    const std::vector<Vec3d> x = iterated(*there, c.problem, c.pool, tied_sweeps);
    double moved = 0;
    for (const Glide& g : c.problem.glides) {
      const Vec3d p = x[static_cast<size_t>(g.slot)];
      EXPECT_LT(support::size(g.settled(p) - p), 1e-12) << "in its plane or on its axis";
      moved = std::max(moved, support::size(p - c.problem.x_start[static_cast<size_t>(g.slot)]));
    }
    EXPECT_GT(moved, 1e-4);
  }
}
INSTANTIATE_TEST_SUITE_P(, DeviceTiesOf, testing::Range(0, 3), [](const auto& of) { return tried[of.param].name; });

TEST(DeviceTies, OfEquilibriaHaveTheSameBits) {
  for (const auto& [name, body] : tied_bodies()) {
    if (name == "a chain" || name == "a grid of springs") continue;  // free across
    SweepCase c(body, time_step, 0.02);
    c.problem.quasistatic = true;
    expect_as_on_the_cpu(c, tried[0], name + " at rest");
  }
}

// Whether a step is shortened may hang on the last bit.
TEST(DeviceTies, WithLineSearchesHaveTheSameBits) {
  if (device_error(double_precision, 1) > 0) GTEST_SKIP() << "bits differ where a b + c may be one rounding";
  for (const auto& [name, body] : tied_bodies()) {
    SweepCase c(body, time_step, 0.02);
    grab(c);
    expect_as_on_the_cpu(c, tried[0], name, sweep_forward, true);
  }
}

// Grabs come and go from step to step: what was recorded for a step without them is not played.
TEST_P(DeviceTiesOf, TakeGrabsAsTheyComeAndGo) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::NeoHookean), time_step, 0.02);
  const auto here = method().on_cpu(double_precision, layout_frames, sweep_forward, false);
  std::vector<NamedOption> options;
  if (method().by_vertex) options = {{"lanes", 1.0}, {"layout", std::string("frames")}};
  const auto there = make_on_device(method().name, double_precision, options);
  here->prepare(c.model, c.pool);
  there->prepare(c.model, c.pool);
  for (const int grabs : {0, 2, 1, 0, 1}) {
    grab(c);
    c.problem.grabs.resize(static_cast<size_t>(grabs));
    const Objective objective(c.problem, c.pool);
    std::vector<Vec3d> x(c.problem.x_start.size()), expected = x;
    for (Solver* solver : {here.get(), there.get()}) {
      solver->begin_step(objective);
      for (int k = 0; k < tied_sweeps; ++k) solver->iterate();
      solver->positions(solver == here.get() ? expected : x);
    }
    EXPECT_LE(largest_difference(c.model, x, expected), device_error(double_precision, 20000)) << grabs;
  }
}

}  // namespace
}  // namespace sinew
