// Source: the rules at the head of contact/find_contacts.h: of a body with itself.
#include "contact/find_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "contact/touching_case.h"

namespace sinew {
namespace {

using namespace touching_support;

double energy_of(const Touching& scene) {
  double sum = 0;
  for (const Contact& c : scene.contacts()) sum += std::abs(contact_energy(c.numbers, Vec3d{}));
  return sum;
}

// Nothing pushes at rest: plates thinner than the radius, with bumps on both faces; a comb; a shell; slivers. Nor after
// a rotation, or when stretched.
TEST(FindContacts, NothingPushesAtRest) {
  Random random(6);
  for (int kind = 0; kind < 6; ++kind) {
    Touching scene;
    scene.rule = rule_of();
    const int32_t body = scene.add_body(true);
    switch (kind) {
      case 0:
        scene.add_box(body, 6, 6, 1, box_map({0, 0, 0}, {6, 6, 0.03}));
        break;
      case 1:
        scene.add_box(body, 6, 6, 1, [&](double u, double v, double w) {
          return Vec3d{6 * u, 6 * v, 0.12 * w + 0.02 * random.normal()};
        });
        break;
      case 2:  // a fine one
        scene.add_box(body, 8, 8, 2, box_map({0, 0, 0}, {0.5, 0.5, 0.05}));
        break;
      case 3:  // bent to a ring that nearly closes
        scene.add_box(body, 30, 1, 1, [](double u, double v, double w) {
          const double angle = 6.1 * u, r = 0.5 + 0.1 * w;
          return Vec3d{r * std::cos(angle), 0.3 * v, r * std::sin(angle)};
        });
        for (Triangle& t : scene.surface.triangles) std::swap(t[1], t[2]);
        break;
      case 4:  // a comb: teeth closer than the radius
        scene.add_box(body, 12, 1, 2, [](double u, double v, double w) {
          const int tooth = static_cast<int>(std::lround(12 * u));
          return Vec3d{0.06 * tooth, 0.5 * v, w < 0.9 ? w : tooth % 2 ? 1.0 : 0.55};
        });
        break;
      default:  // noise
        scene.add_box(body, 5, 5, 5, [&](double u, double v, double w) {
          return Vec3d{u, v, w} + 0.05 * random.vector();
        });
    }
    scene.finish();
    const Mat3d turn = random.rotation();
    for (const double stretch : {1.0, 1.3}) {
      for (size_t p = 0; p < scene.x.size(); ++p)
        scene.x[p] = stretch * (turn * scene.surface.rest[p]) + Vec3d{1, 2, 3};
      scene.before = scene.x;
      scene.find_pairs(1.5 * radius);
      EXPECT_GT(scene.pairs.edge_edge.size(), 100U);
      for (const bool crossings : {true, false}) {
        scene.keep_apart(!crossings);
        ContactCounts counts;
        scene.contacts(&counts);
        EXPECT_EQ(energy_of(scene), 0) << kind;
        EXPECT_EQ(counts.touching, 0) << kind;
        EXPECT_EQ(counts.penetrating, 0) << kind;
      }
    }
  }
}

// A plate that is pressed thin resists, and is never taken to be inside out until it is.
TEST(FindContacts, WhatIsPressedThinIsPushedApart) {
  for (const double thickness : {0.05, 0.2, 0.6}) {
    Touching scene;
    scene.rule = rule_of();
    scene.add_box(scene.add_body(true), 6, 6, 1, box_map({0, 0, 0}, {6, 6, thickness}));
    scene.finish();
    for (const double pressed : {0.8, 0.4, 0.15, 0.11}) {
      for (size_t p = 0; p < scene.x.size(); ++p) scene.x[p].z = pressed * scene.surface.rest[p].z;
      scene.before = scene.x;
      scene.find_pairs(1.5 * radius);
      ContactCounts counts;
      const std::vector<Contact> contacts = scene.contacts(&counts);
      EXPECT_EQ(counts.penetrating, 0);
      double up = 0;
      for (const Contact& c : contacts) {
        const Vec3d f = contact_force(c.numbers, Vec3d{}).force;
        for (size_t j = 0; j < 4; ++j)
          if (c.slots[j] >= 0 && scene.surface.rest[static_cast<size_t>(c.slots[j])].z > 0)
            up += c.numbers.weights[j] * f.z;
      }
      const bool touches = pressed * thickness < std::min(radius, 0.9 * thickness);
      EXPECT_EQ(up > 0, touches) << thickness << " " << pressed;
      EXPECT_GE(up, 0);
    }
  }
}

// A strip folded onto itself: outside it is held at a distance, and what is inside is pushed out.
TEST(FindContacts, FoldsOfOneBodyMeet) {
  for (const double gap : {0.1, 0.02, -0.02, -0.1}) {
    Touching scene;
    scene.rule = rule_of();
    scene.add_box(scene.add_body(true), 24, 4, 1, [](double u, double v, double w) {
      return Vec3d{12 * u, 2 * v, 0.4 * w};
    });
    scene.finish();
    // Half of it, a little shifted, comes to lie on the other half, upper face on upper face.
    const double bend = 5, turn = 0.4 + gap / 2;
    for (Vec3d& x : scene.x) {
      const double length = x.x - bend, angle = std::clamp(length / (turn * 2), 0.0, 3.14159265358979);
      const double flat = length - angle * turn * 2, r = turn - (x.z - 0.0);
      if (length <= 0) continue;
      x = {bend + r * std::sin(angle) - (flat > 0 ? flat : 0), x.y + 0.003 * length, turn - r * std::cos(angle)};
    }
    scene.before = scene.x;
    scene.find_pairs(1.5 * radius);
    ContactCounts counts;
    const std::vector<Contact> contacts = scene.contacts(&counts);
    double low = 0, high = 0;
    for (const Contact& c : contacts) {
      const Vec3d f = contact_force(c.numbers, Vec3d{}).force;
      for (size_t j = 0; j < 4; ++j) {
        if (c.slots[j] < 0) continue;
        const double u = scene.surface.rest[static_cast<size_t>(c.slots[j])].x;
        if (u < bend) low += c.numbers.weights[j] * f.z;
        if (u > bend + 3) high += c.numbers.weights[j] * f.z;
      }
    }
    EXPECT_EQ(counts.penetrating > 10, gap < 0) << gap;
    if (gap < 0) {
      EXPECT_NEAR(counts.deepest, -gap, 0.01);
    }
    EXPECT_LT(low, -1e-2 * radius) << gap;
    EXPECT_GT(high, 1e-2 * radius) << gap;
  }
}

}  // namespace
}  // namespace sinew
