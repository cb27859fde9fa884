// Source: the rules at the head of contact/find_contacts.h: which side a point or an edge is on, and which way it is
// pushed, also when it has crossed.
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

// [N] On all points of a body.
Vec3d force_on(const Touching& scene, int32_t body, const std::vector<Contact>& contacts) {
  Vec3d sum{};
  for (const Contact& c : contacts) {
    const Vec3d f = contact_force(c.numbers, Vec3d{}).force;
    for (size_t j = 0; j < 4; ++j)
      if (c.slots[j] >= 0 && scene.surface.body_of[static_cast<size_t>(c.slots[j])] == body)
        sum += c.numbers.weights[j] * f;
  }
  return sum;
}

// Every point near a skewed box is signed as it lies, and pushed outwards: at faces, edges and corners.
TEST(FindContacts, SignOfPointsInClosedBodies) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    Touching scene;
    scene.rule = trial % 2 ? penalty_rule() : rule_of();
    const int32_t points = scene.add_body(false), box = scene.add_body(true, true);
    for (int k = 0; k < 300; ++k) scene.add_point(points, {});
    const Mat3d skew = random.rotation() * (diagonal(1.0, 1.0, 1.0) + 0.15 * random.matrix());
    scene.add_box(box, 3, 3, 3, [&](double u, double v, double w) {
      return skew * Vec3d{2 * u - 1, 2 * v - 1, 2 * w - 1};
    });
    if (determinant(skew) < 0)
      for (Triangle& t : scene.surface.triangles) std::swap(t[1], t[2]);
    scene.finish();
    std::vector<double> outside(300);
    for (size_t k = 0; k < 300; ++k) {
      const Triangle& t =
          scene.surface.triangles[static_cast<size_t>(random.below(static_cast<int>(scene.surface.triangles.size())))];
      double b[3] = {random.between(0, 1), random.between(0, 1), random.between(0, 1)};
      if (k % 3 == 1) b[2] = 0;
      if (k % 3 == 2) b[1] = b[2] = 0;
      Vec3d p{};
      for (size_t j = 0; j < 3; ++j) p += (b[j] / (b[0] + b[1] + b[2])) * scene.x[static_cast<size_t>(t[j])];
      scene.x[k] = (1 + random.between(-0.9, 0.9) * 0.1) * p;
      // The box is convex: inside is below all planes.
      outside[k] = -1e9;
      for (const Triangle& c : scene.surface.triangles) {
        const auto at = [&](size_t j) { return scene.x[static_cast<size_t>(c[j])]; };
        const Vec3d n = cross(at(1) - at(0), at(2) - at(0));
        outside[k] = std::max(outside[k], dot(n, scene.x[k] - at(0)) / size(n));
      }
    }
    scene.find_pairs(2 * radius);
    ContactCounts counts;
    std::vector<int> found(300, 0);
    std::vector<double> nearest(300, 1e9);
    std::vector<Vec3d> force(300, Vec3d{}), normal(300, Vec3d{});
    for (const Contact& c : scene.contacts(&counts)) {
      if (c.first >= 300) continue;
      const auto k = static_cast<size_t>(c.first);
      ++found[k];
      EXPECT_EQ(c.numbers.distance < 0, outside[k] < 0);
      if (outside[k] < 0) {
        EXPECT_NEAR(c.numbers.distance, outside[k], 1e-12);
        EXPECT_EQ(c.numbers.share, 1);
      }
      force[k] += contact_force(c.numbers, Vec3d{}).force;
      if (std::abs(c.numbers.distance) < nearest[k]) {
        nearest[k] = std::abs(c.numbers.distance);
        normal[k] = c.numbers.normal;
      }
      EXPECT_NEAR(size(c.numbers.normal), 1, 1e-12);
    }
    for (size_t k = 0; k < 300; ++k)
      EXPECT_EQ(found[k] > 0, outside[k] < 0 || scene.rule.law == ContactLaw::offset) << k;
    // The back of a face behind a sharp edge may count a little, too.
    for (size_t k = 0; k < 300; ++k)
      if (nearest[k] < radius) {
        EXPECT_GT(dot(force[k], normal[k]), 0.99 * size(force[k]) * (outside[k] < 0 || trial % 2 ? 1 : 0));
        EXPECT_GT(dot(normal[k], scene.x[k]), 0);
      }
    EXPECT_GT(counts.penetrating, 50);
  }
}

// Two bars crossed, one pressed into the other so that only edges meet: they are pushed apart, also if they were so
// when the step began, and though no vertex is inside.
TEST(FindContacts, CrossedEdgesArePushedApart) {
  for (const double depth : {1e-6, 0.01, 0.05, 0.1}) {
    for (const bool at_start : {true, false}) {
      Touching scene;
      scene.rule = rule_of();
      const int32_t lower = scene.add_body(true), upper = scene.add_body(true);
      // Roofs, one with its ridge up, the other with its ridge down.
      const auto add_roof = [&](int32_t body, bool along_x, double sign, double top) {
        int32_t p[2][3];
        for (int end = 0; end < 2; ++end)
          for (int k = 0; k < 3; ++k) {
            const double along = 4.0 * end - 2, across = k - 1.0, z = top - (k == 1 ? 0 : sign);
            p[end][k] = scene.add_point(body, along_x ? Vec3d{along, across, z} : Vec3d{across, along, z});
          }
        std::vector<Triangle>& triangles = scene.surface.triangles;
        const size_t first = triangles.size();
        for (size_t k = 0; k < 3; ++k) {
          const size_t l = (k + 1) % 3;
          triangles.push_back({p[0][k], p[1][k], p[1][l]});
          triangles.push_back({p[0][k], p[1][l], p[0][l]});
        }
        triangles.push_back({p[0][0], p[0][1], p[0][2]});
        triangles.push_back({p[1][0], p[1][2], p[1][1]});
        // Seen from outside.
        const Vec3d centre{0, 0, top - 0.6 * sign};
        const auto at = [&](size_t j) { return scene.x[static_cast<size_t>(triangles[first][j])]; };
        if (dot(cross(at(1) - at(0), at(2) - at(0)), at(0) - centre) < 0)
          for (size_t t = first; t < triangles.size(); ++t) std::swap(triangles[t][1], triangles[t][2]);
      };
      add_roof(lower, true, 1, 0);
      add_roof(upper, false, -1, -depth);
      scene.finish();
      if (!at_start)
        for (size_t p = 6; p < 12; ++p) scene.before[p].z += 2 * depth;
      scene.find_pairs(2 * radius);
      ContactCounts counts;
      const std::vector<Contact> contacts = scene.contacts(&counts);
      EXPECT_EQ(counts.penetrating, 1);
      EXPECT_NEAR(counts.deepest, depth, 1e-12);
      const Vec3d f = force_on(scene, upper, contacts);
      EXPECT_GT(f.z, 0.5 * radius) << depth << " " << at_start;
      EXPECT_LT(size(f + force_on(scene, lower, contacts)), 1e-14);
    }
  }
}

// Where a corner is inside, it alone says how deep; the edges that pass through the face say nothing.
TEST(FindContacts, EdgesOfWhatIsInsideAreLeftOut) {
  Touching scene;
  scene.rule = rule_of();
  const int32_t lower = scene.add_body(true), upper = scene.add_body(true);
  scene.add_box(lower, 1, 1, 1, box_map({0, 0, -1}, {1, 1, 0}));
  // A corner points down, near an edge of the lower box.
  const Vec3d down = {0, 0, -1}, diagonal = (1 / std::sqrt(3.0)) * Vec3d{-1, -1, -1};
  const Vec3d axis = cross(diagonal, down);
  const double angle = std::atan2(size(axis), dot(diagonal, down));
  scene.add_box(upper, 1, 1, 1, [&](double u, double v, double w) {
    return rotated(axis, angle, {u, v, w}) + Vec3d{0.05, 0.5, -0.01};
  });
  scene.finish();
  scene.find_pairs(2 * radius);
  ContactCounts counts;
  const std::vector<Contact> contacts = scene.contacts(&counts);
  EXPECT_NEAR(counts.deepest, 0.01, 1e-12);
  EXPECT_EQ(counts.penetrating, 1);
  for (const Contact& c : contacts)
    if (c.kind == ContactKind::edge_edge) {
      EXPECT_GT(c.numbers.distance, 0);
    }
  const Vec3d f = force_on(scene, upper, contacts);
  EXPECT_GT(f.z, 0.9 * size(f));
}

// A point that has gone through an open sheet in this step is pulled back.
TEST(FindContacts, OpenSheetsHaveTheSideOfTheStart) {
  for (const double before : {0.1, -0.1}) {
    Touching scene;
    scene.rule = rule_of();
    const int32_t points = scene.add_body(false), sheet = scene.add_body(false, true);
    scene.add_point(points, {1.3, 1.4, 0.05});
    scene.add_point(points, {1, 1, 0.05});
    scene.add_grid(
        sheet, 2, 2, true,
        [](int i, int j) {
          return Vec3d{double(i), double(j), 0};
        },
        [](int, int) { return true; });
    scene.finish();
    for (size_t k = 0; k < 2; ++k) scene.before[k].z = before;
    scene.find_pairs(1.5 * radius);
    const std::vector<Contact> contacts = scene.contacts();
    EXPECT_EQ(contacts.size(), 2U);
    for (const Contact& c : contacts) {
      EXPECT_NEAR(c.numbers.distance, before > 0 ? 0.05 : -0.05, 1e-15);
      EXPECT_NEAR(c.numbers.normal.z, before > 0 ? 1 : -1, 1e-15);
    }
  }
}

}  // namespace
}  // namespace sinew
