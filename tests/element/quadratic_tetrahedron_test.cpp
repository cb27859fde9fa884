// Source: element/quadratic_tetrahedron.h, against the shape functions themselves and plain sums over them.
#include "element/quadratic_tetrahedron.h"

#include <gtest/gtest.h>

#include <array>

#include "model/element_points.h"
#include "objective/objective.h"
#include "support/body.h"
#include "support/made.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

struct Element {
  std::array<Vec3d, most_nodes> rest, x;
  std::array<Vec3d, 4> corner;  // gradients of the barycentric coordinates
  double volume;
};

Element random_element(Random& random) {
  Element e;
  do {
    for (size_t a = 0; a < 4; ++a) e.rest[a] = random.vector();
    const RestShape<double> shape = QuadraticTetrahedron::rest(e.rest.data());
    e.volume = shape.volume;
    e.corner = {-(shape.gradient[0] + shape.gradient[1] + shape.gradient[2]), shape.gradient[0], shape.gradient[1],
                shape.gradient[2]};
  } while (e.volume < 0.1);
  for (int k = 0; k < 6; ++k)
    e.rest[4 + k] = 0.5 * (e.rest[QuadraticTetrahedron::end(k, 0)] + e.rest[QuadraticTetrahedron::end(k, 1)]);
  for (size_t n = 0; n < most_nodes; ++n) e.x[n] = e.rest[n] + 0.3 * random.vector();
  return e;
}

// N_n at barycentric coordinates l.
double shape_function(size_t n, const std::array<double, 4>& l) {
  if (n < 4) return l[n] * (2 * l[n] - 1);
  const int edge = static_cast<int>(n) - 4;
  return 4 * l[QuadraticTetrahedron::end(edge, 0)] * l[QuadraticTetrahedron::end(edge, 1)];
}

TEST(QuadraticTetrahedron, GradientsAreThoseOfItsShapeFunctions) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    const Element e = random_element(random);
    const auto f = PointGradients<double>::of(e.x.data(), e.corner.data());
    for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
      Vec3d g[most_nodes];
      node_gradients(e.corner.data(), q, g);
      // Along each axis l changes by its gradients; N is quadratic, so that central differences are exact.
      const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      Mat3d expected{};
      for (const Vec3d& axis : axes) {
        const auto l_at = [&](double t) {
          std::array<double, 4> l;
          for (int a = 0; a < 4; ++a) l[a] = QuadraticTetrahedron::at_point(q, a) + t * dot(e.corner[a], axis);
          return l;
        };
        for (size_t n = 0; n < most_nodes; ++n) {
          const double slope = (shape_function(n, l_at(0.5)) - shape_function(n, l_at(-0.5)));
          EXPECT_NEAR(dot(g[n], axis), slope, 1e-12 * (1 + std::abs(slope)));
          expected = expected + outer(slope * e.x[n], axis);
        }
      }
      EXPECT_LT(support::size(f.at[q] - expected), 1e-11 * support::size(expected));
    }
  }
}

TEST(QuadraticTetrahedron, MassesAddUpToTheWhole) {
  EXPECT_NEAR(4 * QuadraticTetrahedron::corner_mass + 6 * QuadraticTetrahedron::middle_mass, 1, 1e-15);
  const Model model = support::body_of(support::with_middles(support::box({2, 1, 1}))).compile();
  double sum = 0;
  for (const double m : model.mass) sum += m;
  EXPECT_NEAR(sum, 10, 1e-12);
}

double energy_at(const Model& model, const std::vector<Vec3d>& x) {
  ThreadPool pool(1);
  const StepProblem problem = support::problem_of(model, model.rest, 0);
  StepProblem weightless = problem;
  Model light = model;
  light.gravity = {};
  weightless.model = &light;
  return Objective(weightless, pool).energy(x);
}

// Up to a Poisson ratio of 1/3 the split leaves nothing for the mean: the sum of the material over the points, with
// gradients from the shape functions.
TEST(QuadraticTetrahedron, IsPlainUpToAThird) {
  Random random(5);
  for (const MaterialKind kind : support::every_material()) {
    for (const double nu : {0.0, 0.2, 1.0 / 3 - 1e-9}) {
      const support::Body body = support::body_of(support::with_middles(support::one_tet()), kind, 1000, nu);
      const Model model = body.compile();
      const std::vector<Vec3d> x = support::shaken(model.rest, 0.2, random);
      double expected = 0;
      visit_formula(kind, [&]<template <class> class Material>() {
        const auto material = coefficients_of<Material>(model.blocks[0].material);
        const double rest = material.energy(diagonal(1.0, 1.0, 1.0));
        for_each_point(model, model.blocks[0], 0,
                       [&](const ElementNodes& nodes, std::span<const Vec3d> g, double volume) {
                         Mat3d f{};
                         for (size_t n = 0; n < nodes.size(); ++n) f = f + outer(x[nodes[n]], g[n]);
                         expected += volume * (material.energy(f) - rest);
                       });
      });
      EXPECT_NEAR(energy_at(model, x), expected, 1e-13 * (1000 + std::abs(expected))) << traits_of(kind).name << nu;
    }
  }
}

// What has moved as a whole and turned has no energy; six motions of a small displacement have none.
TEST(QuadraticTetrahedron, IsFreeToMoveAndTurnAndNothingElse) {
  const Model model =
      support::body_of(support::with_middles(support::one_tet()), MaterialKind::NeoHookean, 1000, 0.49).compile();
  const double a = 0.7;
  const Mat3d turn{{std::cos(a), std::sin(a), 0}, {-std::sin(a), std::cos(a), 0}, {0, 0, 1}};
  std::vector<Vec3d> x = model.rest;
  for (Vec3d& p : x) p = turn * p + Vec3d{1, -2, 3};
  EXPECT_NEAR(energy_at(model, x), 0, 1e-11 * 1000);
  ThreadPool pool(1);
  Model light = model;
  light.gravity = {};
  const StepProblem problem = support::problem_of(light, light.rest, 0);
  std::vector<Vec3d> g(x.size());
  Objective(problem, pool).gradient(x, g);
  Vec3d force{}, torque{};
  for (size_t s = 0; s < g.size(); ++s) {
    EXPECT_LT(dot(g[s], g[s]), 1e-20);
  }
  Random random(2);
  const std::vector<Vec3d> deformed = support::shaken(x, 0.2, random);
  Objective(problem, pool).gradient(deformed, g);
  double size = 0;
  for (size_t s = 0; s < g.size(); ++s) {
    force += g[s];
    torque += cross(deformed[s], g[s]);
    size += std::sqrt(dot(g[s], g[s]));
  }
  EXPECT_LT(std::sqrt(dot(force, force)), 1e-12 * size);
  EXPECT_LT(std::sqrt(dot(torque, torque)), 1e-12 * size);
}

// An affine motion of the boundary leaves the inside in balance, on a mesh whose inner vertices are moved at random.
TEST(QuadraticTetrahedron, PassesThePatchTest) {
  Random random(11);
  for (const double nu : {0.3, 0.49}) {
    TetMesh mesh = support::box({3, 3, 3});
    const auto inside = [](Vec3d p) {
      const auto in = [](double c) { return c > 1e-9 && c < 1 - 1e-9; };
      return in(p.x) && in(p.y) && in(p.z);
    };
    for (Vec3d& p : mesh.vertices)
      if (inside(p)) p += 0.07 * random.vector();
    Model model = support::body_of(support::with_middles(mesh), MaterialKind::NeoHookean, 1000, nu).compile();
    model.gravity = {};
    const Mat3d f{{1.1, 0.1, 0}, {-0.2, 0.9, 0.1}, {0.05, 0, 1.2}};
    std::vector<Vec3d> x = model.rest, g(x.size());
    for (Vec3d& p : x) p = f * p;
    ThreadPool pool(1);
    const StepProblem problem = support::problem_of(model, model.rest, 0);
    Objective(problem, pool).gradient(x, g);
    double largest = 0, off = 0;
    for (size_t s = 0; s < g.size(); ++s) {
      largest = std::max(largest, dot(g[s], g[s]));
      if (inside(model.rest[s])) off = std::max(off, dot(g[s], g[s]));
    }
    EXPECT_LT(std::sqrt(off), 1e-12 * std::sqrt(largest));
  }
}

}  // namespace
}  // namespace sinew
