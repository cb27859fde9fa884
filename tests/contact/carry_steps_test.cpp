// Source: the promise of contact/carry.h and contact/contacts.h: nothing meets on the way. The exact checker of
// intersections judges (mesh/crossing_triangles.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "contact/carried_world.h"
#include "contact/contacts.h"

namespace sinew {
namespace {

using namespace limits_support;

constexpr double radius = carried_radius;

double length_of(Vec3d a) {
  return std::sqrt(dot(a, a));
}
SurfaceMesh tetrahedron(double size) {
  SurfaceMesh mesh{.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                   .triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
  for (Vec3d& x : mesh.vertices) x = size * x;
  return mesh;
}
SurfaceMesh turned_by(SurfaceMesh mesh, Vec3d axis, double angle) {
  for (Vec3d& x : mesh.vertices) x = turned(x, axis, angle);
  return mesh;
}

template <class Real>
class CarryIn : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(CarryIn, Precisions);

// A body whose way a collider or another body bars stops, and nobody else; two that are apart go their own ways.
TYPED_TEST(CarryIn, OnlyWhatIsBarredStops) {
  for (const bool collider : {false, true}) {
    const SurfaceMesh cube = box({.1, .1, .1}), wall = moved(box({.1, .1, .1}), {.3, 0, 0});
    const SurfaceMesh free = moved(cube, {0, 1, 0});
    CarriedWorld<TypeParam> scene =
        collider ? CarriedWorld<TypeParam>({cube, free}, {wall}) : CarriedWorld<TypeParam>({cube, free, wall});
    const Points goal = scene.shifted({{1, 0, 0}, {1, 2, 3}, {0, 0, 0}});
    const Points there = scene.carried(goal);
    ASSERT_FALSE(there.empty());
    for (size_t s = 0; s < there.size(); ++s) {
      const double way = there[s].x - scene.x[s].x;
      if (scene.body_of(s) == 0) {
        EXPECT_GE(way, 0);
        EXPECT_LT(way, .2);
      }
      if (scene.body_of(s) == 1) {
        EXPECT_TRUE(is_same_place(there[s], stored<TypeParam>(goal[s])));
      }
      if (scene.body_of(s) == 2 && !collider) {
        EXPECT_TRUE(is_same_place(there[s], scene.x[s]));
      }
    }
    for (int k = 1; k <= 50; ++k) ASSERT_EQ(scene.intersections_at(there, k / 50.), 0);
  }
}

// Straight through each other, as long as they are ignored.
TYPED_TEST(CarryIn, IgnoredPairsPass) {
  CarriedWorld<TypeParam> scene({box({.1, .1, .1}), moved(box({.1, .1, .1}), {.3, .01, .01})});
  scene.surface.planes = {{.point = {0, -.2, 0}, .normal = {0, 1, 0}, .along = {1, 0, 0}}};
  const Points goal = scene.shifted({{.6, -.5, 0}, {-.6, -.5, 0}});
  const Points stopped = scene.carried(goal);
  ASSERT_FALSE(stopped.empty());
  EXPECT_FALSE(is_same_place(stopped[0], stored<TypeParam>(goal[0])));
  scene.ignored.add(std::vector<IgnoredPair>{{0, 1}, {0, -1}, {1, -1}});
  const Points there = scene.carried(goal);
  ASSERT_EQ(there.size(), goal.size());
  for (size_t s = 0; s < there.size(); ++s) EXPECT_TRUE(is_same_place(there[s], stored<TypeParam>(goal[s])));
}

// In a wedge, to be lifted off one half space may be to be pushed into the other.
TYPED_TEST(CarryIn, HalfSpacesThatMeetHold) {
  Random random(3);
  int64_t went = 0, stayed = 0;
  for (int trial = 0; trial < 100; ++trial) {
    CarriedWorld<TypeParam> scene({moved(turned_by(tetrahedron(.03), random_vector(random, 1), 1), {.3, 0, 0})});
    const double angle = uniform(random, .3, 1.2);
    for (const double side : {1., -1.})
      scene.surface.planes.push_back(
          {.point = {0, 0, 0}, .normal = {std::sin(angle), side * std::cos(angle), 0}, .along = {0, 0, 1}});
    const auto height = [&](Vec3d x) {
      double least = 1;
      for (const ContactPlane& plane : scene.surface.planes) least = std::min(least, dot(plane.normal, x));
      return least;
    };
    for (const Vec3d& x : scene.x) ASSERT_GT(height(x), 0);
    Points goal = scene.x;
    for (Vec3d& x : goal) x += Vec3d{-.2, 0, 0} + random_vector(random, .3);
    const Points there = scene.carried(goal);
    for (size_t s = 0; s < there.size(); ++s) {
      EXPECT_GT(height(there[s]), 0);
      ++(is_same_place(there[s], scene.x[s]) ? stayed : went);
    }
  }
  EXPECT_GT(went, 50);
  EXPECT_GT(stayed, 10);
}

// Small bodies thrown through each other, past colliders and over half spaces, whole or torn apart.
template <class Real>
void expect_apart_all_along(uint32_t seed) {
  Random random(seed);
  int64_t went_far = 0, whole = 0, stopped = 0, ignored = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const int count = 2 + static_cast<int>(random() % 5);
    std::vector<SurfaceMesh> bodies, colliders;
    for (int k = 0; k < count; ++k) {
      const SurfaceMesh mesh = random() % 2 ? box({.1, .12, .08}) : tetrahedron(.06);
      const SurfaceMesh placed = moved(turned_by(mesh, random_vector(random, 1), uniform(random, 0, 3)),
                                       random_vector(random, .25) + Vec3d{0, .4, 0});
      (k > 0 && random() % 4 == 0 ? colliders : bodies).push_back(placed);
    }
    CarriedWorld<Real> scene(bodies, colliders);
    if (random() % 2) scene.surface.planes = {{.point = {0, 0, 0}, .normal = {0, 1, 0}, .along = {1, 0, 0}}};
    // Those that meet at the start are ignored.
    const auto all = static_cast<int32_t>(scene.surface.bodies.size());
    for (const auto& [a, b] : meeting_triangles(scene.x, scene.surface.triangles, ThreadPool::caller())) {
      const auto body = [&](int32_t t) {
        return scene.body_of(static_cast<size_t>(scene.surface.triangles[static_cast<size_t>(t)][0]));
      };
      scene.ignored.add(std::vector<IgnoredPair>{{body(a), body(b)}});
    }
    ignored += !scene.ignored.empty();
    ASSERT_EQ(scene.intersections_at({}, 0), 0);

    std::vector<Vec3d> ways;
    const double size = std::pow(10, uniform(random, -2, .5));
    for (int32_t b = 0; b < all; ++b) ways.push_back(random() % 4 ? random_vector(random, size) : Vec3d{});
    if (random() % 4 == 0) std::fill(ways.begin(), ways.end(), ways[0]);
    Points goal = scene.shifted(ways);
    if (random() % 2)
      for (Vec3d& x : goal) x += random_vector(random, .1 * size);
    const Points there = scene.carried(goal);
    double farthest = 0;
    for (size_t s = 0; s < there.size(); ++s) {
      farthest = std::max(farthest, length_of(there[s] - scene.x[s]));
      ++(is_same_place(there[s], stored<Real>(goal[s])) ? whole : stopped);
      if (!scene.surface.planes.empty() && scene.x[s].y > 0) {
        ASSERT_GT(there[s].y, 0);
      }
    }
    went_far += farthest > radius;
    for (int k = 1; k <= 50 && !there.empty(); ++k)
      ASSERT_EQ(scene.intersections_at(there, k / 50.), 0) << "trial " << trial << " step " << k;
  }
  EXPECT_GT(went_far, 125);
  EXPECT_GT(whole, 500);
  EXPECT_GT(stopped, 500);
  EXPECT_GT(ignored, 10);
}
TYPED_TEST(CarryIn, NothingMeetsAtAnyTime) {
  expect_apart_all_along<TypeParam>(sizeof(TypeParam));
}

// A world with contacts that keep it free of intersections.
template <class Real>
struct Guarded : CarriedWorld<Real> {
  using CarriedWorld<Real>::surface;
  using CarriedWorld<Real>::x;

  ThreadPool& pool = ThreadPool::caller();
  std::unique_ptr<Contacts> contacts;
  static constexpr bool single = std::is_same_v<Real, float>;

  explicit Guarded(const std::vector<SurfaceMesh>& bodies, const std::vector<SurfaceMesh>& colliders = {})
      : CarriedWorld<Real>(bodies, colliders),
        contacts(std::make_unique<Contacts>(surface, std::vector<double>(slots(), 1.), ContactOptions{}, pool)) {}
  size_t slots() const { return static_cast<size_t>(surface.slot_count); }
  std::span<const Vec3d> here() const { return std::span(x).first(slots()); }
  void begin_step() {
    const std::span<const Vec3d> colliders = std::span(x).subspan(slots());
    contacts->begin_step(here(), colliders, colliders, {}, {}, .01);
  }
  Points carried(const Points& goal) { return contacts->carry(here(), std::span(goal).first(slots()), single, pool); }
  void go(const Points& there) { std::copy(there.begin(), there.end(), x.begin()); }
  Division detect_and_divide(const Points& goal) {
    contacts->detect(here(), std::span(goal).first(slots()), pool);
    return divide(goal);
  }
  Division divide(const Points& goal) { return contacts->divide(here(), std::span(goal).first(slots()), single, pool); }
  // Each point as far as its limits let it; returns how many a box has stopped.
  int64_t move(const Points& goal) {
    const auto real = [](Vec3d p) {
      return Vec3<Real>{static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z)};
    };
    int64_t by_box = 0;
    for (const int32_t v : surface.vertices) {
      if (surface.is_collider_point(v)) continue;
      Vec3d& p = x[static_cast<size_t>(v)];
      const LimitedMove<Real> moved = contacts->limits()->limited(v, real(p), real(goal[static_cast<size_t>(v)]));
      by_box += moved.by == StoppedBy::box;
      p = {static_cast<double>(moved.to.x), static_cast<double>(moved.to.y), static_cast<double>(moved.to.z)};
    }
    return by_box;
  }
};

// In flight a body is carried all the way, in every step, and a plane is found between all its candidates.
TYPED_TEST(CarryIn, FreeBodiesAreCarriedAndDivided) {
  Guarded<TypeParam> world({moved(ball(.2, 3), {1, 1, 1}), moved(ball(.2, 3), {2, 1, 1})});
  int64_t candidates = 0, without = 0;
  for (int step = 0; step < 5; ++step) {
    world.begin_step();
    const Points goal = world.shifted({{.3, .2, -.1}, {.3, .2, -.1}});
    // Without being carried, a body meets its own boxes of motion.
    world.detect_and_divide(goal);
    without += world.contacts->candidate_count();
    const Points there = world.carried(goal);
    ASSERT_EQ(there.size(), world.slots()) << step;
    for (size_t s = 0; s < there.size(); ++s) ASSERT_TRUE(is_same_place(there[s], stored<TypeParam>(goal[s])));
    world.go(there);
    const Division division = world.detect_and_divide(goal);
    candidates += world.contacts->candidate_count();
    ASSERT_TRUE(division.complete());
    ASSERT_EQ(division.outside, 0);
    ASSERT_EQ(world.intersections(), 0);
  }
  EXPECT_LT(2 * candidates, without);
}

TYPED_TEST(CarryIn, ShortWaysAreNotWorthIt) {
  Guarded<TypeParam> world({ball(.2, 2)});
  world.begin_step();
  EXPECT_TRUE(world.carried(world.shifted({{.4 * radius, 0, 0}})).empty());
  EXPECT_FALSE(world.carried(world.shifted({{2 * radius, 0, 0}})).empty());
}

// A collider that was held up has something in its way, which must not be pressed on.
TYPED_TEST(CarryIn, NothingIsCarriedWhileAColliderIsHeldUp) {
  Guarded<TypeParam> world({ball(.2, 2)}, {moved(box({.1, .1, .1}), {1, 0, 0})});
  const Points goal = world.shifted({{0, 1, 0}, {0, 0, 0}});
  const Points colliders(world.x.begin() + world.surface.slot_count, world.x.end());
  world.begin_step();
  EXPECT_FALSE(world.carried(goal).empty());
  Points elsewhere = colliders;
  for (Vec3d& x : elsewhere) x.z += .01;
  world.contacts->begin_step(world.here(), elsewhere, elsewhere, {}, {}, .01);
  EXPECT_TRUE(world.carried(goal).empty());
}

// Bodies that press on each other: carried, then moved point by point, with room made where boxes are full.
TYPED_TEST(CarryIn, NothingMeetsInStepsWithRoomMade) {
  Random random(5);
  int64_t carried = 0, by_box = 0;
  for (int trial = 0; trial < 2; ++trial) {
    Guarded<TypeParam> world(
        {box({.3, .3, .3}, {3, 3, 3}), moved(ball(.15, 3), {.05, .4, 0}), moved(ball(.15, 2), {.4, .1, .05})},
        {moved(box({2, .1, 2}), {0, -.25, 0})});
    ASSERT_EQ(world.intersections(), 0);
    for (int step = 0; step < 6; ++step) {
      std::vector<Vec3d> ways;
      for (int b = 0; b < 3; ++b) ways.push_back(random_vector(random, .15) + Vec3d{0, -.05, 0});
      ways.push_back({});
      const Points goal = world.shifted(ways);
      world.begin_step();
      const Points before = world.x;
      const Points there = world.carried(goal);
      if (!there.empty()) {
        world.go(there);
        if (!world.detect_and_divide(goal).complete()) {
          world.x = before;
          ASSERT_TRUE(world.detect_and_divide(goal).complete());
        } else {
          ++carried;
        }
      } else {
        ASSERT_TRUE(world.detect_and_divide(goal).complete());
      }
      Points wish;
      for (int round = 0; round < 8; ++round) {
        // Now and then all go far, else only a few, for which room is made by themselves; each wish is tried again.
        if (round % 2 == 0) {
          wish = goal;
          const unsigned one_in = random() % 4 ? 40 : 1;
          for (Vec3d& x : wish) x += random_vector(random, random() % one_in ? .1 * radius : .3);
        }
        const int64_t full = world.move(wish);
        by_box += full;
        ASSERT_EQ(world.intersections(), 0) << "trial " << trial << " step " << step << " round " << round;
        if (full > 0) world.contacts->make_room(world.here(), std::span(wish).first(world.slots()), world.pool);
        ASSERT_TRUE(world.divide(wish).complete());
      }
    }
  }
  EXPECT_GT(carried, 5);
  EXPECT_GT(by_box, 100);
}

}  // namespace
}  // namespace sinew
