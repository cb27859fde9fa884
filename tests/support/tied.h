// Bodies of springs, two boxes bound by weak constraints, and any solver on them by name.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accel/accelerator_list.h"
#include "linear/linear_solvers.h"
#include "objective/objective.h"
#include "solver/solver.h"
#include "solver/solver_list.h"
#include "step/stepper.h"
#include "support/body.h"

namespace sinew::support {

// Vertices 0 .. links along x, `spacing` apart, of `mass` each.
inline Body chain(int links, double spacing, double stiffness, double mass = 1) {
  Body body{.mesh = {}};
  for (int v = 0; v <= links; ++v) body.mesh.vertices.push_back({v * spacing, 0, 0});
  for (int v = 0; v < links; ++v) body.ties.add_spring(v, v + 1, stiffness, spacing);
  body.point_mass.assign(body.mesh.vertices.size(), mass);
  return body;
}

// A tet with three points in a row behind its vertex 1: springs 1-4 and 4-5 of 1 m, and 5-6 of length 0.
inline Body tet_with_a_tail() {
  Body body = body_of(one_tet());
  for (int v = 0; v < 3; ++v) body.mesh.vertices.push_back({v + 2.0, 0, 0});
  body.point_mass.assign(body.mesh.vertices.size(), 1.0);
  body.ties.add_spring(1, 4, 10, 1);
  body.ties.add_spring(4, 5, 10, 1);
  body.ties.add_spring(5, 6, 10, 0);
  return body;
}

// Springs along the edges of n x n cells in the plane z = 0.
inline Body spring_grid(int n, double stiffness) {
  Body body{.mesh = {}};
  const double spacing = 1.0 / n;
  const auto at = [&](int i, int j) { return i + (n + 1) * j; };
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) body.mesh.vertices.push_back({i * spacing, j * spacing, 0});
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      if (i < n) body.ties.add_spring(at(i, j), at(i + 1, j), stiffness, spacing);
      if (j < n) body.ties.add_spring(at(i, j), at(i, j + 1), stiffness, spacing);
    }
  }
  body.point_mass.assign(body.mesh.vertices.size(), 1.0 / static_cast<double>(body.mesh.vertices.size()));
  return body;
}

// A unit box of `cells`^3 and below it one of (cells + 1)^3, `gap` apart. Each vertex of the lower one's upper face is
// bound to its place on the upper one's lower face, by bilinear weights of a cell's four corners: ties of five ends.
inline Body bound_boxes(int cells, double gap, const TieLaw<double>& law) {
  TetMesh upper = box({cells, cells, cells}), lower = box({cells + 1, cells + 1, cells + 1});
  for (Vec3d& x : lower.vertices) x.y -= 1 + gap;
  const auto first = static_cast<int32_t>(upper.vertices.size());
  Body body = body_of(together(std::move(upper), lower));
  const int n = cells + 1, m = cells + 2;  // vertices along an edge
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < m; ++i) {
      const auto place = [&](int index) {
        const double at = static_cast<double>(index) * cells / (cells + 1);
        const int cell = std::min(static_cast<int>(at), cells - 1);
        return std::pair{cell, at - cell};
      };
      const auto [a, s] = place(i);
      const auto [b, t] = place(k);
      const auto bottom = [&](int x, int z) { return x + n * n * z; };
      const std::array<int32_t, 5> ends{first + i + m * (cells + 1) + m * m * k, bottom(a, b), bottom(a + 1, b),
                                        bottom(a, b + 1), bottom(a + 1, b + 1)};
      const std::array<double, 5> weights{1, -(1 - s) * (1 - t), -s * (1 - t), -(1 - s) * t, -s * t};
      body.ties.add(law, ends, weights);
    }
  }
  return body;
}

// A box 0.4 m long of E = 1000 Pa, with fibres that pull up to 300 Pa along it and a little up.
inline Body muscle(const Activation& activation, std::array<int32_t, 3> cells = {4, 2, 2}) {
  Body body = body_of(box(cells, {0.4, 0.2, 0.2}));
  const Vec3d along = (1 / size(Vec3d{1, 0.2, 0.1})) * Vec3d{1, 0.2, 0.1};
  for (const Tet& t : body.mesh.tets) body.ties.add_fibre(t, body.mesh.vertices, along, 300, 1.1, 0);
  body.muscles = {activation};
  return body;
}

// The same of triangles, its fibres in the plane.
inline Body plane_muscle(const Activation& activation, std::array<int32_t, 2> cells = {6, 3}) {
  Body body = plane_body_of(rectangle(cells, {0.4, 0.2}));
  const Vec3d along = (1 / size(Vec3d{1, 0.2, 0})) * Vec3d{1, 0.2, 0};
  for (const Tet& t : body.mesh.tets) body.ties.add_fibre(t, body.mesh.vertices, along, 300, 1.1, 0);
  body.muscles = {activation};
  return body;
}

// A solver and an accelerator by name, stepping a body whose first vertices or whose upper end are held.
class TiedTrial {
 public:
  struct How {
    std::string solver = "newton";
    double h = 1.0 / 60;  // [s]; 0: quasistatic
    int iterations = 200;
    double tolerance = 0;  // [N]
    int threads = 1;
    std::vector<NamedOption> options{};
    int precision = double_precision;
    std::string accelerator = "none";  // with its defaults
  };

  TiedTrial(const Body& body, const How& how, const std::function<bool(Vec3d)>& held)
      : model(body.compile()), pool(how.threads), state(rest_state(model)) {
    PinScript pin;
    for (size_t v = 0; v < body.mesh.vertices.size(); ++v) {
      if (!held(body.mesh.vertices[v])) continue;
      pin.slots.push_back(static_cast<int32_t>(model.order.slot(UserVertex{static_cast<int32_t>(v)})));
      pin.start.push_back(body.mesh.vertices[v]);
    }
    EXPECT_FALSE(pin.slots.empty());
    SolveOptions solve{.iterations = how.iterations, .tolerance = how.tolerance, .precision = how.precision};
    Result<std::unique_ptr<Solver>> solver = make_solver(*find_solver(how.solver), solve, how.options, "solver",
                                                         [](std::string_view n) { return make_linear_solver(n); });
    EXPECT_TRUE(solver.ok());
    Result<std::unique_ptr<Accelerator>> accelerator = make_accelerator(how.accelerator, {}, "accelerator");
    EXPECT_TRUE(accelerator.ok());
    const Stepper::Settings settings{how.h == 0, how.h == 0 ? 1.0 : how.h, solve};
    stepper =
        std::make_unique<Stepper>(model, std::vector{pin}, settings, std::move(*solver), std::move(*accelerator), pool);
  }

  StepReport step() {
    Result<StepReport> report = stepper->step(state);
    EXPECT_TRUE(report.ok()) << report.error().message();
    return report.ok() ? *report : StepReport{};
  }
  std::vector<Vec3d> positions() const { return model.order.to_user(state.x); }
  Evaluation evaluate() { return Objective(stepper->problem(), pool).evaluate(state.x); }
  // The largest over all springs.
  double extension() const {
    double largest = 0;
    for (int32_t t = 0; t < model.ties.count(); ++t)
      largest = std::max(largest, size(model.ties.vector(t, state.x)) / model.ties.laws[t].rest_length - 1);
    return largest;
  }

  Model model;
  ThreadPool pool;
  State state;
  std::unique_ptr<Stepper> stepper;
};

// The first material that the solver treats; under constraints one that is free of them at rest, on which experiments
// that are unstable stay finite.
inline MaterialKind first_treated(const SolverInfo& info, const TetMesh& mesh) {
  for (const MaterialKind kind : every_material()) {
    if (info.traits.needs_constraints && traits_of(kind).stressed_at_rest()) continue;
    if (check_solver(info, body_of(mesh, kind).compile(), !info.traits.dynamic).ok()) return kind;
  }
  ADD_FAILURE() << info.name << " treats nothing";
  return MaterialKind(0);
}

// The solvers that converge to what the reference converges to, and for which `can` holds.
inline std::vector<std::string> solvers_like_newton(const std::function<bool(const SolverTraits&)>& can) {
  std::vector<std::string> names;
  for (const SolverInfo& info : solver_list())
    if (info.traits.converges && !info.traits.reference && can(info.traits)) names.emplace_back(info.name);
  return names;
}

// The largest distance of two vertices of the same number [m].
inline double distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0;
  for (size_t v = 0; v < a.size(); ++v) largest = std::max(largest, size(a[v] - b[v]));
  return largest;
}

}  // namespace sinew::support
