// Meshes that touch, for the tests of find_contacts: a mesh under points, boxes, two sheets.
#pragma once

#include <cmath>
#include <vector>

#include "support/random.h"
#include "support/touching.h"

namespace sinew::touching_support {

using support::phi;
using support::Random;
using support::size;
using support::slope_of_phi;
using support::Touching;

constexpr double radius = 0.15;

inline ContactRule rule_of(double stiffness = 1) {
  ContactRule rule;
  rule.radius = radius;
  rule.stiffness = stiffness;
  return rule;
}
inline ContactRule penalty_rule() {
  ContactRule rule = rule_of();
  rule.law = ContactLaw::penalty;
  rule.radius = 0;
  return rule;
}

inline Vec3d rotated(Vec3d axis, double angle, Vec3d p) {
  axis = (1 / size(axis)) * axis;
  return std::cos(angle) * p + std::sin(angle) * cross(axis, p) + ((1 - std::cos(angle)) * dot(axis, p)) * axis;
}

// A mesh under `count` points, which are a body of their own.
struct Field {
  Touching scene;
  int32_t first_point = 0, point_count = 0;

  template <class Height, class Shift>
  Field(int cells, int count, const Height& height, const Shift& shift, Random& random, bool closed = true) {
    scene.rule = rule_of();
    const int32_t ground = scene.add_body(closed, true);
    // Colliders are numbered behind bodies, so points come first.
    const int32_t own = scene.add_body(false);
    first_point = 0;
    point_count = count;
    for (int k = 0; k < count; ++k) scene.add_point(own, {});
    scene.add_grid(
        ground, cells, cells, true,
        [&](int i, int j) {
          const bool border = i == 0 || j == 0 || i == cells || j == cells;
          const double x = i + (border ? 0 : shift(random)), y = j + (border ? 0 : shift(random));
          return Vec3d{x, y, height(random, x, y)};
        },
        [&](int, int) { return random.below(2) == 0; });
    scene.finish();
  }
  std::vector<double> energies() const {
    std::vector<double> sum(static_cast<size_t>(point_count), 0);
    for (const Contact& c : scene.contacts())
      if (c.kind == ContactKind::vertex_triangle && c.first < point_count)
        sum[static_cast<size_t>(c.first)] += contact_energy(c.numbers, Vec3d{});
    return sum;
  }
  std::vector<Vec3d> forces() const {
    std::vector<Vec3d> sum(static_cast<size_t>(point_count), Vec3d{});
    for (const Contact& c : scene.contacts())
      if (c.kind == ContactKind::vertex_triangle && c.first < point_count)
        sum[static_cast<size_t>(c.first)] += contact_force(c.numbers, Vec3d{}).force;
    return sum;
  }
  // Above the mesh under a point (x, y), where it is a function of them.
  double ground(double x, double y) const {
    for (const Triangle& t : scene.surface.triangles) {
      const auto at = [&](int k) { return scene.x[static_cast<size_t>(t[static_cast<size_t>(k)])]; };
      const Vec3d a = at(0), u = at(1) - a, v = at(2) - a;
      const double area = u.x * v.y - u.y * v.x, p = ((x - a.x) * v.y - (y - a.y) * v.x) / area,
                   q = (u.x * (y - a.y) - u.y * (x - a.x)) / area;
      if (p >= -1e-12 && q >= -1e-12 && p + q <= 1 + 1e-12) return a.z + p * u.z + q * v.z;
    }
    return 0;
  }
};

inline auto box_map(Vec3d low, Vec3d high) {
  return [=](double u, double v, double w) {
    return Vec3d{low.x + u * (high.x - low.x), low.y + v * (high.y - low.y), low.z + w * (high.z - low.z)};
  };
}

// Two bumpy sheets of bodies, near each other and in places through each other, shaken since the start of the step.
inline Touching two_sheets(Random& random, bool closed, double mu, int cells = 5) {
  Touching scene;
  scene.rule = rule_of(random.between(0.5, 2));
  scene.rule.friction = mu;
  scene.rule.friction_speed = 0.1;
  for (const bool up : {false, true}) {
    const int32_t body = scene.add_body(closed);
    const double turn = random.between(0, 3), bump = random.between(0.02, 0.2);
    scene.add_grid(
        body, cells, cells, up,
        [&](int i, int j) {
          const double height = (up ? 0.15 : -0.15) * radius + (up ? bump : -bump) * random.between(-0.2, 1);
          return rotated({0, 1, 0}, turn, {i - 0.5 * cells, height, j - 0.5 * cells});
        },
        [&](int, int) { return random.below(2) == 0; });
  }
  scene.finish();
  for (double& k : scene.stiffness) k = random.between(0.1, 10);
  for (Vec3d& x : scene.before) x = x + 0.01 * random.vector();
  scene.find_pairs(1.5 * radius);
  return scene;
}

}  // namespace sinew::touching_support
