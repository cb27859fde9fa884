// Source: the definitions in solver/by_constraint/pseudo_step.h and b_pxpbd.h; docs/theory.md, Pseudo-time and B-PXPBD
// (E h^2/(density edge^2)).
#include "solver/by_constraint/pseudo_step.h"

#include <gtest/gtest.h>

#include <string>

#include "solver/by_constraint/b_pxpbd.h"
#include "solver/by_constraint/xpbd_qs.h"
#include "support/constraint_bar.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::constraint_materials;
using support::largest_coordinate;
using support::Method;
using support::on_left;
using support::Trial;

double step_of(const support::Body& body) {
  ThreadPool pool(1);
  return pseudo_step_for(scales_of(body.compile(), pool));
}

// One tet with corners of a cube of 1 m: sum |g|^2 = 6 / m^2, and each corner has the mass density V / 4.
TEST(PseudoStep, FollowsFromTheFrequencyOfATet) {
  const support::Body body = body_of(support::one_tet(), MaterialKind::NeoHookean, 700, 0.2);
  const Lame lame = body.blocks[0].material.lame;
  EXPECT_NEAR(step_of(body), 3 / std::sqrt((2 * lame.mu + lame.lambda) * 24 / 10), 1e-15);
  ThreadPool pool(1);
  EXPECT_NEAR(scales_of(body.compile(), pool).length, std::cbrt(1 / 6.0), 1e-15);
}

// Twice the edge or four times the density doubles it, four times the modulus halves it. Also for triangles.
TEST(PseudoStep, GoesWithTheBody) {
  for (const bool plane : {false, true}) {
    const auto body = [&](double size, double modulus, double density) {
      support::Body b =
          plane ? support::plane_body_of(support::rectangle({4, 3}, {size, size}), MaterialKind::NeoHookean, modulus)
                : body_of(box({4, 3, 2}, {size, size, size}), MaterialKind::NeoHookean, modulus);
      b.density = {density};
      return b;
    };
    const double step = step_of(body(1, 1e3, 10));
    EXPECT_NEAR(step_of(body(2, 1e3, 10)), 2 * step, 1e-12 * step);
    EXPECT_NEAR(step_of(body(1, 1e3, 40)), 2 * step, 1e-12 * step);
    EXPECT_NEAR(step_of(body(1, 4e3, 10)), step / 2, 1e-12 * step);
  }
}

TEST(PseudoStep, ShareKeepsEveryVertexWithinAnElement) {
  ThreadPool pool(1);
  const std::vector<Vec4<double>> moves{{0.1, 0, 0, 1}, {0, 3, 4, 1}, {0.2, 0.2, 0, 0}};
  EXPECT_EQ(share_to_start_with<double>(moves, {.length = 5}, pool), 1);
  EXPECT_DOUBLE_EQ(share_to_start_with<double>(moves, {.length = 2}, pool), 0.4);
}

struct Size {
  double youngs_modulus, edge;
};
// From E/(density g edge) = 1e-2 to 1e5: soft and stiff, coarse and fine.
constexpr Size sizes[] = {{1e4, 0.1}, {1e4, 0.01}, {1e6, 1}, {1e6, 0.02}, {1e8, 1}, {1e8, 0.01}};

// One quasistatic step: a cantilever that sags under its weight, or a block whose far end is moved.
std::vector<double> residuals(const Method& how, MaterialKind material, Size size, double stretch,
                              double poisson = 0.3) {
  Method method = how;
  method.quasistatic = true;
  method.h = 1;
  const bool sags = stretch == 1;
  const int cells = sags ? 12 : 4;
  const double length = cells * size.edge, across = 3 * size.edge;
  support::Body body = body_of(box({cells, 3, 3}, {length, across, across}), material, size.youngs_modulus, poisson);
  body.density = {1000};
  if (!sags) body.gravity = {};
  Trial trial(body, method);
  trial.hold([&](Vec3d r) { return r.x < 1e-9 * length; });
  if (!sags) {
    trial.hold([&](Vec3d r) { return r.x > (1 - 1e-9) * length; },
               [&](PinScript& pin) {
                 pin.keys = {{0, {}, 0, {1, 1, 1}}, {1, {(stretch - 1) * length, 0, 0}, 0, {1, 1, 1}}};
               });
  }
  support::Residuals seen;
  trial.observer = &seen;
  trial.step();
  return seen.seen;
}

class PseudoTimeOf : public testing::TestWithParam<MaterialKind> {};
INSTANTIATE_TEST_SUITE_P(All, PseudoTimeOf, testing::ValuesIn(constraint_materials()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// Pseudo-step and zeta are automatic. With 0.01 s for every body, the residual of the stiff ones would grow, and while
// Neo-Hookean builds up its stresses at rest, by a factor of up to 1e6.
TEST_P(PseudoTimeOf, BPxpbdConvergesByItself) {
  const Method method{.solve = {.iterations = 60, .precision = double_precision},
                      .make = [](const SolveOptions& common) { return make_b_pxpbd(common, {}); }};
  for (const Size& size : sizes) {
    const std::string what = std::to_string(size.youngs_modulus) + " Pa, " + std::to_string(size.edge) + " m";
    const std::vector<double> sagging = residuals(method, GetParam(), size, 1);
    EXPECT_LT(*std::max_element(sagging.begin(), sagging.end()), 1.1 * sagging.front()) << what;
    EXPECT_LT(sagging.back(), 0.8 * sagging.front()) << what;
    for (const double stretch : {0.8, 1.5}) {
      const std::vector<double> moved = residuals(method, GetParam(), size, stretch);
      EXPECT_LT(moved.back(), 1e-3 * moved.front()) << what << ", times " << stretch;
    }
  }
  const std::vector<double> incompressible = residuals(method, GetParam(), sizes[2], 1.5, 0.49);
  EXPECT_LT(incompressible.back(), 1e-2 * incompressible.front());
}

// The rounding of positions does not accumulate over pseudo-steps: after 3000 of them single precision leaves the same
// residual as after 400.
TEST_P(PseudoTimeOf, BPxpbdKeepsTheEquilibriumInSinglePrecision) {
  const auto least_after = [&](int iterations) {
    const Method method{.solve = {.iterations = iterations, .precision = single_precision},
                        .make = [](const SolveOptions& common) { return make_b_pxpbd(common, {}); }};
    return residuals(method, GetParam(), {1e6, 0.02}, 1.2).back();
  };
  const double early = least_after(400), late = least_after(3000);
  EXPECT_LT(late, 2 * early);
  EXPECT_LT(late, 1e-3 * least_after(1));
}

// The same for XPBD-QS: it comes to a standstill, below the residual of its start.
TEST_P(PseudoTimeOf, XpbdQsTakesBackForcesByItself) {
  const Method method{.solve = {.iterations = 200, .precision = double_precision},
                      .make = [](const SolveOptions& common) { return make_xpbd_qs(common, {}); }};
  for (const Size& size : sizes) {
    const std::vector<double> moved = residuals(method, GetParam(), size, 1.5);
    EXPECT_LT(moved.back(), 0.5 * moved.front()) << size.youngs_modulus << ' ' << size.edge;
  }
}

// A body in equilibrium does not move, because the solve starts with the forces of its guess.
TEST_P(PseudoTimeOf, BPxpbdStaysInEquilibrium) {
  Method newton{
      .kind = Method::newton, .solve = {.iterations = 50, .precision = double_precision}, .quasistatic = true};
  support::Body body = body_of(box({4, 2, 2}, {0.4, 0.2, 0.2}), GetParam(), 1e4);
  Trial trial(body, newton);
  trial.hold(on_left);
  trial.step();
  const std::vector<Vec3d> expected = trial.positions();
  EXPECT_GT(largest_coordinate(expected, trial.model.order.to_user(trial.model.rest)), 1e-3);
  Method method{.solve = {.iterations = 3, .precision = double_precision},
                .quasistatic = true,
                .make = [](const SolveOptions& common) { return make_b_pxpbd(common, {}); }};
  Trial again(body, method);
  again.hold(on_left);
  again.state = trial.state;
  again.step();
  EXPECT_LT(largest_coordinate(again.positions(), expected), 1e-12);
}

// StVK pulled to twice its length by pins: at first one layer of elements has seven times its length, and its stress is
// 1e5 of the final one. Starting with all of that stress, FP-PXPBD would invert elements for good.
TEST(FpPxpbd, DrawsStvkOutWithoutTurningItInsideOut) {
  const auto drawn = [](Method::Kind kind, int iterations) {
    Method method{
        .kind = kind, .solve = {.iterations = iterations, .precision = double_precision}, .quasistatic = true, .h = 1};
    method.solve.initial_guess = guess_previous;
    support::Body body = body_of(box({6, 6, 6}, {0.12, 0.12, 0.12}), MaterialKind::Stvk, 1e5);
    body.gravity = {};
    auto trial = std::make_unique<Trial>(body, method);
    trial->hold(on_left);
    trial->hold([](Vec3d r) { return r.x > 0.12 - 1e-9; },
                [](PinScript& pin) {
                  pin.keys = {{0, {}, 0, {1, 1, 1}}, {1, {0.12, 0, 0}, 0, {1, 1, 1}}};
                });
    trial->step();
    return trial;
  };
  const auto vbd = drawn(Method::vbd, 200), fp = drawn(Method::fp_pxpbd, 700);
  EXPECT_EQ(fp->evaluate().inverted, 0);
  EXPECT_LT(largest_coordinate(fp->positions(), vbd->positions()), 1e-6);
}

}  // namespace
}  // namespace sinew
