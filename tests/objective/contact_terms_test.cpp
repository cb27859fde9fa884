// Source: the equations of contact/find_contacts.h and contact/contact.h, summed: differences of the energy, forces
// that cancel, friction that resists; Li et al. 2020 (IPC), section 5.4, for the merit of friction.
#include "objective/contact_terms.h"

#include <gtest/gtest.h>

#include "contact/contacts.h"
#include "support/random.h"
#include "support/touching.h"

namespace sinew {
namespace {

using support::Random;
using support::size;
using support::Touching;

constexpr double radius = 0.1;

// A block on the face of another, and a plane beneath; with all that has moved since the start of the step.
struct Stack {
  Touching scene;
  std::unique_ptr<Contacts> contacts;
  StepProblem problem;
  std::vector<Vec3d> x;
  int32_t upper_points = 0;

  Stack(double mu, Random& random) {
    scene.rule.radius = radius;
    scene.rule.stiffness = 70;
    scene.rule.friction = mu;
    scene.rule.friction_speed = 0.1;
    const int32_t upper = scene.add_body(true), lower = scene.add_body(true);
    const auto box = [](Vec3d low, Vec3d high) {
      return [=](double u, double v, double w) {
        return Vec3d{low.x + u * (high.x - low.x), low.y + v * (high.y - low.y), low.z + w * (high.z - low.z)};
      };
    };
    scene.add_box(upper, 2, 2, 1, box({0.8, 0.9, 1.04}, {1.7, 1.8, 1.5}));
    upper_points = scene.surface.point_count();
    scene.add_box(lower, 3, 3, 1, box({0, 0, 0.05}, {3, 3, 1}));
    scene.surface.planes.push_back({.point = {0, 0, 0}, .normal = {0, 0, 1}, .along = {1, 0, 0}});
    scene.finish();
    x = scene.x;
    for (Vec3d& p : x) p += 0.004 * random.vector();
    std::vector<Vec3d> before = scene.x;
    contacts = std::make_unique<Contacts>(scene.surface, scene.stiffness, ContactOptions{}, ThreadPool::caller());
    contacts->begin_step(before, {}, {}, scene.surface.planes, scene.surface.planes, 0.01);
    contacts->detect(before, x, ThreadPool::caller());
    problem.contacts = contacts.get();
  }
  double energy(const std::vector<Vec3d>& at) const {
    return add_contact_terms(problem, at, ThreadPool::caller(), {}).energy;
  }
  std::vector<Vec3d> gradient(const std::vector<Vec3d>& at) const {
    std::vector<Vec3d> g(at.size(), Vec3d{});
    add_contact_terms(problem, at, ThreadPool::caller(), g);
    return g;
  }
};

// Contacts are found anew for each difference: the energy of vertices is differentiable as a whole.
TEST(ContactTerms, GradientIsTheDerivativeOfTheEnergy) {
  Random random(1);
  for (int trial = 0; trial < 10; ++trial) {
    const Stack stack(0, random);
    std::vector<Vec3d> direction(stack.x.size());
    for (Vec3d& d : direction) d = random.vector();
    const std::vector<Vec3d> g = stack.gradient(stack.x);
    double expected = 0, scale = 0;
    for (size_t s = 0; s < g.size(); ++s) {
      expected += dot(g[s], direction[s]);
      scale += std::abs(dot(g[s], direction[s]));
    }
    const auto energy = [&](double t) {
      std::vector<Vec3d> at = stack.x;
      for (size_t s = 0; s < at.size(); ++s) at[s] += t * direction[s];
      return stack.energy(at);
    };
    EXPECT_GT(scale, 1);
    EXPECT_NEAR(support::derivative(energy, 1e-6), expected, 1e-7 * scale);
  }
}

TEST(ContactTerms, BodiesPushEachOtherEquallyAndFrictionResists) {
  Random random(2);
  for (int trial = 0; trial < 10; ++trial) {
    const Stack stack(0.4, random), without(0, random);
    std::vector<Vec3d> g(stack.x.size(), Vec3d{});
    const ContactSums sums = add_contact_terms(stack.problem, stack.x, ThreadPool::caller(), g);
    std::vector<Contact> contacts;
    stack.contacts->find(stack.x, ThreadPool::caller(), contacts, nullptr);
    // What acts on the upper block acts on the lower one, beside the plane's forces.
    Vec3d all{}, upper{}, plane{};
    double work = 0;
    for (size_t s = 0; s < g.size(); ++s) {
      all += g[s];
      if (static_cast<int32_t>(s) < stack.upper_points) upper += g[s];
    }
    for (const Contact& c : contacts) {
      const Vec3d f = contact_force(c.numbers, Vec3d{}).force;
      work += dot(c.numbers.slip - dot(c.numbers.normal, c.numbers.slip) * c.numbers.normal, f);
      if (c.kind == ContactKind::vertex_plane) plane -= f;
    }
    EXPECT_LT(size(all - plane), 1e-13 * size(plane));
    EXPECT_LT(upper.z, -1);
    EXPECT_LT(sums.friction_work, 0);
    EXPECT_NEAR(sums.friction_work, work, 1e-14);
    EXPECT_EQ(without.scene.rule.friction, 0);
    EXPECT_NEAR(add_contact_terms(without.problem, without.x, ThreadPool::caller(), {}).friction_work, 0, 1e-15);
    EXPECT_GT(sums.counts.touching, 20);
    EXPECT_EQ(sums.counts.penetrating, 0);
  }
}

// Its derivative is the force of friction with lambda and directions as they were found.
TEST(ContactTerms, MeritOfFrictionHasItsForceAsDerivative) {
  Random random(3);
  const Stack stack(0.4, random);
  std::vector<Contact> contacts;
  stack.contacts->find(stack.x, ThreadPool::caller(), contacts, nullptr);
  std::vector<Vec3d> direction(stack.x.size());
  for (Vec3d& d : direction) d = random.vector();
  double expected = 0, scale = 0;
  for (const Contact& c : contacts) {
    const Vec3d f = contact_force(c.numbers, Vec3d{}).force;
    const Vec3d across = f - dot(c.numbers.normal, f) * c.numbers.normal;
    for (size_t j = 0; j < 4; ++j)
      if (c.slots[j] >= 0) expected -= c.numbers.weights[j] * dot(across, direction[static_cast<size_t>(c.slots[j])]);
    scale += size(across);
  }
  const auto merit = [&](double t) {
    std::vector<Vec3d> at = stack.x;
    for (size_t s = 0; s < at.size(); ++s) at[s] += t * direction[s];
    return friction_merit(contacts, at, stack.x);
  };
  EXPECT_GT(merit(0), 0);
  EXPECT_NEAR(support::derivative(merit, 1e-6), expected, 1e-6 * scale);
}

}  // namespace
}  // namespace sinew
