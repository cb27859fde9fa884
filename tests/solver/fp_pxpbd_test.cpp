// Source: Chen et al. 2024 (PXPBD), section 3.3.3, corrected (docs/theory.md, FP-PXPBD), written out here tet by tet
// with a dense solve for the change of its stress. Reference numbers were computed by an independent program (numpy,
// double precision).
#include "solver/by_constraint/fp_pxpbd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "element/tet_frame.h"
#include "linear/linear_solvers.h"
#include "mesh/coloring.h"
#include "solver/newton/newton.h"
#include "solver/sweep_case.h"
#include "solver/sweep_solver.h"
#include "support/constraint_bar.h"
#include "support/made.h"
#include "support/rest_tet.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::every_material;
using support::full;
using support::Method;
using support::on_left;
using support::RestTet;
using support::size;
using support::Trial;

// Solves A x = b by Gaussian elimination with pivoting.
std::vector<double> dense_solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const size_t n = b.size();
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// The loops over blocks, colours and tets.
class Reference {
 public:
  explicit Reference(const StepProblem& problem, int local_iterations = 1)
      : problem_(problem), model_(*problem.model), local_iterations_(local_iterations), stress(model_.tets.size()) {
    std::vector<int32_t> visit(model_.tets.size());
    for (size_t e = 0; e < visit.size(); ++e) visit[model_.user_tet[e]] = static_cast<int32_t>(e);
    coloring_ = color_tets(model_.tets, model_.mass.size(), visit);
  }

  void sweep(std::vector<Vec3d>& x) {
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t c = 0; c < coloring_.count; ++c) {
        for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
          if (coloring_.color[e] != c) continue;
          visit_material(block.material.kind, [&]<template <class> class M>() {
            visit(coefficients_of<M>(block.material), static_cast<size_t>(e), x);
          });
        }
      }
    }
  }

 private:
  template <class Material>
  void visit(const Material& material, size_t e, std::vector<Vec3d>& x) {
    const RestTet tet(model_, e);
    const double t = problem_.h * problem_.h * tet.volume;
    // sum w g g^T, plus the share of its trace that damps the visit.
    Mat3d k{};
    double trace = 0;
    for (int i = 0; i < 4; ++i) {
      const double w = inverse_mass(tet.slots[i]);
      k = k + w * outer(tet.g[i], tet.g[i]);
      trace += w * dot(tet.g[i], tet.g[i]);
    }
    k = k + (0.05 * trace) * diagonal(1.0, 1.0, 1.0);

    for (int l = 0; l < local_iterations_; ++l) {
      const Mat3d f = tet.deformation_gradient(x), missing = material.stress(f) - stress[e];
      const SurrogateTangent<double> h = material.surrogate(f);
      // dP + t H~ : (dP K) = missing, column by column of the 9x9 matrix.
      std::vector<std::vector<double>> a(9, std::vector<double>(9));
      std::vector<double> right(9);
      for (int n = 0; n < 9; ++n) {
        const Mat3d dpk = unit(n) * k;
        const Mat3d column = unit(n) + t * (h.all * dpk + (h.along * contract(h.direction, dpk)) * h.direction);
        for (int m = 0; m < 9; ++m) a[m][n] = contract(unit(m), column);
        right[n] = contract(unit(n), missing);
      }
      const std::vector<double> solution = dense_solve(a, right);
      Mat3d change{};
      for (int n = 0; n < 9; ++n) change = change + solution[n] * unit(n);
      stress[e] = stress[e] + change;
      for (int i = 0; i < 4; ++i) x[tet.slots[i]] -= (inverse_mass(tet.slots[i]) * t) * (change * tet.g[i]);
    }
  }
  static Mat3d unit(int n) {
    Vec3d columns[3]{};
    (n % 3 == 0 ? columns[n / 3].x : n % 3 == 1 ? columns[n / 3].y : columns[n / 3].z) = 1;
    return {columns[0], columns[1], columns[2]};
  }
  double inverse_mass(int32_t s) const { return problem_.held[s] ? 0 : 1 / model_.mass[s]; }

  const StepProblem& problem_;
  const Model& model_;
  int local_iterations_;
  Coloring coloring_;

 public:
  std::vector<Mat3d> stress;
};

// Starts at the target, which is shaken.
struct Case : SweepCase {
  explicit Case(const Body& b, double h = time_step, double amount = 0.05) : SweepCase(b, h, amount) {
    problem.x_target = problem.x_start;
  }
};

class FpPxpbdOf : public testing::TestWithParam<MaterialKind> {};
INSTANTIATE_TEST_SUITE_P(All, FpPxpbdOf, testing::ValuesIn(every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// Every lane width and precision, for each pair of materials, then for one material with stiffness factors. After one
// sweep, and after so many that they have converged and forgotten their errors.
TEST_P(FpPxpbdOf, IsTheDefinition) {
  const std::vector<MaterialKind> seconds = every_material();
  for (size_t second = 0; second <= seconds.size(); ++second) {
    Body body = assorted_body(GetParam(), seconds[second % seconds.size()]);
    Random random(5);
    if (second == seconds.size()) support::vary_stiffness(body, random);
    Case c(body);
    for (const auto& [iterations, local] : {std::pair{1, 1}, {1, 3}, {300, 1}}) {
      Reference reference(c.problem, local);
      std::vector<Vec3d> expected = c.problem.x_target;
      for (int k = 0; k < iterations; ++k) reference.sweep(expected);
      for (const int precision : {double_precision, single_precision}) {
        for (const int lanes : lane_counts()) {
          const auto solver = make_fp_pxpbd({.precision = precision}, {.local_iterations = local, .lanes = lanes});
          EXPECT_LT(largest_difference(c.model, iterated(*solver, c.problem, c.pool, iterations), expected),
                    precision == double_precision ? 1e-11 : 1e-4)
              << traits_of(c.model.blocks[1].material.kind).name << ", " << iterations << " iterations, " << local
              << " local, " << lanes << " lanes, " << precision_names[precision];
        }
      }
    }
  }
}

TEST_P(FpPxpbdOf, SameBitsForEveryLaneWidth) {
  Case c(assorted_body(GetParam(), MaterialKind::NeoHookean));
  for (const int precision : {double_precision, single_precision}) {
    std::vector<Vec3d> expected;
    for (const int lanes : lane_counts()) {
      const auto solver = make_fp_pxpbd({.precision = precision}, {.lanes = lanes});
      const std::vector<Vec3d> x = iterated(*solver, c.problem, c.pool, 1);
      if (lanes == 1) expected = x;
      EXPECT_LE(largest_difference(c.model, x, expected), lane_error(precision, 2000)) << lanes;
    }
  }
}

// The errors of the solver's iterate in the equations of the step: g = M (x - y) + h^2 sum V P g_i over the free
// vertices and P - psi'(F), both as largest entries relative to their terms.
struct Residuals {
  double primary, secondary;
};
Residuals residuals_of(Solver& scalar, const StepProblem& problem) {
  const Model& model = *problem.model;
  const Iterate<double>& iterate = *std::get<Iterate<double>*>(scalar.iterate_ref());
  const auto position = [&](int32_t s) { return Vec3d{iterate.x[s].x, iterate.x[s].y, iterate.x[s].z}; };
  std::vector<Vec3d> g(iterate.x.size());
  double inertia = 0, size_of_stress = 0, missing = 0;
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    if (problem.held[s]) continue;
    g[s] = model.mass[s] * (position(s) - problem.x_target[s]);
    inertia = std::max(inertia, size(g[s]));
  }
  std::vector<int32_t> visit(model.tets.size());
  for (size_t e = 0; e < visit.size(); ++e) visit[model.user_tet[e]] = static_cast<int32_t>(e);
  const Coloring coloring = color_tets(model.tets, static_cast<size_t>(model.slot_count()), visit);
  ThreadPool pool(1);
  const double* stress = iterate.multipliers.data();
  for (const ElasticBlock& block : model.blocks) {
    const auto stream = build_constraint_stream<double>(model, block, coloring, model.slot_count(), 1, pool);
    visit_material(block.material.kind, [&]<template <class> class M>() {
      using Frame = std::conditional_t<M<double>::isotropic, AlignedTetFrame<double>, FullTetFrame<double>>;
      const auto material = coefficients_of<M>(block.material);
      for (int32_t b = 0; b < stream.batch_count(); ++b, stress += 9) {
        const int32_t* corner = &stream.corners[4 * b];
        const Frame frame = Frame::read(&stream.frames[Frame::number_count * b]);
        const double factor = stream.stiffness_factors.empty() ? 1 : stream.stiffness_factors[b];
        const Mat3d p{
            {stress[0], stress[1], stress[2]}, {stress[3], stress[4], stress[5]}, {stress[6], stress[7], stress[8]}};
        const CornerVectors<double> f = frame.times_gradients(p);
        for (int k = 0; k < 4; ++k) g[corner[k]] += (problem.h * problem.h * factor * frame.volume) * f.at[k];
        const Vec3d o = position(corner[0]);
        const Mat3d expected = material.stress(
            frame.deformation_gradient(position(corner[1]) - o, position(corner[2]) - o, position(corner[3]) - o));
        size_of_stress = std::max(size_of_stress, size(expected));
        missing = std::max(missing, size(p - expected));
      }
    });
  }
  double largest = 0;
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    if (!problem.held[s]) largest = std::max(largest, size(g[s]));
  }
  return {largest / inertia, missing / size_of_stress};
}

// g remains 0 after every sweep, for any number of local iterations, also if an accelerator changes the iterates; the
// stresses become those of the material.
TEST_P(FpPxpbdOf, KeepsThePrimaryResidualAtZeroAndEndsTheSecondaryOne) {
  for (const int local : {1, 2, 5}) {
    for (const bool accelerated : {false, true}) {
      Body body = body_of(box({4, 2, 2}, {2, 1, 1}), GetParam());
      Random random(5);
      support::vary_stiffness(body, random);
      Case c(body, 0.01);
      const auto solver = make_fp_pxpbd({.precision = double_precision}, {.local_iterations = local, .lanes = 1});
      solver->prepare(c.model, c.pool);
      solver->begin_step(Objective(c.problem, c.pool));
      const auto chebyshev = make_chebyshev({.rho = 0.3});
      chebyshev->begin_step(solver->iterate_ref(), c.pool);
      for (int k = 0; k < 150; ++k) {
        solver->iterate();
        if (accelerated) chebyshev->apply(solver->iterate_ref(), k + 1, c.pool);
        const Residuals r = residuals_of(*solver, c.problem);
        ASSERT_LT(r.primary, 1e-11) << "iteration " << k << ", " << local << " local";
        if (k == 0) {
          EXPECT_GT(r.secondary, 1e-3) << "there is something to do";
        }
      }
      EXPECT_LT(residuals_of(*solver, c.problem).secondary, 1e-10) << local << " local";
    }
  }
}

// Fixed corotated, one local iteration: the residual after 80 sweeps relative to that at x = y. The reference visits
// tets in their own order and does not damp its visits, so the numbers agree within a small factor only.
TEST(FpPxpbd, ReducesTheResidualAsFarAsTheReference) {
  for (const auto& [scale, expected] : {std::pair{1.0, 2e-10}, {0.5, 3e-4}, {0.3, 6e-3}, {0.1, 2e-2}}) {
    Method m{.kind = Method::fp_pxpbd};
    m.solve.iterations = 80;
    m.solve.initial_guess = guess_target;
    Trial trial(body_of(box({4, 2, 2}, {0.4 * scale, 0.2 * scale, 0.2 * scale}), MaterialKind::FixedCorotated), m);
    trial.hold(on_left);
    for (Vec3d& p : trial.state.x) p.x *= 1.2;
    const std::vector<Vec3d> stretched = trial.state.x;
    trial.step();
    const double end = trial.evaluate().residual;
    ThreadPool pool(1);
    const double start = Objective(trial.stepper->problem(), pool).evaluate(trial.stepper->problem().x_target).residual;
    EXPECT_LT(end / start, 8 * expected) << scale;
    EXPECT_GT(end / start, expected / 30) << scale << ": a slow end is the method's, not a gift";
  }
}

// In the reference, with the paper's surrogate of Neo-Hookean, mu and lambda-hat, 80 sweeps make no progress where E
// h^2 / (density l^2) = 100; with twice the shear modulus they do, as with fixed corotated, to a few hundredths.
TEST(FpPxpbd, ReducesTheResidualOfNeoHookeanInLargeSteps) {
  for (const MaterialKind material : {MaterialKind::NeoHookean, MaterialKind::StableNeoHookean}) {
    Method m{.kind = Method::fp_pxpbd};
    m.solve.iterations = 80;
    Trial trial(body_of(box({4, 2, 2}, {0.04, 0.02, 0.02}), material), m);
    trial.hold(on_left);
    for (Vec3d& p : trial.state.x) p.x *= 1.2;
    trial.step();
    ThreadPool pool(1);
    const StepProblem& problem = trial.stepper->problem();
    EXPECT_LT(trial.evaluate().residual, 0.1 * Objective(problem, pool).evaluate(problem.x_target).residual);
  }
}

// A box whose inner vertices are displaced until some tets are slivers, far stiffer than their inertia: at rest, then a
// step under gravity. Without the damping of a visit the residual would grow a thousandfold within fifty sweeps.
TEST_P(FpPxpbdOf, ConvergesOnSliversHoweverStiff) {
  support::expect_whole_on_slivers({.kind = Method::fp_pxpbd}, GetParam(), 2, 0.5);
}

// The limit is Newton's solution.
TEST_P(FpPxpbdOf, ConvergesToTheSolutionLikeNewton) {
  Body body = body_of(box({4, 2, 2}, {0.8, 0.4, 0.4}), GetParam());
  Random random(5);
  support::vary_stiffness(body, random);
  Case c(body, 0.01, 0.02);
  Newton newton(NewtonOptions{}, make_linear_solver());
  newton.prepare(c.model, c.pool);
  const Objective objective(c.problem, c.pool);
  newton.begin_step(objective);
  for (int k = 0; k < 60 && !newton.stalled(); ++k) newton.iterate();
  std::vector<Vec3d> expected(c.problem.x_start.size());
  newton.positions(expected);
  ASSERT_LT(objective.evaluate(expected).residual, 1e-9);
  for (const auto& [precision, tolerance] : {std::pair{double_precision, 1e-10}, {single_precision, 8e-6}}) {
    for (const int local : {1, 3}) {
      const auto solver = make_fp_pxpbd({.precision = precision}, {.local_iterations = local});
      EXPECT_LT(largest_difference(c.model, iterated(*solver, c.problem, c.pool, 2000), expected), tolerance) << local;
    }
  }
}

// Also in pseudo-time and for any pseudo-step: forces in balance, not where XPBD-QS would end. A body in equilibrium
// remains there from the first iteration on, because the stresses start as those of the guess.
TEST_P(FpPxpbdOf, FindsTheEquilibriumLikeNewton) {
  // Stiff, near rest, and with short steps: StVK has other equilibria, with crushed cells.
  Body body = body_of(box({4, 2, 2}, {0.4, 0.2, 0.2}), GetParam(), 1e4);
  Random random(5);
  support::vary_stiffness(body, random);
  SweepCase c(body, 0, 0.0005);
  Newton newton(NewtonOptions{}, make_linear_solver());
  newton.prepare(c.model, c.pool);
  const Objective objective(c.problem, c.pool);
  newton.begin_step(objective);
  for (int k = 0; k < 60 && !newton.stalled(); ++k) newton.iterate();
  std::vector<Vec3d> expected(c.problem.x_start.size());
  newton.positions(expected);
  ASSERT_LT(objective.evaluate(expected).residual, 1e-11);
  EXPECT_GT(largest_difference(c.model, expected, c.problem.x_start), 0.005) << "there is something to find";
  for (const double step : {0.0, 0.002, 0.003}) {
    const auto solver = make_fp_pxpbd({.precision = double_precision}, {.pseudo_step = step});
    EXPECT_LT(largest_difference(c.model, iterated(*solver, c.problem, c.pool, 5000), expected), 1e-9) << step;
  }
  const auto single = make_fp_pxpbd({}, {});
  EXPECT_LT(largest_difference(c.model, iterated(*single, c.problem, c.pool, 5000), expected), 1e-4 * 0.4);

  c.problem.x_start = expected;
  const auto solver = make_fp_pxpbd({.precision = double_precision}, {});
  EXPECT_LT(largest_difference(c.model, iterated(*solver, c.problem, c.pool, 3), expected), 1e-13);
}

// The paper's eqs. 32-36 and 49, corrected (docs/theory.md): a free tet moves by an affine map of its rest positions,
//   x_i += dF (X_i - X_com) + b,
// here with an inertia whose inverse includes the damping of a visit, while the vertices have only their own.
TEST_P(FpPxpbdOf, IsTheAffineFormOnAFreeTet) {
  Case c(body_of(support::one_tet(), GetParam()), time_step, 0.2);
  c.problem.held.assign(c.problem.held.size(), 1);
  const Tet& corners = c.model.tets[0];
  for (const int32_t s : corners) c.problem.held[s] = 0;
  const RestTet tet(c.model, 0);
  const double h2 = time_step * time_step;
  std::vector<Vec3d> expected = c.problem.x_target;
  visit_material(GetParam(), [&]<template <class> class M>() {
    const Lame lame = c.model.blocks[0].material.lame;
    const auto material = support::made<M>(lame);
    const Mat3d f = tet.deformation_gradient(c.problem.x_target);
    const SurrogateTangent<double> tangent = material.surrogate(f);
    double mass = 0;
    Vec3d com{}, b{};
    for (const int32_t s : corners) {
      mass += c.model.mass[s];
      com += c.model.mass[s] * c.model.rest[s];
    }
    com = (1 / mass) * com;
    const double all = h2 * tet.volume * tangent.all, along = h2 * tet.volume * tangent.along;
    Mat3d inertia{}, g{};
    for (int k = 0; k < 4; ++k) {
      const int32_t s = corners[k];
      const Vec3d arm = c.model.rest[s] - com, gamma = (h2 * tet.volume) * (material.stress(f) * tet.g[k]);
      inertia = inertia + c.model.mass[s] * outer(arm, arm);
      g = g + outer(gamma, arm);
      b -= (1 / mass) * gamma;
    }
    const auto inverse = [](const Mat3d& m) { return (1 / determinant(m)) * transpose(cofactor(m)); };
    const Mat3d own = inverse(inertia);
    const double damping = 0.05 * trace(own);
    const Mat3d damped = inverse(own + diagonal(damping, damping, damping));
    const Mat3d z = inverse(damped + diagonal(all, all, all)), wz = tangent.direction * z;
    const double share = along * contract(wz, g) / (1 + along * contract(wz, tangent.direction));
    const Mat3d df = -1.0 * (g * z - share * wz) * damped * own;
    for (const int32_t s : corners) expected[s] += df * (c.model.rest[s] - com) + b;
  });
  const auto solver = make_fp_pxpbd({.precision = double_precision}, {});
  const std::vector<Vec3d> x = iterated(*solver, c.problem, c.pool, 1);
  EXPECT_LT(largest_difference(c.model, x, expected), 1e-14);
  EXPECT_GT(largest_difference(c.model, x, c.problem.x_target), 1e-3) << "something moved";
}

// With nothing held, the centre follows gravity even far from convergence, because the impulses of a visit on its
// corners sum to zero.
TEST_P(FpPxpbdOf, FallsFreelyAndConservesMomentum) {
  Method m{.kind = Method::fp_pxpbd};
  m.solve.iterations = 2;
  Trial falling(body_of(box({3, 2, 2}), GetParam(), 1e5), m), shaking(body_of(box({4, 3, 2}), GetParam(), 1e3), m);
  Random random(6);
  shaking.state.x = shaken(shaking.model.rest, 0.02, random);
  for (Vec3d& v : shaking.state.v) v = {1, 2, 3};
  const auto centre = [&] {
    Vec3d sum{};
    double mass = 0;
    for (size_t s = 0; s < shaking.state.x.size(); ++s) {
      sum += shaking.model.mass[s] * shaking.state.x[s];
      mass += shaking.model.mass[s];
    }
    return (1 / mass) * sum;
  };
  const Vec3d start = centre();
  for (int step = 1; step <= 5; ++step) {
    falling.step();
    shaking.step();
  }
  // x + n h v + g h^2 n (n + 1) / 2
  EXPECT_LT(size(centre() - (start + Vec3d{0.05, 0.1 - 9.8 * 1e-4 * 15, 0.15})), 1e-13);
  for (int32_t s = 0; s < falling.model.slot_count(); ++s) {
    if (falling.model.order.is_padding(Slot{s})) continue;
    EXPECT_LT(size(falling.state.v[s] - Vec3d{0, -9.8 * 0.05, 0}), 1e-11);
  }
}

// Stresses start at zero, with which only the inertial target is consistent: neither the guess nor the previous step
// has an effect.
TEST(FpPxpbd, StepsFromTheTargetWithoutAPast) {
  uint64_t expected = 0;
  for (const int guess : {guess_target, guess_previous, guess_inertia, guess_adaptive}) {
    Method m{.kind = Method::fp_pxpbd};
    m.solve.initial_guess = guess;
    m.solve.iterations = 5;
    Trial through(body_of(box({3, 2, 2})), m), resumed(body_of(box({3, 2, 2})), m);
    for (Trial* t : {&through, &resumed}) t->hold(on_left);
    for (int step = 0; step < 2; ++step) through.step();
    resumed.state = through.state;
    through.step();
    resumed.step();
    EXPECT_EQ(through.hash(), resumed.hash());
    if (guess == guess_target) expected = through.hash();
    EXPECT_EQ(through.hash(), expected) << initial_guess_names[guess];
  }
}

// Collapsed to a point, inverted, held by all corners, and so stiff that cubes leave the range of single precision:
// positions remain finite, and held corners in place. At 1e12 Pa single precision retains no digit of the directions
// that are not stiff, and such shapes leave its range within a few sweeps.
TEST_P(FpPxpbdOf, SurvivesExtremes) {
  for (const int lanes : lane_counts()) {
    for (const double youngs_modulus : {1.0, 1e3, 1e9, 1e15}) {
      for (const int precision : {double_precision, single_precision}) {
        if (precision == single_precision && youngs_modulus > 1e9) continue;
        for (const int shape : {0, 1, 2}) {
          const auto what = [&] {
            return std::to_string(lanes) + " lanes, " + std::string(precision_names[precision]) + ", " +
                   std::to_string(youngs_modulus) + " Pa, " + std::to_string(shape);
          };
          Case c(body_of(box({2, 1, 1}), GetParam(), youngs_modulus));
          for (int32_t s = 0; s < c.model.slot_count(); ++s) {
            const Vec3d x = c.model.rest[s];
            c.problem.x_target[s] = shape == 0   ? Vec3d{1, 2, 3}
                                    : shape == 1 ? Vec3d{-x.x, x.y, x.z}
                                                 : Vec3d{x.x, x.y, 0};
          }
          const auto solver = make_fp_pxpbd({.precision = precision}, {.lanes = lanes});
          c.problem.x_start = c.problem.x_target;
          const std::vector<Vec3d> x = iterated(*solver, c.problem, c.pool, 3);
          for (int32_t s = 0; s < c.model.slot_count(); ++s) {
            EXPECT_TRUE(std::isfinite(x[s].x + x[s].y + x[s].z)) << what();
            EXPECT_TRUE(!c.problem.held[s] || size(x[s] - c.problem.x_target[s]) == 0) << what();
          }
        }
      }
    }
  }
}

TEST(FpPxpbdSameBits, ForAnyNumberOfThreads) {
  for (const int precision : {double_precision, single_precision}) {
    for (const MaterialKind material : every_material()) {
      uint64_t expected = 0;
      for (const int threads : {1, 2, 3, 4}) {
        Method m{.kind = Method::fp_pxpbd};
        m.solve.precision = precision;
        m.solve.iterations = 6;
        m.threads = threads;
        Trial trial(body_of(box({24, 13, 13}, {1, 0.55, 0.55}), material), m);
        ASSERT_GE(trial.model.slot_count(), 16 * least_shared);
        trial.hold(on_left);
        for (int step = 0; step < 2; ++step) trial.step();
        if (threads == 1) expected = trial.hash();
        EXPECT_EQ(trial.hash(), expected) << threads << " threads, " << precision_names[precision];
      }
    }
  }
}

}  // namespace
}  // namespace sinew
