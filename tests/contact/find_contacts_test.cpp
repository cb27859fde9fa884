// Source: the rules at the head of contact/find_contacts.h; the properties that CONTACT's energy must have (continuous,
// independent of the tessellation, never negative), Chen et al. 2025 (Offset Geometric Contact) for the law.
#include "contact/find_contacts.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "support/random.h"
#include "support/touching.h"

namespace sinew {
namespace {

using support::phi;
using support::Random;
using support::size;
using support::slope_of_phi;
using support::Touching;

constexpr double radius = 0.15;

ContactRule rule_of(double stiffness = 1) {
  ContactRule rule;
  rule.radius = radius;
  rule.stiffness = stiffness;
  return rule;
}
ContactRule penalty_rule() {
  ContactRule rule = rule_of();
  rule.law = ContactLaw::penalty;
  rule.radius = 0;
  return rule;
}

bool either_way(int i, int j) {
  return ((i * 7 + j * 13) % 5) < 2;
}
Vec3d rotated(Vec3d axis, double angle, Vec3d p) {
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

// --- Slides: one rigid mesh over another, as in the design note's table.

struct Slide {
  const char* name;
  Touching scene;
  int32_t moving_points = 0;  // those of the upper mesh come first
  Vec3d way{};
  double length = 0;
};

using Height = double (*)(double, double);

// The upper mesh turned by `angle` and shifted, over the lower one. Heights are of (x, z), y is up, as in the note.
Slide slide_of(const char* name, int nx, int nz, Height lower, int mx, int mz, Height upper, double angle, Vec3d shift,
               Vec3d way, double length) {
  Slide s{name, {}, 0, (1 / size(way)) * way, length};
  s.scene.rule = rule_of();
  const int32_t a = s.scene.add_body(true), b = s.scene.add_body(true);
  const auto cut = [](int, int) { return true; };
  s.scene.add_grid(
      a, mx, mz, true,
      [&](int i, int j) {
        const Vec3d p{i - 0.5 * mx, upper(i - 0.5 * mx, j - 0.5 * mz), j - 0.5 * mz};
        return Vec3d{std::cos(angle) * p.x + std::sin(angle) * p.z, p.y,
                     -std::sin(angle) * p.x + std::cos(angle) * p.z} +
               shift;
      },
      cut);
  s.moving_points = s.scene.surface.point_count();
  s.scene.add_grid(
      b, nx, nz, false,
      [&](int i, int j) {
        return Vec3d{i - 0.5 * nx, lower(i - 0.5 * nx, j - 0.5 * nz), j - 0.5 * nz};
      },
      cut);
  s.scene.finish();
  return s;
}

double noise(int seed, double x, double z) {
  const double a = std::sin(12.9898 * x + 78.233 * z + seed) * 43758.5453;
  return a - std::floor(a) - 0.5;
}
double spike(double x, double z) {
  return std::fmod(std::abs(std::round(x)) + std::abs(std::round(z)), 2.0) < 0.5 ? 0.8 : 0.0;
}

std::vector<Slide> all_slides() {
  const Height roof = [](double x, double) { return -std::abs(x); },
               valley = [](double x, double) { return std::abs(x); };
  const Height low_roof = [](double x, double) { return -0.06 * std::abs(x); },
               low_valley = [](double x, double) { return 0.06 * std::abs(x); };
  const Height flat = [](double, double) { return 0.0; };
  constexpr double gap = 0.6 * radius;
  std::vector<Slide> slides;
  slides.push_back(slide_of("ridge on ridge", 2, 10, roof, 2, 10, valley, 1.2, {0.013, gap, 0.37}, {0, 0, 1}, 3));
  slides.push_back(slide_of("ridge, both slide", 2, 10, roof, 2, 10, valley, 1.2, {0.013, gap, 0.37}, {0.5, 0, 1}, 3));
  slides.push_back(
      slide_of("shallow roofs", 2, 10, low_roof, 2, 10, low_valley, 1.2, {0.013, gap, 0.37}, {0, 0, 1}, 3));
  slides.push_back(
      slide_of("ridges, nearly parallel", 2, 10, roof, 2, 10, valley, 0.02, {0.03, gap, 0.37}, {0.02, 0, 1}, 3));
  slides.push_back(slide_of("flat on flat", 6, 6, flat, 3, 3, flat, 0.35, {-0.6, gap, 0.1}, {1, 0, 0.31}, 2));
  slides.push_back(slide_of(
      "bumpy on bumpy", 7, 7, [](double x, double z) { return 0.15 * noise(1, x, z); }, 3, 3,
      [](double x, double z) { return 0.15 * noise(2, x, z); }, 0.35, {-1, 0.02 + 0.9 * radius, 0.1}, {1, 0, 0.31}, 2));
  slides.push_back(slide_of(
      "ridge over a comb", 12, 4, [](double x, double) { return -std::abs(x - 2 * std::round(x / 2)); }, 2, 6, valley,
      1.45, {-2, gap, 0.23}, {1, 0, 0}, 3));
  slides.push_back(slide_of(
      "spikes", 7, 7, [](double x, double z) { return spike(x - 0.5, z - 0.5) - 0.8 + 0.05 * noise(5, x, z); }, 3, 3,
      [](double x, double z) { return -spike(x - 0.5, z - 0.5) + 0.8 + 0.05 * noise(7, x, z); }, 0.3, {-1.3, 0.12, 0.2},
      {1, 0, 0.3}, 1.5));
  return slides;
}

TEST(FindContacts, ForcesOfASlideNeverJumpAndHardlyDrift) {
  const double step = 1e-3;
  const double share = std::getenv("SINEW_CONTACT_SLIDE") ? std::atof(std::getenv("SINEW_CONTACT_SLIDE")) : 0.5;
  for (Slide& slide : all_slides()) {
    Touching& scene = slide.scene;
    const std::vector<Vec3d> start = scene.x;
    std::vector<Vec3d> end = start;
    const int steps = static_cast<int>(share * slide.length / step);
    for (size_t p = 0; p < static_cast<size_t>(slide.moving_points); ++p) end[p] += (steps * step) * slide.way;
    scene.find_pairs(1.3 * radius, end);
    double mean = 0, jump = 0, work = 0, drift = 0, first_energy = 0, least = 0, edges = 0;
    Vec3d last{};
    for (int k = 0; k <= steps; ++k) {
      for (size_t p = 0; p < static_cast<size_t>(slide.moving_points); ++p)
        scene.x[p] = start[p] + (k * step) * slide.way;
      Vec3d force{};
      double energy = 0, edge_energy = 0;
      for (const Contact& c : scene.contacts()) {
        const Vec3d on = contact_force(c.numbers, Vec3d{}).force;
        for (size_t j = 0; j < 4; ++j)
          if (c.slots[j] >= 0 && c.slots[j] < slide.moving_points) force += c.numbers.weights[j] * on;
        const double e = contact_energy(c.numbers, Vec3d{});
        energy += e;
        if (c.kind == ContactKind::edge_edge) {
          edge_energy += e;
          EXPECT_GT(c.numbers.share, 0);
        }
        EXPECT_GE(c.numbers.distance, 0) << slide.name;
      }
      least = std::min({least, energy, edge_energy});
      edges = std::max(edges, edge_energy);
      mean += force.y / (steps + 1);
      if (k == 0) {
        first_energy = energy;
      } else {
        jump = std::max(jump, std::abs(force.y - last.y));
        work += 0.5 * step * dot(force + last, slide.way);
        drift = std::max(drift, std::abs(energy - first_energy + work));
      }
      last = force;
    }
    const double one = -slope_of_phi(scene.rule, 0.6 * radius);
    std::printf("%-24s mean force %6.2f of one contact, jump %.4f, drift %.4f; edge part up to %.2f phi\n", slide.name,
                mean / one, jump / mean, drift / mean, edges / phi(scene.rule, 0.6 * radius));
    EXPECT_GT(mean, 0.2 * one) << slide.name;
    EXPECT_LT(jump, 0.02 * mean) << slide.name;
    EXPECT_LT(drift, 0.03 * mean) << slide.name;
    EXPECT_GE(least, 0) << slide.name;
  }
}

}  // namespace
}  // namespace sinew
