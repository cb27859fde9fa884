// Source: the definition, k = m/h^2 + trace(K_ii)/3, with K the stiffness of the elastic energy at rest, here by
// differences of the objective's gradient.
#include "contact/contact_stiffness.h"

#include <gtest/gtest.h>

#include "mesh/generators.h"
#include "objective/objective.h"
#include "support/body.h"
#include "support/fields.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::problem_of;
using support::Random;

// [N/m] k of all vertices by the definition.
std::vector<double> by_differences(const Model& model, double h) {
  const StepProblem problem = problem_of(model, model.rest, h);
  ThreadPool pool(1);
  const Objective objective(problem, pool);
  std::vector<double> k(model.mass.size());
  for (size_t s = 0; s < k.size(); ++s) {
    double trace = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto force = [&](double t) {
        std::vector<Vec3d> x = model.rest, g(x.size(), Vec3d{});
        x[s] += t * support::unit_vector(axis);
        objective.gradient(x, g);
        return dot(g[s], support::unit_vector(axis));
      };
      trace += support::derivative(force, 1e-6);
    }
    k[s] = trace / 3;
  }
  return k;
}
void expect_near(const std::vector<double>& k, const std::vector<double>& expected, const Model& model) {
  ASSERT_EQ(k.size(), expected.size());
  for (size_t s = 0; s < k.size(); ++s) {
    if (model.mass[s] != 0) {
      EXPECT_NEAR(k[s], expected[s], 1e-5 * expected[s]) << s;
    }
  }
}
Model irregular(bool quadratic, double youngs_modulus, double ratio) {
  Random random(1);
  TetMesh mesh = box({2, 2, 1}, {0.4, 0.3, 0.1});
  for (Vec3d& x : mesh.vertices) x += 0.01 * random.vector();
  if (quadratic) mesh = support::with_middles(std::move(mesh));
  return body_of(std::move(mesh), MaterialKind::NeoHookean, youngs_modulus, ratio).compile();
}

TEST(ContactStiffness, IsThatOfAVertexAlone) {
  for (const double h : {0.0, 0.01}) {
    for (const bool quadratic : {false, true}) {
      for (const double ratio : {0.3, 0.35, 0.45}) {
        const Model model = irregular(quadratic, 1e5, ratio);
        expect_near(contact_stiffness(model, h > 0 ? 1 / (h * h) : 0), by_differences(model, h), model);
      }
    }
  }
}

// lambda = 10 mu, of which 8 mu are of the mean J, at a ratio of 10/22.
TEST(ContactStiffness, OfQuadraticTetsStaysThatOfShear) {
  const double mu = 1e4, most = 10.0 / 22;
  const Model model = irregular(true, 2 * mu * (1 + most), most);
  const std::vector<double> bound = by_differences(model, 0.01);
  for (const double ratio : {0.499, 0.49999}) {
    const Model stiffer = irregular(true, 2 * mu * (1 + ratio), ratio);
    expect_near(contact_stiffness(stiffer, 1e4), bound, model);
  }
}

}  // namespace
}  // namespace sinew
