// Source: a detection at the positions themselves finds all that touches there.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "contact/contacts.h"
#include "support/random.h"
#include "support/touching.h"

namespace sinew {
namespace {

using support::Random;
using support::Touching;

constexpr double radius = 0.02;

// Boxes in a row, a little more than a radius apart, and a plane below.
Touching boxes(int count) {
  Touching scene;
  scene.rule.touches = true;
  scene.rule.radius = radius;
  for (int k = 0; k < count; ++k) {
    const double first = k * (0.3 + 1.2 * radius);
    scene.add_box(scene.add_body(true), 5, 5, 5, [&](double u, double v, double w) {
      return Vec3d{first + 0.3 * u, 1.2 * radius + 0.3 * v, 0.3 * w};
    });
  }
  ContactPlane plane;
  plane.normal = {0, 1, 0};
  plane.along = {1, 0, 0};
  scene.surface.planes = scene.planes = scene.planes_before = {plane};
  scene.finish();
  return scene;
}

Contacts contacts_of(const Touching& scene, ThreadPool& pool) {
  Contacts contacts(scene.surface, scene.stiffness, {}, pool);
  contacts.begin_step(scene.before, {}, {}, scene.planes, scene.planes, scene.clock);
  return contacts;
}
std::vector<Contact> found_at(const Contacts& contacts, const std::vector<Vec3d>& x, ThreadPool& pool) {
  std::vector<Contact> found;
  contacts.find(x, pool, found, nullptr);
  return found;
}

void expect_same(const std::vector<Contact>& a, const std::vector<Contact>& b, int round) {
  ASSERT_EQ(a.size(), b.size()) << round;
  for (size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].kind, b[k].kind);
    EXPECT_EQ(a[k].first, b[k].first);
    EXPECT_EQ(a[k].second, b[k].second);
    EXPECT_EQ(a[k].numbers.distance, b[k].numbers.distance);
    EXPECT_EQ(a[k].numbers.share, b[k].numbers.share);
  }
}

// An iterate wanders: now a few points leave their boxes, now all. None goes deeper into a body than contacts look.
TEST(Contacts, FollowAnIterateThatLeavesItsBoxes) {
  Random random(1);
  ThreadPool one(1), three(3);
  const auto some = [&] { return random.between(-0.9 * radius, 0.9 * radius); };
  int64_t touching = 0, looked = 0, few = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Touching scene = boxes(3);
    Contacts contacts = contacts_of(scene, one), by_three = contacts_of(scene, three);
    std::vector<Vec3d> x = scene.x, earlier = x;
    contacts.detect(x, x, one);
    by_three.detect(x, x, three);
    for (int round = 0; round < 12; ++round) {
      const int moved = random.below(3) == 0 ? 1 : 30;  // one point of so many
      for (size_t p = 0; p < x.size(); ++p)
        if (random.below(moved) == 0) x[p] = scene.x[p] + Vec3d{some(), some(), some()};
      few += moved > 1;
      looked += contacts.follow(earlier, x, one);
      by_three.follow(earlier, x, three);
      earlier = x;
      Contacts fresh = contacts_of(scene, one);
      fresh.detect(x, x, one);
      const std::vector<Contact> found = found_at(contacts, x, one);
      ASSERT_NO_FATAL_FAILURE(expect_same(found, found_at(fresh, x, one), round));
      ASSERT_NO_FATAL_FAILURE(expect_same(found, found_at(by_three, x, three), round));
      touching += static_cast<int64_t>(found.size());
    }
  }
  EXPECT_GT(touching, 1000);
  EXPECT_GT(looked, 100);
  EXPECT_GT(few, 50);
}

// Step after step, most points stay where they are. What rests keeps its boxes and pairs: contacts are those that are
// found anew, and one who goes on from what was saved finds the same candidates.
TEST(Contacts, AreTheSameWherePointsRest) {
  Random random(2);
  ThreadPool one(1), three(3);
  int64_t touching = 0, saved = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Touching scene = boxes(3);
    Contacts contacts = contacts_of(scene, one), by_three = contacts_of(scene, three);
    std::vector<Vec3d> x = scene.x, goal = x, before = x;
    for (int step = 0; step < 20; ++step) {
      const int moved = step % 5 == 4 ? 3 : step % 5 == 1 ? 40 : 1000000000;  // one point of so many
      before = x;
      for (size_t p = 0; p < x.size(); ++p) {
        const double size = random.below(moved) == 0 ? 0.9 * radius : 0.02 * radius;
        x[p] = scene.x[p] + size * random.vector();
        goal[p] = x[p] + 0.02 * radius * random.vector();
      }
      const auto begin = [&](Contacts& c) { c.begin_step(x, {}, {}, scene.planes, scene.planes, scene.clock); };
      Contacts resumed = contacts_of(scene, one), fresh = contacts_of(scene, one);
      const std::string bytes = contacts.save();
      saved += bytes.empty() ? 0 : 1;
      ASSERT_TRUE(Contacts::is_rest_alone(bytes));
      ASSERT_TRUE(resumed.restore(bytes));
      for (Contacts* c : {&contacts, &by_three, &resumed, &fresh}) begin(*c);
      contacts.detect(x, goal, one);
      by_three.detect(x, goal, three);
      resumed.detect(x, goal, one);
      fresh.detect(x, goal, one);
      ASSERT_EQ(contacts.candidate_count(), resumed.candidate_count()) << step;
      ASSERT_EQ(contacts.candidate_count(), by_three.candidate_count()) << step;
      for (const std::vector<Vec3d>& at : {x, goal}) {
        const std::vector<Contact> found = found_at(contacts, at, one);
        ASSERT_NO_FATAL_FAILURE(expect_same(found, found_at(fresh, at, one), step));
        ASSERT_NO_FATAL_FAILURE(expect_same(found, found_at(by_three, at, three), step));
        ASSERT_NO_FATAL_FAILURE(expect_same(found, found_at(resumed, at, one), step));
        touching += static_cast<int64_t>(found.size());
      }
      // A look at other positions leaves no trace.
      if (step % 4 == 0) contacts.detect_at(before, one);
      if (step % 3 == 0) {
        contacts.follow(x, goal, one);
        by_three.follow(x, goal, three);
      }
    }
  }
  EXPECT_GT(touching, 1000);
  EXPECT_GT(saved, 100);
}

TEST(Contacts, DoNotGoOnFromWhatIsNotTheirs) {
  ThreadPool one(1);
  const Touching scene = boxes(2);
  Contacts contacts = contacts_of(scene, one), other = contacts_of(boxes(1), one);
  contacts.detect(scene.x, scene.x, one);
  const std::string bytes = contacts.save();
  ASSERT_FALSE(bytes.empty());
  EXPECT_FALSE(other.restore(bytes));  // of slots that it does not have
  EXPECT_FALSE(contacts.restore(bytes.substr(0, bytes.size() / 2)));
  EXPECT_TRUE(contacts.restore(""));
  EXPECT_TRUE(contacts.save().empty());
}

}  // namespace
}  // namespace sinew
