// Source: conservation of momentum: for backward Euler with internal forces only, sum m (x - y) = 0 and sum m x x (x -
// y) = 0.
#include "solver/multilevel/free_bodies.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tied.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Body;
using support::bound_boxes;
using support::box;
using support::on_left;
using support::plane_body_of;
using support::rectangle;
using support::together;
using support::Trial;

// A body whose positions differ from its targets at random, and by a rotation about z and a translation.
struct Case {
  explicit Case(const Body& body, bool plane = false) : run(body, {}) {
    support::Random random(3);
    problem.model = &run.model;
    problem.h = 0.01;
    const double c = std::cos(0.4), s = std::sin(0.4);
    for (size_t k = 0; k < run.state.x.size(); ++k) {
      const Vec3d x = run.state.x[k];
      Vec3d noise = 0.05 * Vec3d{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
      if (plane) noise.z = 0;
      problem.x_target.push_back(Vec3d{c * x.x - s * x.y + 3, s * x.x + c * x.y, x.z} + noise);
      problem.held.push_back(run.model.mass[k] == 0);
    }
  }
  void balance() {
    FreeBodies free;
    free.prepare(run.model, bodies_of(run.model));
    free.begin_step(problem);
    any = free.any();
    ThreadPool pool(threads);
    free.balance(problem, pool, run.state.x);
  }
  Vec3d momentum() const {
    Vec3d sum{};
    for (size_t s = 0; s < run.state.x.size(); ++s) sum += run.model.mass[s] * (run.state.x[s] - problem.x_target[s]);
    return sum;
  }
  Vec3d torque() const {
    Vec3d sum{};
    for (size_t s = 0; s < run.state.x.size(); ++s)
      sum += run.model.mass[s] * cross(run.state.x[s], run.state.x[s] - problem.x_target[s]);
    return sum;
  }
  // The largest change of an edge of an element.
  double largest_change(const std::vector<Vec3d>& before) const {
    double change = 0;
    for (const Tet& t : run.model.tets) {
      for (int k = 1; k < 3; ++k) {
        const Vec3d a = run.state.x[t[k]] - run.state.x[t[0]], b = before[t[k]] - before[t[0]];
        change = std::fmax(change, std::abs(std::sqrt(dot(a, a)) - std::sqrt(dot(b, b))));
      }
    }
    return change;
  }
  Trial run;
  StepProblem problem;
  bool any = false;
  int threads = 1;
};

double size_of(Vec3d v) {
  return std::sqrt(dot(v, v));
}

const Body brick = support::body_of(box({6, 4, 3}, {1, 0.6, 0.4}));

TEST(FreeBodies, HaveTheMomentumOfTheirTargets) {
  TetMesh two = brick.mesh;
  for (Vec3d& v : two.vertices) v += Vec3d{0, 2, 1};
  for (const Body& body : {brick, support::body_of(together(brick.mesh, two), MaterialKind::FixedCorotated)}) {
    Case c(body);
    const std::vector<Vec3d> before = c.run.state.x;
    EXPECT_GT(size_of(c.momentum()), 1e-2);
    EXPECT_GT(size_of(c.torque()), 1e-3);
    c.balance();
    EXPECT_TRUE(c.any);
    EXPECT_LT(size_of(c.momentum()), 1e-13);
    EXPECT_LT(size_of(c.torque()), 1e-13);
    EXPECT_LT(c.largest_change(before), 1e-13);
  }
}

TEST(FreeBodies, StayInTheirPlane) {
  Case c(plane_body_of(rectangle({6, 4})), true);
  const std::vector<Vec3d> before = c.run.state.x;
  c.balance();
  EXPECT_LT(size_of(c.momentum()), 1e-12);
  EXPECT_LT(std::abs(c.torque().z), 1e-12);
  for (size_t s = 0; s < before.size(); ++s) {
    if (c.run.model.mass[s] > 0) {
      EXPECT_EQ(c.run.state.x[s].z, before[s].z);
    }
  }
}

// Linear elasticity resists rotations; damping resists finite ones.
TEST(FreeBodies, AreOnlyShiftedWhereTurnsCostEnergy) {
  Body damped = brick;
  damped.blocks[0].damping = 0.01;
  for (const Body& body : {support::body_of(brick.mesh, MaterialKind::LinearElastic), damped}) {
    Case c(body);
    const std::vector<Vec3d> before = c.run.state.x;
    c.balance();
    EXPECT_LT(size_of(c.momentum()), 1e-13);
    const Tet& t = c.run.model.tets[0];
    EXPECT_LT(size_of((c.run.state.x[t[1]] - c.run.state.x[t[0]]) - (before[t[1]] - before[t[0]])), 1e-13);
  }
}

TEST(FreeBodies, AreNotThoseThatAreHeldBoundOrDragged) {
  Case held(brick);
  held.problem.held[static_cast<size_t>(held.run.model.tets[0][0])] = 1;
  Case bound(bound_boxes(3, 0.05, weak_constraint_law(200)));
  Body dragged_body = brick;
  dragged_body.blocks[0].damping = 0.01;
  dragged_body.damping_form = DampingForm::own_block;
  Case dragged(dragged_body);
  Case still(brick);
  still.problem.quasistatic = true;
  for (Case* c : {&held, &bound, &dragged, &still}) {
    const std::vector<Vec3d> before = c->run.state.x;
    c->balance();
    EXPECT_FALSE(c->any);
    EXPECT_EQ(support::distance(c->run.state.x, before), 0);
  }
}

// A row of vertices has no rotation about itself, and an inverted body is far from every rotation of its target.
TEST(FreeBodies, StayFiniteWhereATurnIsNotDefined) {
  Case row(support::chain(10, 0.1, 100, 0.1));
  row.balance();
  EXPECT_LT(size_of(row.momentum()), 1e-13);
  Case mirrored(brick);
  for (Vec3d& x : mirrored.run.state.x) x = {-x.x, -x.y, -x.z};
  mirrored.balance();
  EXPECT_LT(size_of(mirrored.momentum()), 1e-13);
  for (const Vec3d& x : mirrored.run.state.x) EXPECT_LT(size_of(x), 10);
}

TEST(FreeBodies, HaveTheSameBitsForAnyNumberOfThreads) {
  const Body large = support::body_of(box({32, 32, 16}));
  uint64_t expected = 0;
  for (const int threads : {1, 2, 7}) {
    Case c(large);
    c.threads = threads;
    c.balance();
    if (threads == 1) expected = c.run.hash();
    EXPECT_EQ(c.run.hash(), expected);
  }
}

}  // namespace
}  // namespace sinew
