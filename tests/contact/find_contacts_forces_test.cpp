// Source: the rules at the head of contact/find_contacts.h; Chen et al. 2025 (Offset Geometric Contact) for the law:
// forces and friction.
#include "contact/find_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "contact/touching_case.h"

namespace sinew {
namespace {

using namespace touching_support;

// With weights, normals and shares as they were found, the force on a slot is the negative gradient of the energy; and
// the energy is phi of the true distance.
TEST(FindContacts, ForcesAreGradientsOfTheEnergy) {
  Random random(7);
  for (int trial = 0; trial < 10; ++trial) {
    Touching scene = two_sheets(random, trial % 2 == 0, 0);
    const std::vector<Contact> contacts = scene.contacts();
    EXPECT_GT(contacts.size(), 20U);
    const std::vector<Vec3d> x = scene.x;
    std::vector<Vec3d> direction(x.size()), gradient(x.size(), Vec3d{});
    for (Vec3d& d : direction) d = random.vector();
    const auto energy = [&](double t) {
      double sum = 0;
      for (const Contact& c : contacts) {
        Vec3d change{};
        for (size_t j = 0; j < 4; ++j)
          if (c.slots[j] >= 0) change += (t * c.numbers.weights[j]) * direction[static_cast<size_t>(c.slots[j])];
        sum += contact_energy(c.numbers, change);
      }
      return sum;
    };
    double expected = 0, scale = 0;
    for (const Contact& c : contacts) {
      Vec3d at{};
      for (size_t j = 0; j < 4; ++j)
        if (c.slots[j] >= 0) {
          const auto slot = static_cast<size_t>(c.slots[j]);
          at += c.numbers.weights[j] * x[slot];
          const double work = c.numbers.weights[j] * dot(direction[slot], contact_force(c.numbers, Vec3d{}).force);
          expected -= work;
          scale += std::abs(work);
        }
      EXPECT_NEAR(dot(at, c.numbers.normal), c.numbers.distance, 1e-12);
      EXPECT_NEAR(size(at), std::abs(c.numbers.distance), 1e-12);
      EXPECT_NEAR(size(c.numbers.normal), 1, 1e-12);
    }
    EXPECT_NEAR(support::derivative(energy, 1e-6), expected, 1e-7 * scale);
  }
}

// The distance itself has the gradient s_j n: of vertices exactly, as the closest point minimises it.
TEST(FindContacts, DistancesHaveTheirWeightsAsGradient) {
  Random random(8);
  Touching scene = two_sheets(random, true, 0);
  const std::vector<Vec3d> x = scene.x;
  using Key = std::tuple<ContactKind, int32_t, int64_t>;
  const auto distances = [&](double t, const std::vector<Vec3d>& direction) {
    std::map<Key, double> d;
    for (size_t p = 0; p < x.size(); ++p) scene.x[p] = x[p] + t * direction[p];
    for (const Contact& c : scene.contacts()) d[{c.kind, c.first, c.second}] = c.numbers.distance;
    scene.x = x;
    return d;
  };
  std::vector<Vec3d> direction(x.size());
  for (Vec3d& d : direction) d = random.vector();
  constexpr double t = 1e-6;
  std::map<Key, double> high = distances(t, direction), low = distances(-t, direction);
  int compared = 0;
  for (const Contact& c : scene.contacts()) {
    const Key key{c.kind, c.first, c.second};
    if (!high.count(key) || !low.count(key)) continue;
    double expected = 0;
    for (size_t j = 0; j < 4; ++j)
      if (c.slots[j] >= 0)
        expected += c.numbers.weights[j] * dot(c.numbers.normal, direction[static_cast<size_t>(c.slots[j])]);
    EXPECT_NEAR((high[key] - low[key]) / (2 * t), expected, 1e-5);
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(FindContacts, ForcesBetweenBodiesSumToZero) {
  Random random(9);
  for (int trial = 0; trial < 20; ++trial) {
    const Touching scene = two_sheets(random, trial % 2 == 0, 0.4);
    const std::vector<Contact> contacts = scene.contacts();
    Vec3d sum{}, moment{};
    double scale = 0;
    for (const Contact& c : contacts) {
      double weights = 0;
      const Vec3d f = contact_force(c.numbers, Vec3d{}).force;
      for (size_t j = 0; j < 4; ++j) {
        weights += c.numbers.weights[j];
        if (c.slots[j] < 0) continue;
        const Vec3d on = c.numbers.weights[j] * f;
        sum += on;
        moment += cross(scene.x[static_cast<size_t>(c.slots[j])], on);
        scale += size(on);
      }
      EXPECT_NEAR(weights, 0, 1e-15);
    }
    EXPECT_LT(size(sum), 1e-14 * scale);
    EXPECT_GT(scale, 0);
  }
}

// What friction does to a vertex never feeds energy in, though some of its contacts have a share of -1: for motions of
// the surface as a whole.
TEST(FindContacts, FrictionNeverFeedsEnergyIn) {
  Random random(10);
  double worst = -1, least = 0;
  int negative = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double bump = trial % 3 == 0 ? 0.2 : trial % 3 == 1 ? 1.0 : 3.0;
    Field field(
        6, 200, [&](Random& r, double, double) { return bump * r.between(-0.5, 0.5); },
        [&](Random& r) { return r.between(-0.2, 0.2); }, random);
    Touching& scene = field.scene;
    scene.rule.friction = 0.5;
    scene.rule.friction_speed = 0.2;
    scene.surface.rules.assign(1, scene.rule);
    for (size_t k = 0; k < 200; ++k) {
      Vec3d& p = scene.x[k];
      const Vec3d corner =
          scene.x[200 + 7 * (1 + static_cast<size_t>(random.below(4))) + 1 + static_cast<size_t>(random.below(4))];
      p = corner + 0.3 * random.vector();
      p.z = field.ground(p.x, p.y) + random.between(0.05, 0.9) * radius;
      scene.before[k] = p + std::pow(10, random.between(-5, -1)) * random.vector();
    }
    scene.find_pairs(1.5 * radius);
    std::vector<double> power(200, 0), size_of_power(200, 0);
    for (const Contact& c : scene.contacts()) {
      if (c.first >= 200) continue;
      const auto k = static_cast<size_t>(c.first);
      const ContactNumbers<double>& n = c.numbers;
      const Vec3d u = n.slip - dot(n.normal, n.slip) * n.normal;
      const double p = dot(u, contact_force(n, Vec3d{}).force);
      power[k] += p;
      size_of_power[k] += std::abs(p);
      if (n.share > 0) {
        EXPECT_LE(p, 0);
      }
      negative += n.share < 0;
    }
    for (size_t k = 0; k < 200; ++k)
      if (size_of_power[k] > 0) {
        worst = std::max(worst, power[k] / size_of_power[k]);
        least = std::min(least, power[k]);
      }
  }
  EXPECT_LE(worst, 1e-12);
  EXPECT_LT(least, 0);
  EXPECT_GT(negative, 200);
}

// What moves along with a collider does not slip; and a slip is the way across the normal relative to it.
TEST(FindContacts, SlipIsRelativeToColliders) {
  Random random(11);
  const Vec3d axis = random.vector(), shift = 0.01 * random.vector();
  const auto moved = [&](Vec3d p) { return rotated(axis, 0.02, p) + shift; };
  for (const bool along : {true, false}) {
    Touching scene;
    scene.rule = rule_of();
    scene.rule.friction = 0.3;
    const int32_t body = scene.add_body(true), collider = scene.add_body(true, true);
    scene.add_box(body, 2, 2, 2, box_map({0.1, 0.1, 0.5 * radius}, {0.9, 0.9, 1}));
    scene.add_box(collider, 3, 3, 1, box_map({-1, -1, -1}, {2, 2, 0}));
    scene.finish();
    const size_t slots = static_cast<size_t>(scene.surface.slot_count);
    const Vec3d extra{0.001, 0.002, 0};
    for (size_t p = 0; p < scene.x.size(); ++p)
      scene.x[p] = p < slots ? along ? moved(scene.before[p]) : scene.before[p] + extra
                   : along   ? moved(scene.before[p])
                             : scene.before[p];
    ContactPlane& plane = scene.planes.emplace_back();
    plane.normal = {0, 0, 1};
    plane.along = {1, 0, 0};
    scene.planes_before = scene.planes;
    if (along) {
      plane.point = moved({});
      plane.normal = rotated(axis, 0.02, plane.normal);
      plane.along = rotated(axis, 0.02, plane.along);
    }
    for (size_t v = 0; v < slots; ++v) scene.vertex_planes.push_back({static_cast<int32_t>(v), 0});
    scene.find_pairs(1.5 * radius);
    int planes = 0;
    for (const Contact& c : scene.contacts()) {
      const Vec3d u = c.numbers.slip - dot(c.numbers.normal, c.numbers.slip) * c.numbers.normal;
      // C is from the collider's point to the body's, or the other way round.
      const int32_t first =
          c.kind == ContactKind::edge_edge ? scene.surface.edges[static_cast<size_t>(c.first)][0] : c.first;
      const Vec3d n = c.numbers.normal, across = extra - dot(n, extra) * n;
      const double sign = scene.surface.body_of[static_cast<size_t>(first)] == body ? 1 : -1;
      // A rotation turns C itself.
      if (along) {
        EXPECT_LT(size(u), 0.021 * c.numbers.distance);
      } else {
        EXPECT_LT(size(u - sign * across), 1e-14);
      }
      planes += c.kind == ContactKind::vertex_plane;
    }
    EXPECT_EQ(planes, 9);
  }
}

TEST(FindContacts, PlanesHoldWhatIsBelowThem) {
  for (const bool penalty : {false, true}) {
    Touching scene;
    scene.rule = penalty ? penalty_rule() : rule_of();
    scene.add_box(scene.add_body(true), 1, 1, 1, box_map({0, 0, -0.5}, {1, 1, 0.5 * radius}));
    scene.finish();
    const Vec3d n = (1 / std::sqrt(3.0)) * Vec3d{1, 1, 1};
    scene.planes.push_back({.point = {0, 0, 0}, .normal = {0, 0, 1}, .along = {1, 0, 0}});
    scene.planes.push_back({.point = -5.0 * n, .normal = n, .along = (1 / std::sqrt(2.0)) * Vec3d{1, -1, 0}});
    scene.planes_before = scene.planes;
    for (int32_t v = 0; v < 8; ++v)
      for (int32_t p = 0; p < 2; ++p) scene.vertex_planes.push_back({v, p});
    ContactCounts counts;
    const std::vector<Contact> contacts = scene.contacts(&counts);
    EXPECT_EQ(contacts.size(), penalty ? 4U : 8U);
    EXPECT_EQ(counts.penetrating, 4);
    EXPECT_DOUBLE_EQ(counts.deepest, 0.5);
    EXPECT_DOUBLE_EQ(counts.smallest_gap, -0.5);
    for (const Contact& c : contacts) {
      EXPECT_EQ(c.kind, ContactKind::vertex_plane);
      EXPECT_EQ(c.second, 0);
      EXPECT_EQ(c.numbers.distance, scene.x[static_cast<size_t>(c.first)].z);
      EXPECT_EQ(c.numbers.law.stiffness, 1);
      const double depth = c.numbers.distance;
      if (penalty) {
        EXPECT_NEAR(contact_force(c.numbers, Vec3d{}).force.z, -depth, 1e-15);
      }
    }
  }
  // Without a stiffness of its own, a contact takes that of the vertex, twice: the plane does not yield.
  Touching scene;
  scene.rule = rule_of(0);
  scene.add_point(scene.add_body(false), {0, 0, 0});
  scene.finish();
  scene.stiffness[0] = 3;
  scene.planes.push_back({.point = {0, 0, 0}, .normal = {0, 0, 1}, .along = {1, 0, 0}});
  scene.planes_before = scene.planes;
  scene.vertex_planes.push_back({0, 0});
  EXPECT_EQ(scene.contacts().at(0).numbers.law.stiffness, 6);
}

}  // namespace
}  // namespace sinew
