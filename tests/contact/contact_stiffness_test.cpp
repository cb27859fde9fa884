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

using support::Body;
using support::body_of;
using support::box;
using support::problem_of;
using support::Random;

TEST(ContactStiffness, IsThatOfAVertexAlone) {
  Random random(1);
  Body body = body_of(box({2, 2, 1}, {0.4, 0.3, 0.1}), MaterialKind::NeoHookean, 1e5, 0.35);
  for (Vec3d& x : body.mesh.vertices) x += 0.01 * random.vector();
  const Model model = body.compile();
  for (const double h : {0.0, 0.01}) {
    const StepProblem problem = problem_of(model, model.rest, h);
    const std::vector<double> k = contact_stiffness(model, problem.inverse_h2());
    ASSERT_EQ(k.size(), static_cast<size_t>(model.slot_count()));
    ThreadPool pool(1);
    const Objective objective(problem, pool);
    for (size_t s = 0; s < k.size(); ++s) {
      if (model.mass[s] == 0) continue;
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
      EXPECT_NEAR(k[s], trace / 3, 1e-5 * k[s]) << s;
    }
  }
}

}  // namespace
}  // namespace sinew
