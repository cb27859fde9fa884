// Source: Objective::gradient_unconstrained, of which this is a part: the same bits.
#include "objective/partial_gradient.h"

#include <gtest/gtest.h>

#include "objective/objective.h"
#include "support/grabbed.h"

namespace sinew {
namespace {

using support::Body;
using support::bound_boxes;
using support::problem_of;
using support::Random;
using support::shaken;

bool is_same(Vec3d a, Vec3d b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

TEST(PartialGradient, HasTheSameBitsAsTheWhole) {
  Random random(3);
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    Body body = bound_boxes(4, 0.2, weak_constraint_law(500));
    body.blocks[0].damping = 0.02;
    body.damping_form = form;
    body.ties.add_spring(0, static_cast<int32_t>(body.mesh.vertices.size()) - 1, 300, 1.5, 0.05);
    support::vary_stiffness(body, random);
    const Model model = body.compile();
    for (const double h : {0.0, 0.01}) {
      StepProblem problem = problem_of(model, shaken(model.rest, 0.05, random), h);
      const support::GrabbedFace face(body);
      problem.grabs = {in_step(face.pulled(model, 300, {0.1, 0.2, 0.3}), problem.x_prev, h)};
      ThreadPool pool(2);
      std::vector<int32_t> slots;
      for (int32_t s = 0; s < model.slot_count(); ++s)
        if (s == problem.grabs[0].vertices[1] || random.between(0, 1) < 0.1) slots.push_back(s);
      ASSERT_GT(slots.size(), 5u);
      PartialGradient partial(model, slots);
      for (int round = 0; round < 2; ++round) {
        const std::vector<Vec3d> x = shaken(model.rest, 0.05, random);
        std::vector<Vec3d> whole(x.size());
        Objective(problem, pool).gradient_unconstrained(x, whole);
        const std::span<const Vec3d> part = partial.at(problem, x, pool);
        size_t next = 0;
        for (int32_t s = 0; s < model.slot_count(); ++s) {
          const bool wanted = next < slots.size() && slots[next] == s;
          next += wanted;
          EXPECT_TRUE(is_same(part[s], wanted ? whole[s] : Vec3d{})) << s;
        }
      }
    }
  }
}

TEST(PartialGradient, OfNothingIsZero) {
  const Model model = support::body_of(support::one_tet()).compile();
  const StepProblem problem = problem_of(model, model.rest, 0.01);
  ThreadPool pool(1);
  PartialGradient none(model, {});
  for (const Vec3d& g : none.at(problem, model.rest, pool)) EXPECT_TRUE(is_same(g, {}));
}

}  // namespace
}  // namespace sinew
