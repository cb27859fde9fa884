// Sources: step/load_script.h; the force of a uniform pressure, which is -p times the area vector of an open surface
// and 0 on a closed one; the drag of a ball, rho/2 C_D pi r^2 |w| w.
#include "step/load_script.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh/generators.h"
#include "mesh/topology.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

Vec3d sum_of(const std::vector<Vec3d>& forces) {
  Vec3d sum{};
  for (const Vec3d& f : forces) sum += f;
  return sum;
}
void expect_near(Vec3d a, Vec3d b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

// A surface whose vertices are the slots.
struct Shell {
  std::vector<Vec3d> x, v;
  std::vector<double> mass;
  std::vector<Face> faces;
  std::vector<uint8_t> is_middle{};

  std::vector<Vec3d> under(const LoadScript& load, double time = 0, double h = 0) const {
    std::vector<Vec3d> force(x.size());
    add_loads(std::span(&load, 1), {time, h, x, v, mass, is_middle}, force);
    return force;
  }
};
Shell shell_of(const TetMesh& mesh) {
  Shell s{mesh.vertices, std::vector<Vec3d>(mesh.vertices.size()), std::vector<double>(mesh.vertices.size(), 1e9), {}};
  for (const Triangle& t : extract_boundary(mesh).triangles) s.faces.push_back(t);
  return s;
}
// 1 m^2 in the plane z = 0, seen from above.
Shell square() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, std::vector<Vec3d>(4), {1, 1, 1, 1}, {{0, 1, 2}, {0, 2, 3}}};
}

TEST(LoadScript, AForceFollowsItsFactorOverTime) {
  Shell s = square();
  LoadScript load;
  load.load = ForceLoad{{1, 3}, {{2, 0, 0}, {0, 4, -6}}};
  load.factor = {{1, 2}, {0.5, 1.5}};
  for (const auto& [time, factor] : {std::pair{0.0, 0.5}, {1.5, 1.0}, {3.0, 1.5}}) {
    const std::vector<Vec3d> f = s.under(load, time);
    expect_near(f[0], {}, 0);
    expect_near(f[1], {2 * factor, 0, 0}, 1e-15);
    expect_near(f[3], {0, 4 * factor, -6 * factor}, 1e-15);
  }
}

// A face of quadratic tets, 2 m^2, as four triangles.
TEST(LoadScript, PressureAndWindOnAQuadraticFaceActOnItsMiddles) {
  Shell s{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
          std::vector<Vec3d>(6),
          std::vector<double>(6, 1e9),
          {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}},
          {0, 0, 0, 1, 1, 1}};
  const std::vector<Vec3d> pressed = s.under({PressureLoad{s.faces, 6}});
  const std::vector<Vec3d> blown = s.under({WindLoad{.faces = s.faces, .velocity = {0, 0, -2}, .density = 3}});
  for (size_t k = 0; k < 6; ++k) {
    expect_near(pressed[k], {0, 0, k < 3 ? 0 : -4.0}, 1e-14);
    expect_near(blown[k], {0, 0, k < 3 ? 0 : -4.0}, 1e-14);
  }
}

TEST(LoadScript, PressurePushesAgainstTheOutsideAndTurnsWithIt) {
  Shell s = square();
  const LoadScript load{PressureLoad{s.faces, 5}};
  expect_near(sum_of(s.under(load)), {0, 0, -5}, 1e-14);
  // Upright and twice as wide, it faces -y.
  for (Vec3d& p : s.x) p = {2 * p.x, 0, p.y};
  expect_near(sum_of(s.under(load)), {0, 10, 0}, 1e-14);
}

TEST(LoadScript, PressureAllAroundHasNeitherASumNorATorque) {
  Shell s = shell_of(*make_box({.cells = {2, 3, 4}, .size = {1, 2, 3}}));
  for (Vec3d& p : s.x) p = p + Vec3d{0.3 * p.y * p.z, 0.1 * p.x * p.x, std::sin(p.y)};
  const std::vector<Vec3d> f = s.under(LoadScript{PressureLoad{s.faces, 1e5}});
  Vec3d torque{};
  for (size_t v = 0; v < f.size(); ++v) torque += cross(s.x[v], f[v]);
  expect_near(sum_of(f), {}, 1e-8);
  expect_near(torque, {}, 1e-8);
}

TEST(LoadScript, WindOnASolidIsTheDragOfItsFront) {
  const double r = 0.5;
  const Shell s = shell_of(*make_ball({.radius = r, .shells = 16}));
  const Vec3d w{3, -4, 12};
  const std::vector<Vec3d> f =
      s.under(LoadScript{WindLoad{.faces = s.faces, .velocity = w, .density = 1.2, .drag = 0.5}});
  const double size = 1.2 / 2 * 0.5 * pi * r * r * 13;
  expect_near(sum_of(f), size * w, 0.02 * size * 13);
}

TEST(LoadScript, WindOnASheetIsDragAndLiftOfEitherSide) {
  // At 30 degrees to the wind: the projected area has the factor sin 30, and the lift sin 30 cos 30.
  Shell s = square();
  for (Vec3d& p : s.x) p = {p.x * std::cos(pi / 6), p.y, -p.x * std::sin(pi / 6)};
  for (const double side : {1.0, -1.0}) {
    WindLoad wind{.faces = s.faces, .velocity = {side * 10, 0, 0}, .density = 2, .drag = 0.8, .lift = 0.3};
    wind.both_sides = true;
    const double flow = 100 * std::sin(pi / 6);
    expect_near(sum_of(s.under(LoadScript{wind})), {side * 0.8 * flow, 0, side * 0.3 * flow * std::cos(pi / 6)}, 1e-12);
  }
}

TEST(LoadScript, WindSeesTheMotionOfTheSurface) {
  Shell s = square();
  WindLoad wind{.faces = s.faces, .velocity = {0, 0, 3}};
  wind.both_sides = true;
  for (Vec3d& v : s.v) v = {0, 0, 3};
  expect_near(sum_of(s.under(LoadScript{wind})), {}, 0);
  for (Vec3d& v : s.v) v = {0, 0, 8};
  expect_near(sum_of(s.under(LoadScript{wind})), {0, 0, -1.2 / 2 * 25}, 1e-13);
}

TEST(LoadScript, WindBringsALightSheetToItsOwnSpeedAndNotBeyond) {
  Shell s = square();
  WindLoad wind{.faces = s.faces, .velocity = {0, 0, 20}};
  wind.both_sides = true;
  const double h = 0.1;
  for (const double mass : {1e-3, 0.05, 10.0}) {
    s.mass.assign(4, mass);
    for (int step = 0; step < 20; ++step) {
      const std::vector<Vec3d> f = s.under(LoadScript{wind}, 0, h);
      for (size_t v = 0; v < 4; ++v) {
        s.v[v] += (h / mass) * f[v];
        EXPECT_LE(s.v[v].z, 20 * (1 + 1e-12));
      }
    }
    s.v.assign(4, Vec3d{});
    // From rest, a heavy sheet receives the whole force, a light one what accelerates it to 20 m/s.
    const double pushed = sum_of(s.under(LoadScript{wind}, 0, h)).z;
    EXPECT_NEAR(pushed, mass == 10 ? 1.2 / 2 * 400 : 4 * mass * 20 / h, 1e-9);
  }
}

}  // namespace
}  // namespace sinew
