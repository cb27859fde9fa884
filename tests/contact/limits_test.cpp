// Source: two convex sets that are in half spaces without a common point do not meet (planar truncation, arXiv
// 2604.15513). The exact checker of intersections judges (mesh/crossing_triangles.h).
#include "contact/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "math/bounds.h"
#include "mesh/crossing_triangles.h"
#include "mesh/generators.h"
#include "support/surface.h"

namespace sinew {
namespace {

using Random = std::mt19937;
using Points = std::vector<Vec3d>;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
Vec3d random_vector(Random& random, double size) {
  return {uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size)};
}
template <class Real>
Vec3d stored(Vec3d x) {
  return {static_cast<Real>(x.x), static_cast<Real>(x.y), static_cast<Real>(x.z)};
}
Vec3d turned(Vec3d x, Vec3d axis, double angle) {
  const Vec3d k = (1 / std::sqrt(dot(axis, axis))) * axis;
  return std::cos(angle) * x + (std::sin(angle) * cross(k, x) + ((1 - std::cos(angle)) * dot(k, x)) * k);
}

SurfaceMesh box(Vec3d size, std::array<int32_t, 3> cells = {1, 1, 1}) {
  return support::boundary_surface(*make_box({.cells = cells, .size = size, .origin = -.5 * size}));
}
SurfaceMesh ball(double radius, int32_t shells) {
  return support::boundary_surface(*make_ball({.radius = radius, .centre = {0, 0, 0}, .shells = shells}));
}
SurfaceMesh moved(SurfaceMesh mesh, Vec3d by) {
  for (Vec3d& x : mesh.vertices) x += by;
  return mesh;
}

// Surfaces and where their points are, in the precision of Real.
template <class Real>
struct World {
  ContactSurface surface;
  Points x;

  explicit World(const std::vector<SurfaceMesh>& bodies, const std::vector<SurfaceMesh>& colliders = {}) {
    for (const SurfaceMesh& mesh : bodies) add(mesh, false);
    surface.slot_count = surface.point_count();
    for (const SurfaceMesh& mesh : colliders) add(mesh, true);
    surface.group_count = 1;
    surface.rules.resize(1);
    connect(surface);
    for (const Vec3d& p : surface.rest) x.push_back(stored<Real>(p));
  }
  void add(const SurfaceMesh& mesh, bool collider) {
    const int32_t first = surface.point_count();
    const auto body = static_cast<int32_t>(surface.bodies.size());
    surface.rest.insert(surface.rest.end(), mesh.vertices.begin(), mesh.vertices.end());
    surface.body_of.resize(surface.rest.size(), body);
    for (const Triangle& t : mesh.triangles) surface.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    surface.bodies.push_back({.object = body, .group = 0, .closed = true, .collider = collider});
  }
  PointPositions at(const Points& points) const {
    const auto slots = static_cast<size_t>(surface.slot_count);
    return {std::span(points).first(slots), std::span(points).subspan(slots)};
  }
  int64_t intersections() const {
    return static_cast<int64_t>(meeting_triangles(x, surface.triangles, ThreadPool::caller()).size());
  }

  // All pairs whose boxes of motion overlap.
  CandidatePairs detect(const Points& to, double slack) const {
    const auto of_point = [&](int32_t p) {
      const auto k = static_cast<size_t>(p);
      Bounds b;
      b.add(x[k]);
      b.add(to[k]);
      b.low = b.low - Vec3d{slack, slack, slack};
      b.high = b.high + Vec3d{slack, slack, slack};
      return b;
    };
    const auto of = [&](const auto& primitive) {
      Bounds b;
      for (const int32_t p : primitive) b.merge(of_point(p));
      return b;
    };
    const auto overlap = [](const Bounds& a, const Bounds& b) {
      return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
             a.low.z <= b.high.z && b.low.z <= a.high.z;
    };
    std::vector<Bounds> triangle_boxes, edge_boxes;
    for (const Triangle& t : surface.triangles) triangle_boxes.push_back(of(t));
    for (const Edge& e : surface.edges) edge_boxes.push_back(of(e));
    CandidatePairs pairs;
    for (const int32_t v : surface.vertices) {
      const Bounds b = of_point(v);
      for (size_t k = 0; k < triangle_boxes.size(); ++k) {
        const Triangle& t = surface.triangles[k];
        if (overlap(b, triangle_boxes[k]) && t[0] != v && t[1] != v && t[2] != v)
          pairs.vertex_triangle.push_back({v, static_cast<int32_t>(k)});
      }
    }
    for (size_t a = 0; a < edge_boxes.size(); ++a) {
      for (size_t b = a + 1; b < edge_boxes.size(); ++b) {
        const Edge &e = surface.edges[a], &f = surface.edges[b];
        if (overlap(edge_boxes[a], edge_boxes[b]) && e[0] != f[0] && e[0] != f[1] && e[1] != f[0] && e[1] != f[1])
          pairs.edge_edge.push_back({static_cast<int32_t>(a), static_cast<int32_t>(b)});
      }
    }
    return pairs;
  }
};

// A world with limits: detect and divide, then move points one by one.
template <class Real>
struct Limited : World<Real> {
  using World<Real>::surface;
  using World<Real>::x;
  using World<Real>::at;

  Limits limits;
  CandidatePairs pairs;
  double least = 1e-6;
  int64_t by_box = 0, by_plane = 0;

  using World<Real>::World;

  Division detect_and_divide(const Points& goal, double slack, std::span<const ContactPlane> planes = {}) {
    pairs = this->detect(goal, slack);
    limits.set_boxes(surface, at(x), at(goal), slack, planes);
    return divide(goal);
  }
  Division divide(const Points& goal) {
    return limits.divide(surface, pairs, at(x), at(goal), least, ThreadPool::caller());
  }
  StoppedBy move(int32_t point, Vec3d to) {
    const auto k = static_cast<size_t>(point);
    const auto real = [](Vec3d v) {
      return Vec3<Real>{static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
    };
    const LimitedMove<Real> moved = limits.limited(point, real(x[k]), real(to));
    x[k] = {static_cast<double>(moved.to.x), static_cast<double>(moved.to.y), static_cast<double>(moved.to.z)};
    by_box += moved.by == StoppedBy::box;
    by_plane += moved.by == StoppedBy::plane;
    return moved.by;
  }
  void move_all(const Points& to) {
    for (size_t k = 0; k < x.size(); ++k) move(static_cast<int32_t>(k), to[k]);
  }
};

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

// A unit square of two triangles, at a height.
SurfaceMesh square(double height) {
  return {.vertices = {{0, 0, height}, {1, 0, height}, {1, 1, height}, {0, 1, height}},
          .triangles = {{0, 1, 2}, {0, 2, 3}}};
}
// One triangle over the middle of a square.
template <class Real>
Limited<Real> triangle_over_square(double gap) {
  SurfaceMesh triangle{.vertices = {{.4, .4, gap}, {.6, .4, gap}, {.5, .6, gap}}, .triangles = {{0, 1, 2}}};
  Limited<Real> world({square(0), triangle});
  world.least = least_gap(1e-2, 1, sizeof(Real) == 4);
  return world;
}

template <class Real>
class LimitsIn : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(LimitsIn, Precisions);

// A body that its solver moves as a whole, and then deforms a little, meets nothing: nor does it meet itself.
TYPED_TEST(LimitsIn, LeaveFreeFlightAlone) {
  Random random(3);
  Limited<TypeParam> world({ball(.5, 2)});
  world.least = least_gap(.01, 10, sizeof(TypeParam) == 4);
  for (int step = 0; step < 20; ++step) {
    for (Vec3d& x : world.x) x = stored<TypeParam>(turned(x, {1, 2, 3}, .5) + Vec3d{.5, 0, -.2});
    Points goal = world.x;
    for (Vec3d& x : goal) x += random_vector(random, .02);
    ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
    world.move_all(goal);
  }
  EXPECT_EQ(world.by_box + world.by_plane, 0);
}

TYPED_TEST(LimitsIn, LetNearPlatesSlide) {
  for (const double gap : {1e-1, 1e-3, 1.5e-5, 5e-6}) {  // the last two are less than twice the least gap
    Limited<TypeParam> world = triangle_over_square<TypeParam>(gap);
    for (const Vec3d way : {Vec3d{.3, .1, 0}, Vec3d{-.2, .2, 0}, Vec3d{-.3, -.3, 0}}) {
      Points goal = world.x;
      for (size_t k = 4; k < goal.size(); ++k) goal[k] += way;
      ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
      for (int part = 0; part < 10; ++part) {
        Points to = world.x;
        for (size_t k = 4; k < goal.size(); ++k) to[k] = stored<TypeParam>(to[k] + .1 * way);
        world.move_all(to);
      }
    }
    EXPECT_EQ(world.by_box + world.by_plane, 0) << gap;
  }
}

// Tilted, points of a plane are on it but for rounding, on the wrong side as often as not.
TYPED_TEST(LimitsIn, LetTiltedPlatesSlideWithoutLoss) {
  const Vec3d axis{1, 2, .5};
  const double gap = 5e-6, angle = .7;
  Limited<TypeParam> world = triangle_over_square<TypeParam>(gap);
  for (Vec3d& x : world.x) x = stored<TypeParam>(turned(x, axis, angle));
  const Points start = world.x;
  const Vec3d way = turned({.2, .1, 0}, axis, angle);
  for (int part = 0; part < 20; ++part) {
    Points goal = world.x;
    for (size_t k = 4; k < goal.size(); ++k) goal[k] = stored<TypeParam>(start[k] + ((part + 1) / 20.) * way);
    ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
    world.move_all(goal);
    ASSERT_EQ(world.intersections(), 0);
  }
  for (size_t k = 4; k < start.size(); ++k) {
    const Vec3d off = world.x[k] - (start[k] + way);
    EXPECT_LT(std::sqrt(dot(off, off)), 1e-6);
  }
}

TYPED_TEST(LimitsIn, LetTouchingPairsPartAtFullSpeed) {
  for (const double gap : {5e-6, 1e-6}) {
    Limited<TypeParam> world = triangle_over_square<TypeParam>(gap);
    Points goal = world.x;
    for (size_t k = 4; k < goal.size(); ++k) goal[k].z += 1;
    ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
    world.move_all(goal);
    EXPECT_EQ(world.by_box + world.by_plane, 0);
  }
}

// However often it is pushed, a pair never gets nearer than a fifth of the least gap, and is free to leave.
TYPED_TEST(LimitsIn, KeepAGapForEver) {
  Limited<TypeParam> world = triangle_over_square<TypeParam>(1e-2);
  for (int push = 0; push < 500; ++push) {
    Points goal = world.x;
    for (size_t k = 4; k < goal.size(); ++k) goal[k].z = -1;
    const Division division = world.detect_and_divide(goal, 0);
    ASSERT_TRUE(division.complete());
    ASSERT_GE(division.smallest_gap, .1999 * world.least);
    world.move_all(goal);
  }
  EXPECT_LT(world.x[4].z, 2 * world.least);  // it did come near
  EXPECT_GT(world.by_plane, 1000);
  Points goal = world.x;
  for (size_t k = 4; k < goal.size(); ++k) goal[k].z = .5;
  ASSERT_TRUE(world.detect_and_divide(goal, 0).complete());
  world.move_all(goal);
  EXPECT_EQ(world.x[4].z, .5);
}

// The side that moves gets the room.
TEST(Limits, ShareTheGapByWhereTheSidesWantToGo) {
  for (const bool both : {false, true}) {
    Limited<double> world = triangle_over_square<double>(.1);
    Points goal = world.x;
    for (size_t k = 4; k < goal.size(); ++k) goal[k].z -= 1;
    for (size_t k = 0; k < 4 && both; ++k) goal[k].z += 1;
    ASSERT_TRUE(world.detect_and_divide(goal, 0).complete());
    world.move_all(goal);
    EXPECT_NEAR(world.x[4].z, both ? .1 - .9 * .045 : .1 - .9 * .9 * .95 * .1, 1e-3);
    EXPECT_NEAR(world.x[0].z, both ? .9 * .045 : 0, 1e-3);
  }
}

// Who does not want to move is not asked, and yet bound by the planes that others get.
TEST(Limits, BindPointsThatAreNotDividedAnew) {
  Limited<double> world = triangle_over_square<double>(.1);
  Points goal = world.x;
  ASSERT_TRUE(world.detect_and_divide(goal, .2).complete());
  for (size_t k = 4; k < goal.size(); ++k) goal[k].z = -.1;
  ASSERT_GT(world.divide(goal).divided, 0);
  EXPECT_EQ(world.divide(world.x).divided, 0);
  world.move_all(goal);
  EXPECT_LT(world.x[4].z, .03);
  for (size_t k = 0; k < 4; ++k) goal[k].z = .04;
  world.move_all(goal);
  EXPECT_EQ(world.intersections(), 0);
  EXPECT_LT(world.x[0].z, .02);
}

TEST(Limits, ReportPairsThatTouch) {
  // The triangle lies on the square, or sticks through it, or has an edge on the square's edge.
  for (const Vec3d by : {Vec3d{0, 0, -.1}, Vec3d{0, 0, -.1} + Vec3d{.6, 0, 0}, Vec3d{.5, 0, -.1}}) {
    Limited<double> world = triangle_over_square<double>(.1);
    for (size_t k = 4; k < 7; ++k) world.x[k] += by;
    if (by.x == 0) world.x[6].z -= .1;
    Points goal = world.x;
    for (size_t k = 4; k < 7; ++k) goal[k].z += .5;
    const Division division = world.detect_and_divide(goal, .1);
    ASSERT_FALSE(division.complete());
    ASSERT_GT(world.intersections(), 0);

    // Who is part of such a pair stays.
    const Points before = world.x;
    world.move_all(goal);
    EXPECT_EQ(world.x[6].z, before[6].z);

    // Until it is moved by something else.
    world.x = goal;
    ASSERT_TRUE(world.detect_and_divide(before, .1).complete());
    world.move_all(before);
    EXPECT_GT(world.x[6].z, before[6].z);
    EXPECT_EQ(world.intersections(), 0);
  }
}

// Where a gap is too narrow for a new plane, an earlier one still holds. (Without a least gap, which prevents it.)
TEST(Limits, KeepEarlierPlanes) {
  Random random(4);
  int64_t kept = 0;
  for (int k = 0; k < 100; ++k) {
    Limited<double> world = triangle_over_square<double>(.1);
    world.least = 0;
    const Vec3d axis = random_vector(random, 1), down = turned({.1, .2, -1}, axis, 1);
    for (Vec3d& x : world.x) x = turned(x, axis, 1);
    for (int push = 0; push < 40; ++push) {
      Points goal = world.x;
      for (size_t v = 4; v < 7; ++v) goal[v] += down;
      // The list of candidates changes from time to time.
      const Division division = push % 3 ? world.divide(goal) : world.detect_and_divide(goal, push % 2 ? 0 : .3);
      if (push % 3 == 0) {
        ASSERT_TRUE(division.complete());
      }
      kept += division.kept;
      world.move_all(goal);
      ASSERT_EQ(world.intersections(), 0);
    }
  }
  EXPECT_GT(kept, 0);
}

TEST(Limits, DivideWhatHasNoArea) {
  // A sliver, a triangle on a line and one at a point, above a square.
  for (const Points& corners :
       {Points{{.2, .2, .1}, {.8, .2, .1}, {.5, .2 + 1e-12, .1}}, Points{{.2, .2, .1}, {.8, .2, .1}, {.5, .2, .1}},
        Points{{.2, .2, .1}, {.2, .2, .1}, {.2, .2, .1}}}) {
    Limited<double> world({square(0), {.vertices = corners, .triangles = {{0, 1, 2}}}});
    for (int push = 0; push < 30; ++push) {
      Points goal = world.x;
      for (size_t k = 4; k < 7; ++k) goal[k].z -= 1;
      ASSERT_TRUE(world.detect_and_divide(goal, 0).complete());
      world.move_all(goal);
      ASSERT_EQ(world.intersections(), 0);
    }
    EXPECT_LT(world.x[4].z, .01);
    EXPECT_GT(world.x[4].z, 0);
  }
}

TEST(Limits, StopWhatIsNoNumber) {
  Limited<double> world = triangle_over_square<double>(.1);
  Points goal = world.x;
  ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
  const Points before = world.x;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (Vec3d& x : goal) x.y = bad;
    world.move_all(goal);
    for (size_t k = 0; k < before.size(); ++k) {
      EXPECT_TRUE(std::isfinite(world.x[k].y));
      EXPECT_NEAR(world.x[k].y, before[k].y, .011);
    }
    ASSERT_TRUE(world.divide(goal).complete());
    for (Vec3d& x : world.x) x.y += 1;
    EXPECT_EQ(world.divide(before).outside, 7);  // of what something else has moved
    world.x = before;
  }
}

TYPED_TEST(LimitsIn, KeepPointsInTheirBoxes) {
  Random random(5);
  Limited<TypeParam> world({moved(ball(.5, 1), {10, 20, 30})});
  Points goal = world.x;
  for (Vec3d& x : goal) x += random_vector(random, .02);
  const double slack = .01;
  ASSERT_TRUE(world.detect_and_divide(goal, slack).complete());
  const Points start = world.x;
  for (int k = 0; k < 2000; ++k) {
    const size_t p = random() % world.x.size();
    world.move(static_cast<int32_t>(p), world.x[p] + random_vector(random, .02));
    for (double Vec3d::*c : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
      EXPECT_GE(world.x[p].*c, std::min(start[p].*c, goal[p].*c) - slack);
      EXPECT_LE(world.x[p].*c, std::max(start[p].*c, goal[p].*c) + slack);
    }
  }
  EXPECT_GT(world.by_box, 100);
  EXPECT_EQ(world.by_plane, 0);
}

TYPED_TEST(LimitsIn, KeepVerticesAboveHalfSpaces) {
  Limited<TypeParam> world({{.vertices = {{.5, 0, .1}, {-.2, .4, 0}, {-.2, -.4, -.1}}, .triangles = {{0, 1, 2}}}});
  world.least = least_gap(.01, 1, sizeof(TypeParam) == 4);
  const Vec3d n = turned({0, 0, 1}, {1, 2, 0}, .3);
  ContactPlane floor{.collider = 0, .group = 0, .point = -.6 * n, .normal = n};
  const auto lowest = [&] {
    double h = 1;
    for (const Vec3d& x : world.x) h = std::min(h, dot(n, x - floor.point));
    return h;
  };
  const auto pushed = [&](double by) {
    Points goal = world.x;
    for (Vec3d& x : goal) x += by * n;
    return goal;
  };
  for (int k = 0; k < 100; ++k) {
    const Points goal = pushed(-1);
    ASSERT_TRUE(world.detect_and_divide(goal, .01, {&floor, 1}).complete());
    world.move_all(goal);
    ASSERT_GT(lowest(), 0);
  }
  EXPECT_LT(lowest(), 2 * world.least);
  EXPECT_GT(lowest(), .19 * world.least);

  const auto moved = [&](const ContactPlane& now, const ContactPlane& to) {
    return moved_planes(world.surface, {&now, 1}, {&to, 1}, 0, world.at(world.x), world.least)[0];
  };

  // It comes up, and stops at them; they leave it.
  ContactPlane wanted = floor;
  wanted.point += .05 * n;
  const ContactPlane stopped = moved(floor, wanted);
  EXPECT_NEAR(dot(n, stopped.point - floor.point), 0, 2 * world.least);
  const int64_t before = world.by_plane;
  const Points away = pushed(.1);
  ASSERT_TRUE(world.detect_and_divide(away, .01, {&stopped, 1}).complete());
  world.move_all(away);
  EXPECT_EQ(world.by_plane, before);
  const ContactPlane reached = moved(stopped, wanted);
  EXPECT_EQ(dot(n, reached.point - wanted.point), 0);

  // What turns stops too.
  ContactPlane turning = reached;
  turning.normal = turned(n, {1, 0, 0}, .8);
  turning.point = .05 * turning.normal;
  floor = moved(reached, turning);
  for (const Vec3d& x : world.x) EXPECT_GT(dot(floor.normal, x - floor.point), 0);
  EXPECT_NE(floor.normal.x, reached.normal.x);

  // Starts below it are reported.
  ASSERT_TRUE(world.detect_and_divide(away, 0, {&floor, 1}).complete());
  world.x[1] = floor.point - .01 * floor.normal;
  const Division division = world.detect_and_divide(world.x, 10, {&floor, 1});
  EXPECT_EQ(division.vertex_plane, (std::vector<std::array<int32_t, 2>>{{1, 0}}));
}

// An arbitrary state of many pairs.
Limited<float> tangle(Points& goal) {
  Random random(7);
  std::vector<SurfaceMesh> bodies;
  for (int k = 0; k < 8; ++k)
    bodies.push_back(moved(ball(.5, 3), {1.02 * (k % 2), 1.02 * (k / 2 % 2), 1.02 * (k / 4)}));
  Limited<float> world(bodies);
  goal = world.x;
  for (Vec3d& x : goal) x += random_vector(random, .2);
  return world;
}

template <class Real>
std::vector<Vec4<Real>> rows(const Points& x) {
  std::vector<Vec4<Real>> rows;
  for (const Vec3d& p : x)
    rows.push_back({static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), static_cast<Real>(2)});
  return rows;
}

TEST(Limits, AreTheSameBitsForAnyThreads) {
  Points goal;
  Limited<float> world = tangle(goal);
  ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
  const std::vector<Vec4<float>> from = rows<float>(world.x), wanted = rows<float>(goal);
  const int64_t pairs = world.limits.pair_count();
  ASSERT_GT(pairs, 10000);  // more than one thread's share
  std::vector<Vec4<float>> first;
  LimitCounts first_counts;
  double first_step = 0;
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    Limits limits;
    limits.set_boxes(world.surface, world.at(world.x), world.at(goal), .01);
    for (int k = 0; k < 2; ++k)
      ASSERT_TRUE(
          limits.divide(world.surface, world.pairs, world.at(world.x), world.at(goal), world.least, pool).complete());
    std::vector<Vec4<float>> to = wanted;
    const LimitCounts counts = limits.limit_all<Vec4<float>>(from, to, pool);
    const double step = limits.longest_step<Vec4<float>>(from, wanted, pool);
    if (first.empty()) {
      first = to;
      first_counts = counts;
      first_step = step;
    }
    EXPECT_EQ(counts.by_box, first_counts.by_box);
    EXPECT_EQ(counts.by_plane, first_counts.by_plane);
    EXPECT_EQ(step, first_step);
    for (size_t k = 0; k < to.size(); ++k) {
      ASSERT_TRUE(to[k].x == first[k].x && to[k].y == first[k].y && to[k].z == first[k].z);
      ASSERT_EQ(to[k].w, 2);
    }
  }
  // And as points moved one by one, in any order.
  for (size_t k = world.x.size(); k-- > 0;) world.move(static_cast<int32_t>(k), goal[k]);
  for (size_t k = 0; k < first.size(); ++k) ASSERT_EQ(world.x[k].x, static_cast<double>(first[k].x));
  EXPECT_GT(first_counts.by_plane, 100);
  EXPECT_EQ(world.intersections(), 0);
}

// The same points by other numbers, last first.
TEST(Limits, DoNotDependOnTheOrderOfPoints) {
  const auto positions = [](bool reversed) {
    std::vector<SurfaceMesh> bodies{ball(.5, 2), moved(ball(.5, 2), {.9, .3, .2})};
    Random random(8);
    for (SurfaceMesh& mesh : bodies) {
      for (Vec3d& x : mesh.vertices) x += random_vector(random, .01);
      if (!reversed) continue;
      std::reverse(mesh.vertices.begin(), mesh.vertices.end());
      for (Triangle& t : mesh.triangles)
        for (int32_t& p : t) p = static_cast<int32_t>(mesh.vertices.size()) - 1 - p;
    }
    if (reversed) std::reverse(bodies.begin(), bodies.end());
    Limited<double> world(bodies);
    Points goal = world.x;
    for (Vec3d& x : goal) x = x + .1 * (Vec3d{.5, .1, .1} - x) + .05 * Vec3d{std::sin(9 * x.y), std::sin(9 * x.z), 0};
    EXPECT_TRUE(world.detect_and_divide(goal, .01).complete());
    world.move_all(goal);
    EXPECT_GT(world.by_plane, 3);
    if (reversed) std::reverse(world.x.begin(), world.x.end());
    return world.x;
  };
  const Points a = positions(false), b = positions(true);
  for (size_t k = 0; k < a.size(); ++k) {
    const Vec3d off = a[k] - b[k];
    EXPECT_LT(std::sqrt(dot(off, off)), 1e-9) << k;
  }
}

TEST(Limits, FindTheLongestStep) {
  Points goal;
  Limited<float> world = tangle(goal);
  ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
  const std::vector<Vec4<float>> from = rows<float>(world.x), to = rows<float>(goal);
  ThreadPool& pool = ThreadPool::caller();
  const double t = world.limits.longest_step<Vec4<float>>(from, to, pool);
  EXPECT_GT(t, 0);
  EXPECT_LT(t, 1);
  const auto limited_at = [&](double part) {
    std::vector<Vec4<float>> x = from;
    const auto s = static_cast<float>(part);
    for (size_t k = 0; k < x.size(); ++k) {
      x[k].x += s * (to[k].x - from[k].x);
      x[k].y += s * (to[k].y - from[k].y);
      x[k].z += s * (to[k].z - from[k].z);
    }
    return world.limits.limit_all<Vec4<float>>(from, x, pool).sum();
  };
  EXPECT_EQ(limited_at(t), 0);
  EXPECT_GT(limited_at(1.2 * t), 0);  // it left a tenth of the room
  EXPECT_EQ(world.limits.longest_step<Vec4<float>>(from, from, pool), 1);
}

TEST(Limits, LeaveOtherPointsAlone) {
  Limited<double> world = triangle_over_square<double>(.1);
  world.surface.rest.push_back({5, 5, 5});  // inside a body
  world.surface.body_of.push_back(-1);
  world.surface.slot_count = world.surface.point_count();
  world.x.push_back({5, 5, 5});
  ASSERT_TRUE(world.detect_and_divide(world.x, 0).complete());
  EXPECT_EQ(world.move(7, {-1e9, 0, 0}), StoppedBy::none);
  EXPECT_EQ(world.move(0, {-1e9, 0, 0}), StoppedBy::box);
}

}  // namespace
}  // namespace sinew
