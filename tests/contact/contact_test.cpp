// Source: the equations at the head of contact/contact.h; Li et al. 2020 (IPC), eq. 16, for f1; Chen et al. 2024 (VBD),
// eqs. 13-16, for friction and its stiffness.
#include "contact/contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace sinew {
namespace {

using support::Random;
using support::size;

Vec3d unit_vector(Random& random) {
  const Vec3d v = random.vector();
  return (1 / size(v)) * v;
}
ContactNumbers<double> random_contact(Random& random, double mu) {
  ContactNumbers<double> c;
  c.weights = {1, -0.2, -0.3, -0.5};
  c.normal = unit_vector(random);
  c.law = {0.1, std::pow(10, random.between(0, 4)), 0.01};
  c.distance = random.between(-0.03, 0.11);
  c.share = random.below(4) == 0 ? -1 : random.between(0.1, 1);
  c.friction = mu;
  c.creep = std::pow(10, random.between(-4, -2));
  c.slip = std::pow(10, random.between(-6, -1)) * unit_vector(random);
  return c;
}

// Without friction the force is the gradient of the energy, and the stiffness its derivative.
TEST(Contact, ForceIsTheGradientOfTheEnergy) {
  Random random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const ContactNumbers<double> c = random_contact(random, 0);
    const Vec3d change = 0.01 * random.vector(), direction = random.vector();
    const double d = c.distance + dot(c.normal, change);
    if (std::abs(d - 0.1) < 1e-4 || std::abs(d - 0.05) < 1e-4 || std::abs(d - 0.01) < 1e-4) continue;
    const ContactForce<double> f = contact_force(c, change);
    const auto energy = [&](double t) { return contact_energy(c, change + t * direction); };
    const double scale = c.law.stiffness;
    EXPECT_NEAR(support::derivative(energy, 1e-6), -dot(direction, f.force), 1e-5 * scale);
    if (c.share < 0) {
      EXPECT_EQ(f.along, 0);
      EXPECT_EQ(f.across, 0);
      continue;
    }
    const auto push = [&](double t) { return dot(f.axis, contact_force(c, change + t * f.axis).force); };
    EXPECT_NEAR(support::derivative(push, 1e-6), -f.along, 1e-5 * (f.along + scale));
  }
}

// f1 = 2 z - z^2 up to z = |u| / (eps_v h) = 1, then 1, against the slip and across the normal.
TEST(Contact, FrictionIsThatOfIpc) {
  Random random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const double mu = 0.4;
    const ContactNumbers<double> c = random_contact(random, mu);
    const Vec3d change = 0.3 * c.creep * random.vector();
    const ContactForce<double> f = contact_force(c, change);
    const double lambda = -c.share * law_slope(c.law, c.distance + dot(c.normal, change)).slope;
    const Vec3d w = c.slip + change, u = w - dot(c.normal, w) * c.normal;
    const double z = size(u) / c.creep, f1 = z < 1 ? 2 * z - z * z : 1;
    EXPECT_NEAR(dot(c.normal, f.force), lambda, 1e-12 * std::abs(lambda));
    const Vec3d across = f.force - dot(c.normal, f.force) * c.normal;
    const Vec3d expected = (-mu * lambda * f1 / size(u)) * u;
    EXPECT_LE(size(across - expected), 1e-10 * std::abs(lambda));
    EXPECT_LE(size(across), mu * std::abs(lambda) * (1 + 1e-12));  // the cone
    if (c.share > 0) {
      EXPECT_LE(dot(across, u), 0);
      EXPECT_NEAR(f.across, mu * lambda * f1 / size(u), 1e-12 * f.across);
    }
  }
}

// Without a slip there is no friction, and its stiffness is 2 mu lambda / (eps_v h).
TEST(Contact, FrictionAtRest) {
  ContactNumbers<double> c;
  c.weights = {1, -1, 0, 0};
  c.normal = {0, 0, 1};
  c.distance = 0.06;
  c.law = {0.1, 50, 0.01};
  c.share = 1;
  c.friction = 0.5;
  c.creep = 1e-4;
  const ContactForce<double> f = contact_force(c, Vec3d{});
  EXPECT_EQ(f.force.x, 0);
  EXPECT_DOUBLE_EQ(f.force.z, 2);
  EXPECT_DOUBLE_EQ(f.across, 2 * 0.5 * 2 / 1e-4);
  // Nor where the creep is 0: quasistatics.
  c.creep = 0;
  const ContactForce<double> g = contact_force(c, Vec3d{1e-3, 0, 0});
  EXPECT_NEAR(g.force.x, -1, 1e-12);
  const ContactForce<double> still = contact_force(c, Vec3d{});
  EXPECT_EQ(still.force.x, 0);
  EXPECT_EQ(still.across, 0);
}

template <class T>
void expect_lanes_like_scalars(double tolerance) {
  using Real = ScalarOf<T>;
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    ContactNumbers<T> lanes{};
    Vec3<T> change{};
    ContactNumbers<double> one[lane_count<T>];
    Vec3d by[lane_count<T>];
    for (int l = 0; l < lane_count<T>; ++l) {
      one[l] = random_contact(random, random.below(2) ? 0.3 : 0);
      by[l] = 0.003 * random.vector();
      const ContactNumbers<Real> c = in_precision<Real>(one[l]);
      for (size_t j = 0; j < 4; ++j) lanes.weights[j][l] = c.weights[j];
      lanes.normal.x[l] = c.normal.x;
      lanes.normal.y[l] = c.normal.y;
      lanes.normal.z[l] = c.normal.z;
      lanes.distance[l] = c.distance;
      lanes.slip.x[l] = c.slip.x;
      lanes.slip.y[l] = c.slip.y;
      lanes.slip.z[l] = c.slip.z;
      lanes.law.radius[l] = c.law.radius;
      lanes.law.stiffness[l] = c.law.stiffness;
      lanes.law.floor[l] = c.law.floor;
      lanes.share[l] = c.share;
      lanes.friction[l] = c.friction;
      lanes.creep[l] = c.creep;
      change.x[l] = static_cast<Real>(by[l].x);
      change.y[l] = static_cast<Real>(by[l].y);
      change.z[l] = static_cast<Real>(by[l].z);
    }
    const ContactForce<T> f = contact_force(lanes, change);
    for (int l = 0; l < lane_count<T>; ++l) {
      const ContactForce<double> expected = contact_force(one[l], by[l]);
      const double scale = one[l].law.stiffness * one[l].law.radius;
      EXPECT_NEAR(f.force.x[l], expected.force.x, tolerance * scale);
      EXPECT_NEAR(f.force.y[l], expected.force.y, tolerance * scale);
      EXPECT_NEAR(f.force.z[l], expected.force.z, tolerance * scale);
      // Curvature jumps at the radius, where a float may be on the other side.
      const double d = one[l].distance + dot(one[l].normal, by[l]);
      if (std::abs(d - one[l].law.radius) > 1e-5) {
        EXPECT_NEAR(f.along[l], expected.along, 30 * tolerance * (expected.along + one[l].law.stiffness));
        EXPECT_NEAR(f.across[l], expected.across, 30 * tolerance * (expected.across + scale / one[l].creep));
      }
    }
  }
}

TEST(Contact, LanesAndFloatsAgreeWithDouble) {
  expect_lanes_like_scalars<Lane<double, 4>>(1e-13);
  // The slip, of 1e-6 to .1 m, is a difference: where creep is small, so are the digits of z.
  expect_lanes_like_scalars<Lane<float, 8>>(3e-4);
}

}  // namespace
}  // namespace sinew
