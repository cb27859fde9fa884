// Source: the rules at the head of contact/find_contacts.h; the properties that CONTACT's energy must have (continuous,
// independent of the tessellation, never negative), Chen et al. 2025 (Offset Geometric Contact) for the law.
#include "contact/find_contacts.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>

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

// --- Boxes.

auto box_map(Vec3d low, Vec3d high) {
  return [=](double u, double v, double w) {
    return Vec3d{low.x + u * (high.x - low.x), low.y + v * (high.y - low.y), low.z + w * (high.z - low.z)};
  };
}
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
  Random random(5);
  const Mat3d turn = random.rotation();
  // A corner points down, near an edge of the lower box.
  const Vec3d down = {0, 0, -1}, diagonal = (1 / std::sqrt(3.0)) * Vec3d{-1, -1, -1};
  const Vec3d axis = cross(diagonal, down);
  const double angle = std::atan2(size(axis), dot(diagonal, down));
  scene.add_box(upper, 1, 1, 1, [&](double u, double v, double w) {
    return rotated(axis, angle, {u, v, w}) + Vec3d{0.05, 0.5, -0.01};
  });
  (void)turn;
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

// --- Of its own body

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
        scene.crossings = crossings;
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

// --- Forces

// Two bumpy sheets of bodies, near each other and in places through each other, shaken since the start of the step.
Touching two_sheets(Random& random, bool closed, double mu, int cells = 5) {
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

// --- Slips and planes

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

// --- The same result, whatever threads and candidates

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
    scene.crossings = trial % 4 < 2;
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
