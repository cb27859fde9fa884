// Source: the rules at the head of contact/find_contacts.h; what the energy of contact of vertices must be: continuous,
// independent of the tessellation, never negative.
#include "contact/find_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "contact/touching_case.h"

namespace sinew {
namespace {

using namespace touching_support;

// A vertex above a plane has one phi of its height, on whatever triangles the plane is cut into.
TEST(FindContacts, CountAFlatMeshOnce) {
  Random random(1);
  double worst = 0;
  for (int mesh = 0; mesh < 20; ++mesh) {
    const double most = mesh % 2 ? 0.24 : 0.05;
    Field field(
        6, 200, [](Random&, double, double) { return 0.0; }, [&](Random& r) { return r.between(-most, most); }, random);
    std::vector<Vec3d>& x = field.scene.x;
    const auto corner = [&] { return x[static_cast<size_t>(200 + 7 * (1 + random.below(5)) + 1 + random.below(5))]; };
    for (size_t k = 0; k < 200; ++k) {
      x[k] = {random.between(1, 5), random.between(1, 5), 0};
      if (k % 4 == 1) x[k] = corner();  // at and near corners
      if (k % 4 == 2) x[k] = corner() + 0.05 * random.vector();
      x[k].x = std::clamp(x[k].x, 0.5, 5.5);
      x[k].y = std::clamp(x[k].y, 0.5, 5.5);
      x[k].z = random.between(0.001, 1.1) * radius;
    }
    field.scene.find_pairs(2 * radius);
    const std::vector<double> energy = field.energies();
    const std::vector<Vec3d> force = field.forces();
    for (size_t k = 0; k < 200; ++k) {
      const double expected = phi(field.scene.rule, x[k].z), up = -slope_of_phi(field.scene.rule, x[k].z);
      const double scale = phi(field.scene.rule, 0.5 * radius);
      worst = std::max({worst, std::abs(energy[k] - expected) / (expected + 1e-3 * scale),
                        size(force[k] - Vec3d{0, 0, up}) / (up + 1e-3 * radius)});
    }
  }
  EXPECT_LT(worst, 1e-9);  // round-off where feet are near corners; the claim is 1e-6
}

// Paths over bumps of up to 20 % of an edge, and over deep ones.
TEST(FindContacts, VertexEnergyNeverJumpsAndIsNeverNegative) {
  Random random(2);
  const int paths = std::getenv("SINEW_CONTACT_PATHS") ? std::atoi(std::getenv("SINEW_CONTACT_PATHS")) : 1000;
  const int steps = std::getenv("SINEW_CONTACT_STEPS") ? std::atoi(std::getenv("SINEW_CONTACT_STEPS")) : 300;
  constexpr int together = 250;
  constexpr double step = 1e-4;
  double worst = 0, least = 0;
  int negative_shares = 0;
  for (int batch = 0; batch * together < paths; ++batch) {
    const double bump = batch % 4 == 0 ? 0.05 : batch % 4 == 1 ? 0.2 : batch % 4 == 2 ? 0.4 : 0.1;
    Field field(
        7, together, [&](Random& r, double, double) { return bump * r.between(-0.5, 0.5); },
        [&](Random& r) { return r.between(-0.25, 0.25); }, random);
    std::vector<Vec3d>& x = field.scene.x;
    std::vector<Vec3d> way(together), end = x;
    for (size_t k = 0; k < together; ++k) {
      Vec3d p{random.between(1.5, 5.5), random.between(1.5, 5.5), 0};
      if (k % 2)
        p = x[together + 8 * (2 + static_cast<size_t>(random.below(4))) + 2 + static_cast<size_t>(random.below(4))] +
            0.03 * random.vector();
      p.z = field.ground(p.x, p.y) + random.between(0.2, 0.9) * radius;
      x[k] = p;
      Vec3d d = random.vector();
      d.z *= 0.2;
      way[k] = (step / size(d)) * d;
      end[k] = p + double(steps) * way[k];
    }
    field.scene.find_pairs(2 * radius, end);
    std::vector<double> last = field.energies();
    std::vector<Vec3d> last_force = field.forces();
    for (int s = 0; s < steps; ++s) {
      for (size_t k = 0; k < together; ++k) x[k] += way[k];
      std::vector<double> energy(together, 0);
      std::vector<Vec3d> force(together, Vec3d{});
      std::vector<int> crossed(together, 0);
      for (const Contact& c : field.scene.contacts()) {
        if (c.kind != ContactKind::vertex_triangle || c.first >= together) continue;
        const auto k = static_cast<size_t>(c.first);
        energy[k] += contact_energy(c.numbers, Vec3d{});
        force[k] += contact_force(c.numbers, Vec3d{}).force;
        negative_shares += c.numbers.share < 0;
        crossed[k] = c.numbers.distance < 0.05 * radius;
      }
      for (size_t k = 0; k < together; ++k) {
        least = std::min(least, energy[k]);
        // What the force says of the change is no jump.
        const double smooth = -0.5 * dot(force[k] + last_force[k], way[k]);
        const double jump = std::abs(energy[k] - last[k] - smooth) /
                            std::max({energy[k], last[k], 1e-3 * phi(field.scene.rule, 0.5 * radius)});
        if (!crossed[k]) worst = std::max(worst, jump);
        last[k] = energy[k];
        last_force[k] = force[k];
      }
    }
  }
  std::printf("paths %d x %d steps: largest jump %.2g of itself, smallest energy %.3g, negative shares %d\n", paths,
              steps, worst, least, negative_shares);
  EXPECT_LT(worst, 0.01);
  EXPECT_GE(least, 0);
  EXPECT_GT(negative_shares, 100);  // concave edges were met
}

}  // namespace
}  // namespace sinew
