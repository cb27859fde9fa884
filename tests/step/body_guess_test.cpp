// Source: docs/theory.md, Initial guess: bodies of quadratic tets that the guess would turn inside out.
#include "step/body_guess.h"

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <vector>

#include "math/rotation.h"
#include "objective/objective.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::with_middles;

constexpr double h = 0.01;

// [m] The largest distance of two lists of points.
double farthest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double most = 0;
  for (size_t s = 0; s < a.size(); ++s) most = std::max(most, std::sqrt(dot(a[s] - b[s], a[s] - b[s])));
  return most;
}

// A cube, and the step that its velocities pose, by slot.
struct Case {
  Model model;
  ThreadPool pool{1};
  StepProblem problem;
  std::vector<Vec3d> guess;

  explicit Case(TetMesh mesh) : model(body_of(std::move(mesh)).compile()) {
    problem = support::problem_of(model, model.rest, h);
  }
  // way(x): how far the vertex would go on in a step.
  template <class Way>
  void move(const Way& way) {
    guess = model.rest;
    for (size_t s = 0; s < guess.size(); ++s) guess[s] += way(model.rest[s]);
    problem.x_target = guess;
  }
  std::vector<Vec3d> mended(const std::function<double(std::span<const Vec3d>)>& contact_energy = {}) {
    std::vector<Vec3d> x = guess;
    BodyGuess(model).mend(problem, pool, contact_energy, x);
    return x;
  }
  double energy(const std::vector<Vec3d>& x) { return Objective(problem, pool).energy(x); }
};

// Fast enough to turn the cube inside out, were it not for its stiffness.
Vec3d inwards(Vec3d x) {
  return Vec3d{3, 0, 0} - 2.0 * (x - Vec3d{0.5, 0.5, 0.5});
}

TEST(BodyGuess, LeavesBodiesThatStayWhole) {
  Case c(with_middles(box({2, 2, 2})));
  c.move([](Vec3d x) { return Vec3d{1, 2, 3} + 0.4 * x; });
  EXPECT_EQ(farthest(c.mended(), c.guess), 0);
}

TEST(BodyGuess, LeavesLinearTets) {
  Case c(box({2, 2, 2}));
  c.move(inwards);
  EXPECT_EQ(farthest(c.mended(), c.guess), 0);
}

TEST(BodyGuess, MovesBodiesThatWouldTurnInsideOutAsAWhole) {
  Case c(with_middles(box({2, 2, 2})));
  c.model.blocks[0].material = elastic_material(MaterialKind::NeoHookean, lame_from(1e6, 0.3));
  c.move([](Vec3d x) { return inwards(x) + 0.2 * Vec3d{0.5 - x.y, x.x - 0.5, 0}; });
  const std::vector<Vec3d> x = c.mended();
  EXPECT_LT(c.energy(x), 0.5 * c.energy(c.guess));
  EXPECT_LT(c.energy(x), c.energy(c.model.rest));
  // Turned by 0.2 about z.
  const Mat3d turn = rotation_minus_identity(Vec3d{0, 0, 1}, 0.2);
  for (size_t s = 0; s < x.size(); ++s) {
    if (c.model.mass[s] == 0) continue;
    const Vec3d off = x[s] - (c.model.rest[s] + Vec3d{3, 0, 0} + turn * (c.model.rest[s] - Vec3d{0.5, 0.5, 0.5}));
    EXPECT_LT(dot(off, off), 1e-20) << s;
  }
}

// A wall at x = 1 that costs more to press into than the motion has.
TEST(BodyGuess, LeavesBodiesWhereTheyWereBeforeTheyArePressedIntoSomething) {
  Case c(with_middles(box({2, 2, 2})));
  c.model.blocks[0].material = elastic_material(MaterialKind::NeoHookean, lame_from(1e6, 0.3));
  c.move(inwards);
  const auto wall = [&](double stiffness) {
    return [&c, stiffness](std::span<const Vec3d> x) {
      double energy = 0;
      for (size_t s = 0; s < x.size(); ++s)
        if (c.model.mass[s] != 0 && x[s].x > 1) energy += stiffness * (x[s].x - 1);
      return energy;
    };
  };
  const std::vector<Vec3d> blocked = c.mended(wall(1e12));
  for (size_t s = 0; s < blocked.size(); ++s) {
    const double way = c.model.mass[s] != 0 ? farthest({blocked[s]}, {c.model.rest[s]}) : 0;
    EXPECT_EQ(way, 0) << s;
  }
  EXPECT_EQ(farthest(c.mended(wall(1e-6)), c.mended()), 0);
}

// Two cubes, of which one would turn inside out.
TEST(BodyGuess, LeavesOtherBodies) {
  TetMesh other = box({1, 1, 1});
  for (Vec3d& p : other.vertices) p.x += 5;
  Case c(with_middles(support::together(box({1, 1, 1}), other)));
  c.model.blocks[0].material = elastic_material(MaterialKind::NeoHookean, lame_from(1e6, 0.3));
  c.move([](Vec3d x) { return x.x < 2 ? inwards(x) : Vec3d{0.3 * x.y, 0, 0}; });
  const std::vector<Vec3d> x = c.mended();
  bool moved = false;
  for (size_t s = 0; s < x.size(); ++s) {
    const bool here = farthest({x[s]}, {c.guess[s]}) == 0;
    EXPECT_TRUE(here || c.model.rest[s].x < 2);
    moved |= !here;
  }
  EXPECT_TRUE(moved);
}

// The motion has the energy that the guess needs: nothing is wrong with it.
TEST(BodyGuess, LeavesSoftBodiesThatAreFastEnough) {
  Case c(with_middles(box({2, 2, 2})));
  c.move(inwards);
  c.model.blocks[0].material = elastic_material(MaterialKind::NeoHookean, lame_from(1e-3, 0.3));
  EXPECT_EQ(farthest(c.mended(), c.guess), 0);
}

TEST(BodyGuess, KeepsHeldVerticesWhereTheyAre) {
  Case c(with_middles(box({2, 2, 2})));
  c.model.blocks[0].material = elastic_material(MaterialKind::NeoHookean, lame_from(1e6, 0.3));
  c.move(inwards);
  for (size_t s = 0; s < c.guess.size(); ++s) {
    if (c.model.mass[s] == 0 || c.model.rest[s].x > 0) continue;
    c.problem.held[s] = 1;
    c.problem.x_target[s] = c.guess[s] = c.model.rest[s];
  }
  const std::vector<Vec3d> x = c.mended();
  EXPECT_LE(c.energy(x), c.energy(c.model.rest));
  for (size_t s = 0; s < x.size(); ++s) EXPECT_TRUE(!c.problem.held[s] || farthest({x[s]}, {c.guess[s]}) == 0);
}

}  // namespace
}  // namespace sinew
