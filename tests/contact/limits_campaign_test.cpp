// Source: two convex sets that are in half spaces without a common point do not meet (planar truncation, arXiv
// 2604.15513). The exact checker of intersections judges (mesh/crossing_triangles.h).
#include "contact/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "contact/limited_world.h"

namespace sinew {
namespace {

using namespace limits_support;

// Motions that do all they can to make surfaces cross: where each point would like to be next.
enum class Motion { jitter, together, through, crush, turn, inside_out, onto_others, slide, count };

Points wish(Motion motion, const ContactSurface& surface, const Points& x, Vec3d centre, double strength,
            Random& random) {
  Points to = x;
  const Vec3d axis = random_vector(random, 1), shift = random_vector(random, 1);
  std::vector<Vec3d> middle(surface.bodies.size());
  std::vector<int> count(surface.bodies.size(), 0);
  for (size_t k = 0; k < x.size(); ++k) {
    const auto body = static_cast<size_t>(surface.body_of[k]);
    middle[body] += x[k];
    ++count[body];
  }
  for (size_t b = 0; b < middle.size(); ++b) middle[b] = (1. / count[b]) * middle[b];
  for (size_t k = 0; k < x.size(); ++k) {
    const auto body = static_cast<size_t>(surface.body_of[k]);
    const Vec3d own = middle[body], next = middle[(body + 1) % middle.size()];
    switch (motion) {
      case Motion::jitter:
        to[k] += random_vector(random, .1 * strength);
        break;
      case Motion::together:
        to[k] += strength * (next - own);
        break;
      case Motion::through:  // 100 m/s for 1/60 s
        to[k] += (body % 2 ? -1.67 : 1.67) * shift;
        break;
      case Motion::crush:
        to[k] += strength * (centre - x[k]);
        break;
      case Motion::turn:
        to[k] = own + turned(x[k] - own, axis, (body % 2 ? -2 : 2) * strength) + .3 * strength * (next - own);
        break;
      case Motion::inside_out:
        to[k] = own - x[k] + own;
        break;
      case Motion::onto_others:
        to[k] = x[random() % x.size()];
        break;
      default:
        to[k] += strength * cross(axis, x[k] - centre) + .05 * strength * (next - own);
        break;
    }
  }
  return to;
}

std::vector<SurfaceMesh> random_bodies(Random& random, Vec3d centre) {
  std::vector<SurfaceMesh> bodies;
  const int kind = static_cast<int>(random() % 5);
  if (kind == 0) {  // a stack of slabs with gaps of all sizes
    double height = 0;
    for (int k = 0; k < 3; ++k) {
      bodies.push_back(moved(box({1, 1, .02}, {k == 1 ? 2 : 1, 1, 1}), {0, 0, height}));
      height += .02 + std::pow(10., uniform(random, -4, -1));
    }
  } else if (kind == 1) {  // bumpy balls
    for (int k = 0; k < 2; ++k) {
      SurfaceMesh mesh = ball(.4, 2 - k);
      for (Vec3d& p : mesh.vertices) p = uniform(random, .6, 1.2) * p;
      bodies.push_back(moved(mesh, {1. * k, 0, 0}));
    }
  } else {
    for (int k = 0; k < 3; ++k) {
      SurfaceMesh mesh = random() % 2 ? ball(.4, 1) : box({.6, .5, random() % 2 ? .02 : .4});
      const Vec3d axis = random_vector(random, 1);
      const double angle = uniform(random, 0, 3);
      for (Vec3d& p : mesh.vertices) p = turned(p, axis, angle);
      bodies.push_back(moved(mesh, {.9 * (k % 2), .9 * (k / 2), .2 * k}));
    }
  }
  const Vec3d axis = random_vector(random, 1);
  const double angle = uniform(random, 0, 3);
  for (SurfaceMesh& mesh : bodies)
    for (Vec3d& p : mesh.vertices) p = centre + turned(p, axis, angle);
  return bodies;
}

// A time step of a solver with nothing but bad intentions: prediction of all points, then sweeps in random order.
template <class Real>
void expect_no_intersection(int episodes, int rounds, unsigned seed) {
  Random random(seed);
  int64_t limited = 0, unlimited_crossings = 0;
  int64_t near = 0;
  for (int episode = 0; episode < episodes; ++episode) {
    const double far = episode % 3 ? 0 : std::pow(10., uniform(random, 0, 3));
    const Vec3d centre = random_vector(random, far);
    std::vector<SurfaceMesh> bodies = random_bodies(random, centre), colliders;
    const bool scripted = random() % 2;
    if (scripted) {
      colliders.push_back(bodies.back());
      bodies.pop_back();
    }
    Limited<Real> world(bodies, colliders);
    if (world.intersections() > 0) continue;  // rounding far from the origin
    world.least = least_gap(.01, 1 + far, sizeof(Real) == 4);
    // Of all pairs there are. Far from the origin some start nearer than a single-precision gap may become.
    const double start = world.detect_and_divide(world.x, 10).smallest_gap;
    const double narrowest = .99 * std::min(start, .2 * world.least);
    const auto motion = static_cast<Motion>(random() % static_cast<unsigned>(Motion::count));
    const double strength = std::pow(10., uniform(random, -3, 0));
    for (int round = 0; round < rounds; ++round) {
      const auto next = random() % 4 ? motion : static_cast<Motion>(random() % static_cast<unsigned>(Motion::count));
      const Points goal = wish(next, world.surface, world.x, centre, strength, random);
      {
        World<Real> without = world;
        without.x = goal;
        for (Vec3d& p : without.x) p = stored<Real>(p);
        if (round % 10 == 0) unlimited_crossings += without.intersections() > 0;
      }
      // Boxes that reach the goal, and others that stop short of it.
      Points reach = goal;
      const double part = std::min(1., .2 * uniform(random, 0, 8));
      for (size_t k = 0; k < reach.size(); ++k) reach[k] = world.x[k] + part * (goal[k] - world.x[k]);
      const Division division = world.detect_and_divide(reach, uniform(random, 0, .05));
      ASSERT_TRUE(division.complete()) << episode << " " << round;
      ASSERT_EQ(division.outside, 0);
      ASSERT_GE(division.smallest_gap, narrowest) << episode << " " << round;
      near += division.smallest_gap < world.least;
      world.move_all(goal);
      ASSERT_EQ(world.intersections(), 0) << episode << " " << round << " after the prediction";
      for (int sweep = 0; sweep < 2; ++sweep) {
        if (random() % 2) {
          // Some points announce where they will go, others do not.
          Points announced = goal;
          for (size_t k = 0; k < goal.size(); ++k)
            if (random() % 3 == 0) announced[k] = world.x[k];
          ASSERT_TRUE(world.divide(announced).complete()) << episode << " " << round;
        }
        const Points wanted = wish(next, world.surface, world.x, centre, strength, random);
        for (size_t k = 0; k < world.x.size(); ++k) {
          const size_t p = random() % world.x.size();
          world.move(static_cast<int32_t>(p), wanted[p]);
        }
        ASSERT_EQ(world.intersections(), 0) << episode << " " << round << " " << sweep;
      }
    }
    limited += world.by_plane;
  }
  EXPECT_GT(limited, 1000);
  EXPECT_GT(unlimited_crossings, 10);
  EXPECT_GT(near, 10);
}

TEST(Limits, KeepAllStatesFreeOfIntersections) {
  expect_no_intersection<double>(40, 40, 1);
}
TEST(Limits, KeepAllStatesInSinglePrecisionFreeOfIntersections) {
  expect_no_intersection<float>(40, 40, 2);
}

}  // namespace
}  // namespace sinew
