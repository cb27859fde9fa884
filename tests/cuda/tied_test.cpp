// Source: the CPU's scalar kernels, which do the same operations in the same order: springs, bindings, muscles, grabs
// and gliding vertices in sweeps by vertex and by constraint.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/pbng.h"
#include "solver/by_vertex/vbd.h"
#include "support/tied.h"

namespace sinew {
namespace {

constexpr int sweeps = 5;

Activation half_tense() {
  Activation a;
  a.times = {0};
  a.values = {0.5};
  return a;
}

// Springs inside a body and between two, some of them damped, a weak constraint with a normal, and a tail of springs.
Body sprung() {
  Body body = assorted_body(MaterialKind::NeoHookean, MaterialKind::StableNeoHookean);
  const auto vertices = static_cast<int32_t>(body.mesh.vertices.size());
  for (int32_t v = 0; v + 9 < vertices; v += 4) {
    const double length = support::size(body.mesh.vertices[v] - body.mesh.vertices[v + 9]);
    body.ties.add_spring(v, v + 9, 200 + v, 0.9 * length, v % 3 ? 0 : 0.01);
  }
  const int32_t ends[] = {2, 7, 12};
  const double weights[] = {1, -0.25, -0.75};
  body.ties.add(weak_constraint_law(500, 100, {0.6, 0, 0.8}), ends, weights);
  body.point_mass.assign(body.mesh.vertices.size(), 0);
  body.point_mass.back() = 1;
  return body;
}

std::vector<std::pair<std::string, Body>> bodies() {
  return {{"springs", sprung()},
          {"a chain", support::chain(7, 0.3, 100)},
          {"a grid of springs", support::spring_grid(5, 50)},
          {"bindings", support::bound_boxes(2, 0.01, weak_constraint_law(300, 100, {0, 1, 0}))},
          {"a muscle", support::muscle(half_tense())}};
}

// The end at a vertex of a face, as interactive grabs have it, and two at one vertex.
void grab(SweepCase& c) {
  const Tet& tet = c.model.tets.empty() ? Tet{} : c.model.tets[c.model.tets.size() / 2];
  Grab face;
  face.count = 3;
  face.weights = {0.2, 0.3, 0.5};
  for (size_t k = 0; k < 3; ++k) face.vertices[k] = tet[k + 1];
  face.stiffness = 400;
  face.anchor = c.problem.x_start[static_cast<size_t>(tet[1])] + Vec3d{0.2, 0.1, -0.1};
  Grab vertex;
  vertex.count = 1;
  vertex.vertices = {tet[1], 0, 0};
  vertex.weights = {1, 0, 0};
  vertex.stiffness = 150;
  vertex.anchor = face.anchor + Vec3d{0, 0.3, 0};
  c.problem.grabs = {face, vertex};
}

// Every third free vertex in a plane or on an axis.
void let_glide(SweepCase& c) {
  int count = 0;
  for (int32_t s = 0; s < c.model.slot_count(); ++s) {
    if (c.problem.held[s] || c.model.order.is_padding(Slot{s}) || ++count % 3) continue;
    Glide g;
    g.slot = s;
    const Vec3d n = count % 2 ? Vec3d{0.6, 0.8, 0} : Vec3d{0, 0, 1};
    g.fixed = Sym3<double>{};
    if (count % 4 < 2) {
      add_outer(g.fixed, 1.0, n);
    } else {
      add_identity(g.fixed, 1.0);
      add_outer(g.fixed, -1.0, n);
    }
    g.at = c.model.rest[s];
    c.problem.x_start[s] = g.settled(c.problem.x_start[s]);
    c.problem.x_target[s] = g.settled(c.problem.x_target[s]);
    c.problem.glides.push_back(g);
  }
}

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
      const std::vector<Vec3d> expected = iterated(*here, c.problem, c.pool, sweeps);
      EXPECT_GT(largest_difference(c.model, expected, c.problem.x_target), 1e-4) << what << ": they move";
      std::vector<NamedOption> options = {{"sweep_order", std::string(sweep_order_names[sweep_order])}};
      if (method.by_vertex) {
        options.push_back({"lanes", 1.0});
        options.push_back({"layout", std::string(vertex_layout_names[layout])});
      }
      if (line_search) options.push_back({"line_search", true});
      const auto there = make_on_device(method.name, precision, options);
      const std::vector<Vec3d> x = iterated(*there, c.problem, c.pool, sweeps);
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
  for (const auto& [name, body] : bodies()) {
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
    for (const Glide& g : c.problem.glides) EXPECT_LT(support::size(g.settled(g.at) - g.at), 1e-15);
  }
}
INSTANTIATE_TEST_SUITE_P(, DeviceTiesOf, testing::Range(0, 3),
                         [](const auto& of) { return tried[of.param].name; });

TEST(DeviceTies, OfEquilibriaHaveTheSameBits) {
  for (const auto& [name, body] : bodies()) {
    if (name == "a chain" || name == "a grid of springs") continue;  // free across
    SweepCase c(body, time_step, 0.02);
    c.problem.quasistatic = true;
    expect_as_on_the_cpu(c, tried[0], name + " at rest");
  }
}

// Whether a step is shortened may hang on the last bit.
TEST(DeviceTies, WithLineSearchesHaveTheSameBits) {
  if (device_error(double_precision, 1) > 0) GTEST_SKIP() << "bits differ where a b + c may be one rounding";
  for (const auto& [name, body] : bodies()) {
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
      for (int k = 0; k < sweeps; ++k) solver->iterate();
      solver->positions(solver == here.get() ? expected : x);
    }
    EXPECT_LE(largest_difference(c.model, x, expected), device_error(double_precision, 20000)) << grabs;
  }
}

}  // namespace
}  // namespace sinew
