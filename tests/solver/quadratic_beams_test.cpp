// Source: Timoshenko's beam with the shear coefficient of Cowper 1966; Cook's membrane (Cook 1974) in three dimensions;
// and converged solutions of an independent program (assembled in Python, ten-node tets, extrapolated in mesh size).
// Everything by Newton's method, of linear elasticity unless bent far.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "element/quadratic_tetrahedron.h"
#include "mesh/middles.h"
#include "model/rest_shape.h"
#include "solver/newton/assembly.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::Method;
using support::on_left;
using support::Trial;
using support::with_middles;

constexpr std::array ratios{0.3, 0.45, 0.49, 0.499};
constexpr MaterialKind linear = MaterialKind::LinearElastic;

Method statics() {
  Method m{.kind = Method::newton, .quasistatic = true, .h = 1};
  m.solve.iterations = 200;
  m.solve.relative_tolerance = 1e-9;
  m.solve.check_every = 1;
  return m;
}

// By user vertex, what a traction of 1 Pa gives it [N]: of the faces whose corners are all chosen, a third to each of
// their middles.
std::vector<double> traction(const TetMesh& mesh, const std::function<bool(Vec3d)>& chosen) {
  std::vector<double> share(mesh.vertices.size());
  const Boundary coarse = extract_boundary(mesh), fine = with_middles(coarse, mesh);
  for (size_t f = 0; f < coarse.triangles.size(); ++f) {
    const Triangle& t = coarse.triangles[f];
    const std::vector<Vec3d>& x = mesh.vertices;
    if (!chosen(x[t[0]]) || !chosen(x[t[1]]) || !chosen(x[t[2]])) continue;
    const Vec3d normal = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
    for (const int32_t middle : fine.triangles[4 * f + 3]) share[middle] += std::sqrt(dot(normal, normal)) / 6;
  }
  return share;
}
// The mean of the motion over what `share` weighs.
Vec3d mean_motion(const Trial& run, const TetMesh& mesh, const std::vector<double>& share) {
  const std::vector<Vec3d> x = run.positions();
  Vec3d sum{};
  for (size_t v = 0; v < x.size(); ++v) sum += share[v] * (x[v] - mesh.vertices[v]);
  return (1 / std::accumulate(share.begin(), share.end(), 0.0)) * sum;
}
// Loads the vertices with these shares times `force`.
void load(Trial& run, const std::vector<double>& share, Vec3d force) {
  std::vector<Vec3d> forces(share.size());
  for (size_t v = 0; v < share.size(); ++v) forces[v] = share[v] * force;
  run.model.gravity = {};
  run.model.extra_force = run.model.order.to_slots(forces, Vec3d{});
}
void solve(Trial& run) {
  const StepReport report = run.step();
  EXPECT_EQ(report.status, SolveStatus::converged) << report.evaluation.residual;
}

// 10:1, bent by its own weight: over Timoshenko's deflection.
double cantilever(int cells, double nu) {
  const Body body = body_of(with_middles(box({10 * cells, cells, cells}, {10, 1, 1})), linear, 1000, nu);
  Trial run(body, statics());
  run.hold(on_left);
  solve(run);
  const double weight = 10 * 9.8, shear = 1000 / (2 * (1 + nu)), k = 10 * (1 + nu) / (12 + 11 * nu);
  const double expected = weight * 1e4 / (8 * 1000 / 12.0) + weight * 1e2 / (2 * k * shear);
  return -mean_motion(run, body.mesh, traction(body.mesh, [](Vec3d p) { return p.x > 10 - 1e-9; })).y / expected;
}

TEST(QuadraticBeams, BendAsTheoryHasItAtEveryPoissonRatio) {
  constexpr std::array one{0.971, 0.991, 0.998, 0.999}, two{0.985, 0.977, 0.972, 0.971};
  for (size_t k = 0; k < ratios.size(); ++k) {
    EXPECT_NEAR(cantilever(1, ratios[k]), one[k], 0.005) << ratios[k];
    EXPECT_NEAR(cantilever(2, ratios[k]), two[k], 0.005) << ratios[k];
  }
}

TEST(QuadraticBeams, CooksMembraneIsNearTheConvergedOne) {
  constexpr std::array converged{1.9803, 1.9769, 1.9723, 1.9709};
  for (size_t k = 0; k < ratios.size(); ++k) {
    TetMesh mesh = box({4, 4, 1}, {48, 1, 12});
    for (Vec3d& p : mesh.vertices) p.y = p.x / 48 * 44 + p.y * (44 - 28 * p.x / 48);
    const Body body = body_of(with_middles(mesh), linear, 1, ratios[k]);
    Trial run(body, statics());
    run.hold(on_left);
    std::vector<double> end = traction(body.mesh, [](Vec3d p) { return p.x > 48 - 1e-9; });
    const double area = std::accumulate(end.begin(), end.end(), 0.0);
    load(run, end, {0, 1 / area, 0});
    solve(run);
    const double ratio = mean_motion(run, body.mesh, end).y / converged[k];
    EXPECT_GT(ratio, 0.975) << ratios[k];
    EXPECT_LT(ratio, 1.01) << ratios[k];
  }
}

// 4:1, one end turned by a small angle.
TEST(QuadraticBeams, ResistTorsionByFivePercentTooMuchAtMost) {
  constexpr std::array converged{0.013635, 0.012241, 0.011918, 0.011847};
  for (size_t k = 0; k < ratios.size(); ++k) {
    Trial run(body_of(with_middles(box({8, 2, 2}, {4, 1, 1})), linear, 1, ratios[k]), statics());
    run.model.gravity = {};
    run.hold(on_left);
    constexpr double angle = 1e-3;
    const auto arm = [](Vec3d p) { return Vec3d{0, p.y - 0.5, p.z - 0.5}; };
    run.hold([](Vec3d p) { return p.x > 4 - 1e-9; },
             [&](PinScript& pin) {
               for (Vec3d& p : pin.start) p += angle * Vec3d{0, -arm(p).z, arm(p).y};
             });
    solve(run);
    const std::vector<Vec3d> g = run.gradient_unconstrained(), rest = run.model.order.to_user(run.model.rest);
    double torque = 0;
    for (size_t v = 0; v < g.size(); ++v)
      if (rest[v].x > 4 - 1e-9) torque += cross(arm(rest[v]), g[v]).x;
    const double ratio = torque / angle / converged[k];
    EXPECT_GT(ratio, 0.99) << ratios[k];
    EXPECT_LT(ratio, 1.05) << ratios[k];
  }
}

// 4:1, its end pulled down by a third of its length.
TEST(QuadraticBeams, BendFarToWithinOnePercent) {
  constexpr double converged = 0.34217;
  const Body body = body_of(with_middles(box({8, 2, 2}, {4, 1, 1})), MaterialKind::NeoHookean, 1, 0.499);
  Trial run(body, statics());
  run.hold(on_left);
  const std::vector<double> end = traction(body.mesh, [](Vec3d p) { return p.x > 4 - 1e-9; });
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    load(run, end, {0, -0.006 * part, 0});
    solve(run);
  }
  EXPECT_NEAR(-mean_motion(run, body.mesh, end).y / 4, converged, 0.01 * converged);
}

// 6:1, one cell across: the lowest frequency by inverse iteration on the matrix at rest.
TEST(QuadraticBeams, VibrateWithinTwoAndAHalfPercent) {
  for (const auto& [nu, converged] : {std::pair{0.3, 0.02785}, {0.499, 0.02824}}) {
    Body body = body_of(with_middles(box({6, 1, 1}, {6, 1, 1})), linear, 1, nu);
    body.density = {1};
    const Model model = body.compile();
    StepProblem problem = support::problem_of(model, model.rest, 0);
    for (size_t s = 0; s < problem.held.size(); ++s)
      if (on_left(model.rest[s])) problem.held[s] = 1;
    ThreadPool pool(1);
    Assembly assembly;
    assembly.prepare(model, pool);
    assembly.assemble(problem, model.rest, Tangent::exact, pool);
    assembly.block_matrix().hold(problem.held, {});
    const std::unique_ptr<LinearSolver> solver = make_linear_solver();
    ASSERT_TRUE(solver->analyze(assembly.matrix()) && solver->factorize(assembly.matrix()));
    const auto mass = [&](size_t unknown) { return problem.held[unknown / 3] ? 0 : model.mass[unknown / 3]; };
    const size_t n = 3 * problem.held.size();
    std::vector<double> x(n), b(n);
    for (size_t k = 0; k < n; ++k) x[k] = k % 3 == 1 ? model.rest[k / 3].x : 0;
    double square = 0;
    for (int round = 0; round < 30; ++round) {
      for (size_t k = 0; k < n; ++k) b[k] = mass(k) * x[k];
      ASSERT_TRUE(solver->solve(b, x));
      double xb = 0, xx = 0;  // x K x = x b
      for (size_t k = 0; k < n; ++k) {
        xb += x[k] * b[k];
        xx += mass(k) * x[k] * x[k];
      }
      square = xb / xx;
      for (double& value : x) value /= std::sqrt(xx);
    }
    EXPECT_NEAR(std::sqrt(square), converged, 0.025 * converged) << nu;
  }
}

// A block pressed on a quarter of its top, whose three lower faces glide.
// What a linear fit over the places y has at 0: least squares, by Gaussian elimination of the normal equations.
double fitted_at_origin(const std::vector<Vec3d>& places, const std::vector<double>& y) {
  double a[4][5] = {};
  for (size_t k = 0; k < places.size(); ++k) {
    const double row[4] = {1, places[k].x, places[k].y, places[k].z};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) a[i][j] += row[i] * row[j];
      a[i][4] += row[i] * y[k];
    }
  }
  for (int i = 3; i >= 0; --i)
    for (int r = 0; r < i; ++r) {
      const double factor = a[r][i] / a[i][i];
      for (int j = 0; j < 5; ++j) a[r][j] -= factor * a[i][j];
    }
  return a[0][4] / a[0][0];
}

// How far the pressures of elements lie off linear fits over their neighbours, over the pressures: both as root mean
// squares.
double roughness(const Trial& run) {
  const Model& model = run.model;
  std::vector<double> pressure(model.tets.size());
  std::vector<Vec3d> center(model.tets.size());
  double squares = 0, volume = 0;
  for (size_t e = 0; e < pressure.size(); ++e) {
    const ElementShape shape(model.tets[e], model.rest);
    const ElementNodes nodes = model.nodes_of(static_cast<int32_t>(e));
    Vec3d x[most_nodes];
    for (size_t j = 0; j < most_nodes; ++j) x[j] = run.state.x[nodes[j]] - run.state.x[nodes[0]];
    double mean = 0;
    for (const Mat3d& f : PointGradients<double>::of(x, shape.gradient).at)
      mean += PointVolume<double, false>::j(f) / 4;
    pressure[e] = model.blocks[0].material.lame.lambda * (mean - 1);
    for (size_t a = 0; a < 4; ++a) center[e] += 0.25 * model.rest[nodes[a]];
    squares += shape.volume * pressure[e] * pressure[e];
    volume += shape.volume;
  }
  double off = 0;
  for (size_t e = 0; e < pressure.size(); ++e) {
    std::vector<Vec3d> places;
    std::vector<double> near;
    for (size_t other = 0; other < pressure.size(); ++other) {
      const auto shared = [&](int32_t v) {
        return std::find(model.tets[other].begin(), model.tets[other].end(), v) != model.tets[other].end();
      };
      if (other == e || std::none_of(model.tets[e].begin(), model.tets[e].end(), shared)) continue;
      places.push_back(center[other] - center[e]);
      near.push_back(pressure[other]);
    }
    off += std::pow(pressure[e] - fitted_at_origin(places, near), 2);
  }
  return std::sqrt(off / static_cast<double>(pressure.size())) / std::sqrt(squares / volume);
}

TEST(QuadraticBeams, APunchSinksInToWithinOnePercentAndIsPressedEvenly) {
  constexpr double converged = 0.053926;
  const Body body = body_of(with_middles(box({4, 4, 4})), linear, 1, 0.499);
  Trial run(body, statics());
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = [axis](Vec3d p) { return (axis == 0 ? p.x : axis == 1 ? p.y : p.z) < 1e-9; };
    run.hold(at, [axis](PinScript& pin) {
      pin.fixed = {{axis == 0 ? 1.0 : 0, axis == 1 ? 1.0 : 0, axis == 2 ? 1.0 : 0}};
    });
  }
  const std::vector<double> top =
      traction(body.mesh, [](Vec3d p) { return p.z > 1 - 1e-9 && p.x < 0.5 + 1e-9 && p.y < 0.5 + 1e-9; });
  load(run, top, {0, 0, -0.1});
  solve(run);
  EXPECT_NEAR(-mean_motion(run, body.mesh, top).z, converged, 0.01 * converged);
  EXPECT_LT(roughness(run), 0.3);
}

}  // namespace
}  // namespace sinew
