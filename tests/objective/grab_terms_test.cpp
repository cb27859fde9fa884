// Source: model/grab.h: differences of the energy; the forces of a spring and a damper in closed form.
#include "objective/grab_terms.h"

#include <gtest/gtest.h>

#include "objective/objective.h"
#include "support/grabbed.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::derivative;
using support::GrabbedFace;
using support::problem_of;
using support::Random;
using support::shaken;
using support::size;

// The gradient of spring and damper, k (C - a) + k k_d ((C - C^t)/h - w), shared by the weights.
TEST(GrabTerms, GradientIsThatOfSpringAndDamper) {
  Random random(3);
  const Body body = body_of(box({2, 2, 2}));
  const Model model = body.compile();
  const GrabbedFace face(body);
  for (const double h : {0.0, 0.01}) {
    StepProblem problem = problem_of(model, shaken(model.rest, 0.05, random), h);
    GrabScript script = face.pulled(model, 300, {0.3, -0.1, 0.2}, 0.05);
    script.velocity = {1, 2, -3};
    problem.grabs = {in_step(script, problem.x_prev, h)};
    const std::vector<Vec3d> x = shaken(model.rest, 0.05, random);
    Vec3d expected = 300.0 * (point_of(script, x) - script.target);
    if (h > 0)
      expected += (300 * 0.05) * ((1 / h) * (point_of(script, x) - point_of(script, problem.x_prev)) - script.velocity);
    std::vector<Vec3d> g(x.size());
    add_grab_terms(problem, x, g);
    Vec3d sum{};
    for (size_t s = 0; s < g.size(); ++s) sum += g[s];
    EXPECT_LT(size(sum - expected), 1e-9);
    for (size_t j = 0; j < 3; ++j)
      EXPECT_LT(size(g[static_cast<size_t>(script.slots[j])] - script.weights[j] * expected), 1e-9);
    EXPECT_LT(size(force_of(script, x, std::vector<Vec3d>(x.size())) -
                   (300.0 * (script.target - point_of(script, x)) + (300 * 0.05) * script.velocity)),
              1e-9);
  }
}

// As in tie_terms_test.cpp.
TEST(GrabTerms, GradientOfTheObjectiveIsTheDerivativeOfItsEnergy) {
  Random random(4);
  const Body body = body_of(box({2, 2, 2}));
  const Model model = body.compile();
  const GrabbedFace face(body);
  for (const double h : {0.0, 0.01}) {
    StepProblem problem = problem_of(model, shaken(model.rest, 0.05, random), h);
    problem.grabs = {in_step(face.pulled(model, 3000, {0.3, -0.1, 0.2}, 0.05), problem.x_prev, h)};
    ThreadPool pool(1);
    const Objective objective(problem, pool);
    const std::vector<Vec3d> x = shaken(model.rest, 0.02, random);
    std::vector<Vec3d> g(x.size());
    objective.gradient(x, g);
    double scale = 0;
    for (const Vec3d& v : g) scale = std::max(scale, size(v));
    for (const int32_t slot : problem.grabs[0].slots()) {
      const auto s = static_cast<size_t>(slot);
      const Vec3d e = random.vector();
      const double slope = derivative([&](double t) {
        std::vector<Vec3d> moved = x;
        moved[s] += t * e;
        return objective.energy(moved);
      });
      EXPECT_NEAR(slope, dot(g[s], e), 1e-8 * scale);
    }
  }
}

TEST(GrabTerms, CountInTheSizeOfStiffness) {
  const Model model = support::two_particles(2).compile();
  StepProblem problem = problem_of(model, model.rest, 0.01);
  EXPECT_EQ(grab_stiffness_norm(problem), 0);
  problem.grabs = {in_step(support::grab_of(model, {1}, {1}, 8, {}, 0.02), problem.x_prev, 0.01)};
  EXPECT_DOUBLE_EQ(grab_stiffness_norm(problem), 24);  // k (1 + k_d/h)
}

}  // namespace
}  // namespace sinew
