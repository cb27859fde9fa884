// Steps of multilevel descent beside those of Newton's method and of VBD.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "solver/multilevel/multilevel.h"
#include "support/tied.h"
#include "support/trial.h"

namespace sinew {

using support::Body;
using support::distance;
using support::Method;
using support::on_left;
using support::Trial;

inline constexpr double frame = 1.0 / 60;  // [s]

// Exactly this many iterations, unless there is a tolerance.
inline Method multilevel(double h, int iterations, double tolerance = 0, MultilevelOptions options = {}) {
  Method m{.quasistatic = h == 0, .h = h == 0 ? 1 : h};
  m.solve.iterations = iterations;
  m.solve.tolerance = tolerance;
  m.solve.check_every = 2;
  m.make = [options](const SolveOptions& solve) { return make_multilevel(solve, options); };
  return m;
}
inline constexpr MultilevelOptions always{.corrections = corrections_always};

inline Method newton(double h, double tolerance) {
  Method m{.kind = Method::newton, .quasistatic = h == 0, .h = h == 0 ? 1 : h};
  m.solve.iterations = 200;
  m.solve.tolerance = tolerance;
  return m;
}

using Start = std::function<Vec3d(Vec3d)>;
inline Vec3d stretched(Vec3d x) {
  return {1.3 * x.x, x.y, x.z};
}
inline Vec3d as_it_is(Vec3d x) {
  return x;
}

struct Way {
  double h = frame;
  std::function<bool(Vec3d)> held = on_left;  // empty: no vertex
  Start start = as_it_is;
  double newton_tolerance = 1e-10, tolerance = 1e-10;  // [N]
  int iterations = 100;
  MultilevelOptions options = always;
};

inline void put(Trial& run, const Way& way) {
  if (way.held) run.hold(way.held);
  for (Vec3d& x : run.state.x) x = way.start(x);
}

// Compares with Newton's positions [m], from a start that is at least `least_motion` away.
inline void expect_newton(const Body& body, const Way& way, const std::string& what, double least_motion = 1e-4) {
  Trial reference(body, newton(way.h, way.newton_tolerance));
  put(reference, way);
  const std::vector<Vec3d> before = reference.positions();
  EXPECT_EQ(reference.step().status, SolveStatus::converged) << what;
  const std::vector<Vec3d> expected = reference.positions();
  EXPECT_GT(distance(expected, before), least_motion) << what;

  Trial run(body, multilevel(way.h, way.iterations, way.tolerance, way.options));
  put(run, way);
  const StepReport report = run.step();
  EXPECT_EQ(report.status, SolveStatus::converged) << what << ' ' << report.evaluation.residual;
  EXPECT_GT(report.corrections.nodes, 0) << what;
  EXPECT_GT(report.corrections.matrices, 0) << what;
  EXPECT_LT(distance(run.positions(), expected), 1e-8) << what << ": " << report.iterations << " iterations";
}

struct Ends {
  double first = 0, last = 0;  // [N]
  double energy = 0;           // [J]
  bool finite = true;
};
inline Ends residuals(const Body& body, const Method& method, const Way& way) {
  Trial run(body, method);
  put(run, way);
  struct First final : Observer {
    bool wants(int64_t, int iteration) const override { return iteration == 0; }
    void on_iteration(const IterationReport& report) override { residual = report.evaluation.residual; }
    double residual = 0;
  } first;
  run.observer = &first;
  const Result<StepReport> report = run.try_step();
  if (!report.ok()) return {first.residual, 1e300, 1e300, false};
  const Evaluation e = run.evaluate();
  return {first.residual, e.residual, e.energy, e.finite};
}
inline Method vbd(double h, int iterations) {
  Method m{.quasistatic = h == 0, .h = h == 0 ? 1 : h};
  m.solve.iterations = iterations;
  return m;
}

}  // namespace sinew
