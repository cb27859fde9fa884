// Source: the rules at the head of contact/find_contacts.h; what the energy of contact of edges must be: continuous and
// never negative. One rigid mesh slides over another.
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

// One rigid mesh over another.
struct Slide {
  const char* name;
  Touching scene;
  int32_t moving_points = 0;  // those of the upper mesh come first
  Vec3d way{};
  double length = 0;
};

using Height = double (*)(double, double);

// The upper mesh turned by `angle` and shifted, over the lower one. Heights are of (x, z), y is up.
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

// A wedge, a tip and a roof over bumpy meshes, in steps of 1e-4.
TEST(FindContacts, EdgeEnergyNeverJumpsAndIsNeverNegative) {
  Random random(3);
  const int paths = std::getenv("SINEW_CONTACT_EDGE_PATHS") ? std::atoi(std::getenv("SINEW_CONTACT_EDGE_PATHS")) : 200;
  constexpr int steps = 250;
  constexpr double step = 1e-4;
  double worst = 0, least = 0;
  int64_t seen = 0;
  for (int path = 0; path < paths; ++path) {
    Touching scene;
    scene.rule = rule_of();
    const int32_t upper = scene.add_body(true), lower = scene.add_body(true);
    const double steep = random.between(0.1, 1), turn = random.between(0, 3), bump = random.between(0.05, 0.6);
    const Vec3d shift = {random.between(-0.5, 0.5), 0, random.between(-0.5, 0.5)};
    scene.add_grid(
        upper, 2, 2, true,
        [&](int i, int j) {
          const Vec3d p{i - 1.0, steep * std::abs(i - 1.0) + 0.1 * random.between(-1, 1), j - 1.0};
          return rotated({0, 1, 0}, turn, p) + shift;
        },
        [&](int, int) { return random.below(2) == 0; });
    const auto moving = static_cast<size_t>(scene.surface.point_count());
    scene.add_grid(
        lower, 6, 6, false,
        [&](int i, int j) {
          return Vec3d{i - 3.0, bump * random.between(-1, 0), j - 3.0};
        },
        [&](int, int) { return random.below(2) == 0; });
    scene.finish();
    // Down to where the two are half a radius apart.
    const auto gap = [&] {
      ContactCounts counts;
      scene.find_pairs(4 * radius);
      scene.contacts(&counts);
      return counts.smallest_gap;
    };
    for (size_t p = 0; p < moving; ++p) scene.x[p].y += 1.5;
    for (int k = 0; k < 400 && !(gap() < 0.6 * radius); ++k)
      for (size_t p = 0; p < moving; ++p) scene.x[p].y -= 0.1 * radius;
    const Vec3d direction = random.vector();
    const Vec3d way = (step / size(direction)) * Vec3d{direction.x, 0.2 * direction.y, direction.z};
    std::vector<Vec3d> end = scene.x;
    for (size_t p = 0; p < moving; ++p) end[p] += double(steps) * way;
    scene.find_pairs(2 * radius, end);
    double last = 0;
    Vec3d last_force{};
    for (int k = 0; k <= steps; ++k) {
      double energy = 0;
      Vec3d force{};
      bool crosses = false;
      for (const Contact& c : scene.contacts()) {
        crosses = crosses || c.numbers.distance < 0.02 * radius;
        if (c.kind != ContactKind::edge_edge) continue;
        energy += contact_energy(c.numbers, Vec3d{});
        const Vec3d on = contact_force(c.numbers, Vec3d{}).force;
        for (size_t j = 0; j < 4; ++j)
          if (c.slots[j] >= 0 && static_cast<size_t>(c.slots[j]) < moving) force += c.numbers.weights[j] * on;
        ++seen;
      }
      if (crosses) break;
      least = std::min(least, energy);
      if (k > 0)
        worst = std::max(worst, std::abs(energy - last + 0.5 * dot(force + last_force, way)) /
                                    std::max({energy, last, 1e-2 * phi(scene.rule, 0.6 * radius)}));
      last = energy;
      last_force = force;
      for (size_t p = 0; p < moving; ++p) scene.x[p] += way;
    }
  }
  std::printf("paths %d x %d steps: edge part: largest jump %.2g of itself, smallest energy %.3g, contacts %ld\n",
              paths, steps, worst, least, static_cast<long>(seen));
  EXPECT_LT(worst, 0.1);
  EXPECT_GE(least, 0);
  EXPECT_GT(seen, 100 * paths);
}

}  // namespace
}  // namespace sinew
