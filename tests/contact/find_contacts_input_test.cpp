// Source: the rules at the head of contact/find_contacts.h: the same result whatever threads and candidates, and a
// sound one for any input.
#include "contact/find_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "contact/touching_case.h"

namespace sinew {
namespace {

using namespace touching_support;

void expect_same(const std::vector<Contact>& a, const std::vector<Contact>& b) {
  ASSERT_EQ(a.size(), b.size());
  const auto same = [](double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; };
  for (size_t k = 0; k < a.size(); ++k) {
    const ContactNumbers<double>&m = a[k].numbers, &n = b[k].numbers;
    const bool equal = a[k].slots == b[k].slots && a[k].kind == b[k].kind && a[k].first == b[k].first &&
                       a[k].second == b[k].second && same(a[k].place.x, b[k].place.x) && same(m.distance, n.distance) &&
                       same(m.normal.x, n.normal.x) && same(m.normal.y, n.normal.y) && same(m.normal.z, n.normal.z) &&
                       same(m.share, n.share) && same(m.slip.x, n.slip.x) && same(m.slip.y, n.slip.y) &&
                       same(m.slip.z, n.slip.z) && same(m.weights[0], n.weights[0]) &&
                       same(m.weights[1], n.weights[1]) && same(m.weights[2], n.weights[2]) &&
                       same(m.weights[3], n.weights[3]) && same(m.law.radius, n.law.radius) &&
                       same(m.law.stiffness, n.law.stiffness) && same(m.law.floor, n.law.floor);
    ASSERT_TRUE(equal) << k;
  }
}

TEST(FindContacts, SameBitsForAnyThreadsAndCandidates) {
  Random random(12);
  ThreadPool three(3);
  FindScratch scratch;
  for (int trial = 0; trial < 8; ++trial) {
    Touching scene = two_sheets(random, trial % 2 == 0, 0.3, 7);
    scene.rule.law = trial == 7 ? ContactLaw::penalty : ContactLaw::offset;
    if (trial == 7) {
      scene.rule.radius = 0;
      for (size_t p = 64; p < 128; ++p) scene.x[p].y -= 0.5 * radius;
    }
    scene.surface.rules.assign(1, scene.rule);
    const auto find = [&](ThreadPool& pool, FindScratch* kept, ContactCounts& counts) {
      ContactQuery query = scene.query();
      if (trial == 7) query.depth = 1.25 * radius;
      std::vector<Contact> contacts;
      find_contacts(query, pool, contacts, &counts, kept);
      return contacts;
    };
    ContactCounts counts[4];
    scene.find_pairs(1.25 * radius + 1e-9);
    const std::vector<Contact> first = find(ThreadPool::caller(), nullptr, counts[0]);
    EXPECT_GT(first.size(), 5U);
    expect_same(first, find(three, nullptr, counts[1]));
    expect_same(first, find(three, &scratch, counts[2]));
    scene.find_pairs(1.0);
    expect_same(first, find(ThreadPool::caller(), &scratch, counts[3]));
    expect_same(first, find(three, &scratch, counts[3]));
    // Nor does the order matter in which the triangles of a vertex come.
    for (size_t k = 0; k < scene.pairs.vertex_triangle.size();) {
      size_t last = k + 1;
      while (last < scene.pairs.vertex_triangle.size() &&
             scene.pairs.vertex_triangle[last].vertex == scene.pairs.vertex_triangle[k].vertex)
        ++last;
      std::reverse(scene.pairs.vertex_triangle.begin() + static_cast<std::ptrdiff_t>(k),
                   scene.pairs.vertex_triangle.begin() + static_cast<std::ptrdiff_t>(last));
      k = last;
    }
    expect_same(first, find(ThreadPool::caller(), nullptr, counts[3]));
    for (const ContactCounts& c : counts) {
      EXPECT_EQ(c.touching, counts[0].touching);
      EXPECT_EQ(c.penetrating, counts[0].penetrating);
      EXPECT_EQ(c.smallest_gap, counts[0].smallest_gap);
      EXPECT_EQ(c.deepest, counts[0].deepest);
    }
  }
}

TEST(FindContacts, BodiesThatDoNotTouchHaveNone) {
  Random random(13);
  Touching scene = two_sheets(random, false, 0);
  scene.surface.rules[0].touches = false;
  ContactCounts counts;
  EXPECT_TRUE(scene.contacts(&counts).empty());
  EXPECT_EQ(counts.touching, 0);
  EXPECT_EQ(counts.smallest_gap, std::numeric_limits<double>::infinity());
}

// Triangles without area, edges without length, points on points: all that is found is finite.
TEST(FindContacts, DegenerateSurfacesGiveFiniteContacts) {
  Random random(14);
  for (int trial = 0; trial < 200; ++trial) {
    Touching scene = two_sheets(random, trial % 2 == 0, 0.5, 3);
    scene.keep_apart(trial % 4 >= 2);
    for (Vec3d& x : scene.x) {
      switch (random.below(4)) {
        case 0:
          x = scene.x[static_cast<size_t>(random.below(static_cast<int>(scene.x.size())))];
          break;
        case 1:
          x.y = 0;
          break;
        case 2:
          x = {std::round(x.x), 0, std::round(x.z)};
          break;
        default:
          break;
      }
    }
    if (trial % 10 == 0)
      for (Vec3d& x : scene.x) x = {};
    scene.find_pairs(1.5 * radius);
    for (const Contact& c : scene.contacts()) {
      const ContactNumbers<double>& n = c.numbers;
      const Vec3d f = contact_force(n, Vec3d{}).force;
      EXPECT_TRUE(std::isfinite(f.x + f.y + f.z + n.distance + n.share + n.law.radius + n.law.stiffness));
      EXPECT_TRUE(std::isfinite(contact_energy(n, Vec3d{})));
      EXPECT_LT(std::abs(size(n.normal) - 0.5), 0.5 + 1e-9);
      for (const double w : n.weights) EXPECT_LE(std::abs(w), 1 + 1e-12);
    }
  }
}

// Many triangles at one vertex end in time.
TEST(FindContacts, ManyTrianglesAtOneVertex) {
  Touching scene;
  scene.rule = rule_of();
  const int32_t points = scene.add_body(false), fan = scene.add_body(false, true);
  scene.add_point(points, {0, 0, 0.05});
  const int32_t middle = scene.add_point(fan, {0, 0, 0});
  constexpr int count = 30000;
  for (int k = 0; k < count; ++k)
    scene.add_point(fan, {std::cos(6.283185307179586 * k / count), std::sin(6.283185307179586 * k / count), 0});
  for (int k = 0; k < count; ++k)
    scene.surface.triangles.push_back({middle, middle + 1 + k, middle + 1 + (k + 1) % count});
  scene.finish();
  for (int32_t t = 0; t < count; ++t) scene.pairs.vertex_triangle.push_back({0, t});
  double energy = 0;
  for (const Contact& c : scene.contacts()) energy += contact_energy(c.numbers, Vec3d{});
  EXPECT_NEAR(energy, phi(scene.rule, 0.05), 1e-9 * energy);
}

}  // namespace
}  // namespace sinew
