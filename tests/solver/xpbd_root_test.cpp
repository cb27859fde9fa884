// Source: Chen et al. 2024 (PXPBD), section 5.3 (experiment S2-4): C = sqrt(psi), a = 1/(2 V).
#include "solver/by_constraint/xpbd_root.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "element/element.h"
#include "element/tet_frame.h"
#include "solver/solver_list.h"
#include "solver/sweep.h"
#include "support/constraint_bar.h"
#include "support/made.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::largest_coordinate;
using support::Method;
using support::on_left;
using support::problem_of;
using support::Random;
using support::shaken;
using support::Trial;

// One tet by hand: dl = (-C - a~ l)/(sum w |grad C|^2 + a~), grad_j C = P g_j / (2 C).
TEST(XpbdRoot, ProjectsTheRootOfTheEnergy) {
  for (const MaterialKind kind : {MaterialKind::FixedCorotated, MaterialKind::Stvk}) {
    const Model model = body_of(support::one_tet(), kind).compile();
    Random random(3);
    StepProblem problem = problem_of(model, shaken(model.rest, 0.2, random), 0.02);
    problem.x_start = problem.x_target;
    const Tet& t = model.tets[0];
    std::vector<Vec3d> x = problem.x_target;
    double lambda = 0;
    visit_material(kind, [&]<template <class> class M>() {
      const auto material = support::made<M>(model.blocks[0].material.lame);
      const auto edge = [&](const std::vector<Vec3d>& p, int j) { return p[t[j]] - p[t[0]]; };
      const RestShape rest = tet_rest_shape(edge(model.rest, 1), edge(model.rest, 2), edge(model.rest, 3));
      const Vec3d g[4] = {-(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]), rest.gradient[0], rest.gradient[1],
                          rest.gradient[2]};
      const FullTetFrame<double> frame{g[1], g[2], g[3], rest.volume};
      const double a = 1 / (2 * rest.volume * problem.h * problem.h);
      for (int n = 0; n < 5; ++n) {
        const Mat3d f = frame.deformation_gradient(edge(x, 1), edge(x, 2), edge(x, 3));
        const double c = std::sqrt(material.energy(f));
        const Mat3d gradient = (1 / (2 * c)) * material.stress(f);
        double sum = a;
        for (int j = 0; j < 4; ++j) sum += dot(gradient * g[j], gradient * g[j]) / model.mass[t[j]];
        const double change = (-c - a * lambda) / sum;
        lambda += change;
        for (int j = 0; j < 4; ++j) x[t[j]] += (change / model.mass[t[j]]) * (gradient * g[j]);
      }
    });
    for (const int precision : {double_precision, single_precision}) {
      for (const int lanes : {1, 4, 8, 16}) {
        if (!kernels_with_lanes(lanes)) continue;
        ThreadPool pool(1);
        const auto solver = make_xpbd_root({.precision = precision}, {.lanes = lanes});
        solver->prepare(model, pool);
        const Objective objective(problem, pool);
        solver->begin_step(objective);
        for (int n = 0; n < 5; ++n) solver->iterate();
        std::vector<Vec3d> found(x.size());
        solver->positions(found);
        EXPECT_LT(largest_coordinate(model.order.to_user(found), model.order.to_user(x)),
                  precision == double_precision ? 1e-12 : 1e-5)
            << traits_of(kind).name << ' ' << lanes;
      }
    }
  }
}

// Computed by an independent program (numpy, double precision): a bar of 15 x 5 x 5 cells, .6 x .2 x .2, E = 1e4,
// stretched to 1.5 in 30 steps of 0.01 s with one iteration each. Then min J is .11 with the root and .99 with two
// constraints.
TEST(XpbdRoot, IsNoisyWhereTwoConstraintsAreNot) {
  const auto least_volume = [](const Method& method) {
    support::Body body = body_of(box({15, 5, 5}, {0.6, 0.2, 0.2}), MaterialKind::FixedCorotated, 1e4);
    body.gravity = {};
    Trial trial(body, method);
    trial.hold(on_left);
    trial.hold([](Vec3d rest) { return rest.x > 0.6 - 1e-9; },
               [](PinScript& pin) {
                 pin.keys = {{0, {}, 0, {1, 1, 1}}, {0.3, {0.3, 0, 0}, 0, {1, 1, 1}}};
                 pin.smooth = false;
               });
    for (int step = 0; step < 31; ++step) trial.step();
    std::vector<double> j(trial.model.tets.size());
    deformation_measures(trial.model, trial.state.x, trial.pool, j, {});
    return *std::min_element(j.begin(), j.end());
  };
  const SolveOptions once{.iterations = 1, .precision = double_precision};
  const double two = least_volume({.kind = Method::xpbd, .solve = once});
  const double root =
      least_volume({.solve = once, .make = [](const SolveOptions& common) { return make_xpbd_root(common, {}); }});
  EXPECT_GT(two, 0.3);
  EXPECT_LT(root, 0);
}

TEST(XpbdRoot, TreatsIsotropicMaterialsWithoutEnergyAtRest) {
  const auto answer = [](MaterialKind material) {
    const Status s = check_solver(*find_solver("xpbd_root"), body_of(support::one_tet(), material).compile(), false);
    return s.ok() ? std::string("fine") : s.error().message();
  };
  EXPECT_EQ(answer(MaterialKind::FixedCorotated), "fine");
  EXPECT_EQ(answer(MaterialKind::Stvk), "fine");
  EXPECT_NE(answer(MaterialKind::NeoHookean).find("does not vanish at rest"), std::string::npos);
  EXPECT_NE(answer(MaterialKind::LinearElastic).find("not isotropic"), std::string::npos);
}

}  // namespace
}  // namespace sinew
