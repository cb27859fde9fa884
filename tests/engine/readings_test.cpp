// Sources: closed forms of homogeneous states (linear elasticity: sigma = 2 mu e + lambda tr(e) 1; energies of free
// fall); the promises of sinew/simulation.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "scene/material_values.h"
#include "sinew/simulation.h"
#include "support/box_scene.h"
#include "support/grid_cube.h"
#include "support/simulated.h"

namespace sinew {
namespace {

constexpr double stretch = 1.1;

// A block of 1 m, stretched along x before it is let go.
Scene stretched_block() {
  Scene scene = box_scene(3);
  scene.materials[0].model = "linear";
  scene.objects[0].stretch = {stretch, 1, 1};
  return scene;
}
template <class Real>
std::vector<Real> read(const Simulation& s, ElementQuantity quantity) {
  std::vector<Real> values(s.tets().size() * static_cast<size_t>(components_of(quantity)));
  const Status status = s.read_elements(quantity, std::span<Real>(values));
  EXPECT_TRUE(status.ok());
  return values;
}

TEST(Readings, MiddlesOfQuadraticTets) {
  Scene scene = box_scene(1);
  EXPECT_TRUE(simulation_of(scene).middles().empty());
  scene.objects[0].quadratic = true;
  const Simulation s = simulation_of(scene);
  const auto tets = s.tets();
  const auto middles = s.middles();
  const std::vector<Real3> x = s.rest_positions();
  constexpr int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  ASSERT_EQ(middles.size(), tets.size());
  for (size_t e = 0; e < tets.size(); ++e)
    for (size_t k = 0; k < 6; ++k)
      for (size_t axis = 0; axis < 3; ++axis)
        EXPECT_DOUBLE_EQ(x[middles[e][k]][axis], (x[tets[e][ends[k][0]]][axis] + x[tets[e][ends[k][1]]][axis]) / 2);
}

TEST(Readings, ElementsOfAHomogeneousState) {
  const Scene scene = stretched_block();
  const Simulation s = simulation_of(scene, 2);
  const Lame lame = elastic_material(scene.materials[0]).lame;
  const double e = stretch - 1, along = (2 * lame.mu + lame.lambda) * e, across = lame.lambda * e;
  const double density = (2 * lame.mu + lame.lambda) * e * e / 2;
  const auto expect = [&](ElementQuantity quantity, const std::vector<double>& wanted, double scale) {
    const std::vector<double> values = read<double>(s, quantity);
    const std::vector<float> single = read<float>(s, quantity);
    for (size_t k = 0; k < values.size(); ++k) {
      EXPECT_NEAR(values[k], wanted[k % wanted.size()], 1e-9 * scale);
      EXPECT_EQ(single[k], static_cast<float>(values[k]));
    }
  };
  expect(ElementQuantity::det_f, {stretch}, 1);
  expect(ElementQuantity::strain, {e}, 1e2);  // its square root is good to 1e-8
  expect(ElementQuantity::energy_density, {density}, density);
  expect(ElementQuantity::von_mises, {2 * lame.mu * e}, along);
  expect(ElementQuantity::principal_stress, {along, across, across}, along);
  expect(ElementQuantity::stress, {along, across, across, 0, 0, 0}, along);
  std::vector<double> few(3);
  const Status refused = s.read_elements(ElementQuantity::stress, std::span(few));
  ASSERT_FALSE(refused.ok());
  EXPECT_HAS(refused.error().message(), "3 numbers where there are");

  const Energies energies = s.energies();
  EXPECT_NEAR(energies.elastic, density, 1e-9 * density);  // of 1 m^3
  EXPECT_EQ(energies.kinetic, 0);
  EXPECT_EQ(energies.ties, 0);
}

// In the order of the user's tets: one cell of a row is stretched by a pin that moves.
TEST(Readings, ElementsAreInTheUsersOrder) {
  Scene scene = box_scene(3);
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
  scene.solver.type = "newton";
  Simulation s = simulation_of(scene);
  take(s, 5);
  const std::vector<double> det_f = read<double>(s, ElementQuantity::det_f);
  const std::vector<Real3> x = s.positions(), rest = s.rest_positions();
  const auto volume = [&](const std::vector<Real3>& p, const std::array<int32_t, 4>& t) {
    Vec3d edges[3];
    for (size_t k = 0; k < 3; ++k) {
      const Real3 &a = p[static_cast<size_t>(t[k + 1])], &b = p[static_cast<size_t>(t[0])];
      edges[k] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    }
    return dot(edges[0], cross(edges[1], edges[2]));
  };
  const auto tets = s.tets();
  double spread = 0;
  for (size_t k = 0; k < tets.size(); ++k) {
    EXPECT_NEAR(det_f[k], volume(x, tets[k]) / volume(rest, tets[k]), 1e-12);
    spread = std::max(spread, std::abs(det_f[k] - det_f[0]));
  }
  EXPECT_GT(spread, 1e-5);
}

TEST(Readings, EnergiesOfFreeFall) {
  Scene scene = box_scene(2);
  scene.gravity = {0, -10, 0};
  scene.solver.type = "newton";
  scene.time.frame_dt = 0.01;
  Simulation s = simulation_of(scene);
  take(s, 8);
  const double speed = 8 * 0.01 * 10, down = 0.01 * 0.01 * 10 * 36;
  EXPECT_NEAR(s.energies().kinetic, 1000 * speed * speed / 2, 1e-6);
  EXPECT_NEAR(s.energies().gravity, -1000 * 10 * down, 1e-6);
  EXPECT_NEAR(s.energies().elastic, 0, 1e-9);
  EXPECT_EQ(s.energies().loads, 0);
  // A constant force does work as weight does.
  std::vector<int32_t> all;
  for (int32_t v = 0; v < s.vertex_count(); ++v) all.push_back(v);
  ASSERT_TRUE(s.add_force(all, {0, -500, 0}).ok());
  take(s, 1);
  EXPECT_NEAR(s.energies().loads, s.energies().gravity / 20, 1e-6);
}

// A spring of 1 m at 1.5 m holds k/2 0.5^2; and the kinds add up to the objective of an equilibrium that nothing has
// moved in yet.
TEST(Readings, EnergyOfSprings) {
  Scene scene;
  scene.gravity = {0, 0, 0};
  SceneObject chain;
  chain.name = "chain";
  chain.mesh = MeshChain{.links = 1, .spacing = 1, .end_mass = {}, .stiffness = 800, .far_stiffness = {}};
  chain.stretch = {1.5, 1, 1};
  scene.objects = {chain};
  const Simulation s = simulation_of(scene);
  EXPECT_NEAR(s.energies().ties, 100, 1e-9);
  EXPECT_EQ(s.energies().elastic, 0);
}

TEST(Readings, ProbesAndReactions) {
  Scene scene = box_scene(2);
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
  scene.probes = {{"corner", "block", SelectSphere{{0, 0, 0}, 0.1}}, {"all", "block", SelectAll{}}};
  Simulation s = simulation_of(scene);
  take(s, 3);
  ASSERT_EQ(s.probes(), (std::vector<std::string>{"corner", "all"}));
  std::vector<double> places(6);
  ASSERT_TRUE(s.read_probes(std::span(places)).ok());
  const std::vector<Real3> x = s.positions(), rest = s.rest_positions();
  Real3 mean{};
  for (size_t v = 0; v < x.size(); ++v) {
    for (size_t c = 0; c < 3; ++c) mean[c] += x[v][c] / static_cast<double>(x.size());
    for (size_t c = 0; c < 3 && rest[v] == Real3{0, 0, 0}; ++c) EXPECT_EQ(places[c], x[v][c]);
  }
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(places[3 + c], mean[c], 1e-12);
  std::vector<float> forces(3 * x.size()), few(2);
  ASSERT_TRUE(s.read_reactions(std::span(forces)).ok());
  double up = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    for (size_t c = 0; c < 3; ++c) EXPECT_EQ(forces[3 * v + c], static_cast<float>(s.reactions()[v][c]));
    up += s.reactions()[v][1];
  }
  EXPECT_GT(up, 100);
  EXPECT_FALSE(s.read_probes(std::span(few)).ok());
  EXPECT_FALSE(s.read_reactions(std::span(few)).ok());
}

TEST(Readings, SkinsAreCarried) {
  const TemporaryFile file("skin.obj", "v 0.2 0.5 0.5\nv 0.8 0.5 0.5\nv 0.5 0.9 0.5\nf 1 2 3\n");
  Scene scene = stretched_block();
  scene.base_folder = file.folder();
  scene.objects[0].skin = file.name();
  scene.objects[0].copies = {{2, 1, 1}, {3, 0, 0}};
  const Simulation s = simulation_of(scene);
  ASSERT_EQ(s.skin_point_count(0).value(), 6);
  EXPECT_EQ(s.skin_triangles(0).value(), (std::vector<std::array<int32_t, 3>>{{0, 1, 2}, {3, 4, 5}}));
  std::vector<double> xyz(18), few(9);
  ASSERT_TRUE(s.read_skin(0, std::span(xyz)).ok());
  const double x[] = {0.2, 0.8, 0.5, 3.2, 3.8, 3.5};
  for (size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(xyz[3 * k], stretch * x[k], 1e-12);
    EXPECT_NEAR(xyz[3 * k + 1], k % 3 == 2 ? 0.9 : 0.5, 1e-12);
  }
  EXPECT_FALSE(s.read_skin(0, std::span(few)).ok());
  EXPECT_FALSE(s.read_skin(1, std::span(few)).ok());
  const Simulation bare = simulation_of(box_scene(2));
  const Result<int32_t> none = bare.skin_point_count(0);
  ASSERT_FALSE(none.ok());
  EXPECT_HAS(none.error().message(), "has no skin");
}

// On a grid a skin goes where the vertices go that nodes carry: exactly in affine motions, and by the weights of its
// points in their tets where a body is pressed.
TEST(Readings, SkinsFollowBodiesOnAGrid) {
  const std::vector<Vec3d> rest{{0.05, 0.12, 0.2}, {0.33, 0.05, 0.2}, {0.2, 0.31, 0.37}};
  const TemporaryFile file("skin.obj", "v 0.05 0.12 0.2\nv 0.33 0.05 0.2\nv 0.2 0.31 0.37\nf 1 2 3\n");
  Scene scene = cube_on_grid({0, 0, 0});
  scene.solver.options.set("precision", std::string("double"));
  scene.gravity = {0, 0, 0};
  scene.objects[0].velocity = {0.7, -0.4, 1.1};
  scene.base_folder = file.folder();
  scene.objects[0].skin = file.name();
  Simulation s = simulation_of(scene, 2);
  const auto expect_at = [&](const auto& place, double error) {
    std::vector<double> xyz(9);
    ASSERT_TRUE(s.read_skin(0, std::span(xyz)).ok());
    for (size_t k = 0; k < 3; ++k) {
      const Vec3d at = place(rest[k]);
      EXPECT_NEAR(xyz[3 * k], at.x, error);
      EXPECT_NEAR(xyz[3 * k + 1], at.y, error);
      EXPECT_NEAR(xyz[3 * k + 2], at.z, error);
    }
  };
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(s.step().ok());
  expect_at([](Vec3d x) { return x + 0.1 * Vec3d{0.7, -0.4, 1.1}; }, 1e-12);

  const Mat3d a{{1.1, 0.2, 0}, {-0.1, 0.9, 0.3}, {0, 0.1, 1.2}};
  const auto affine = [&](Vec3d x) { return a * x + Vec3d{0.3, 2, -1}; };
  const std::vector<Real3> before = s.rest_positions();
  std::vector<Real3> moved;
  for (const Real3& x : before) {
    const Vec3d to = affine({x[0], x[1], x[2]});
    moved.push_back({to.x, to.y, to.z});
  }
  ASSERT_TRUE(s.set_state(moved, std::vector<Real3>(moved.size(), Real3{})).ok());
  expect_at(affine, 1e-12);

  // It springs back.
  for (int step = 0; step < 5; ++step) ASSERT_TRUE(s.step().ok());
  const std::vector<Real3> now = s.positions();
  const auto in_its_tet = [&](Vec3d x) {
    for (const std::array<int32_t, 4>& t : s.tets()) {
      const auto at = [&](const std::vector<Real3>& of, size_t k) {
        const Real3& p = of[static_cast<size_t>(t[k])];
        return Vec3d{p[0], p[1], p[2]};
      };
      const Vec3d o = at(before, 0), p = at(before, 1) - o, q = at(before, 2) - o, r = at(before, 3) - o, d = x - o;
      const double volume = dot(p, cross(q, r)), wp = dot(d, cross(q, r)) / volume, wq = dot(p, cross(d, r)) / volume,
                   wr = dot(p, cross(q, d)) / volume;
      if (std::min({wp, wq, wr, 1 - wp - wq - wr}) < -1e-9) continue;
      return (1 - wp - wq - wr) * at(now, 0) + wp * at(now, 1) + wq * at(now, 2) + wr * at(now, 3);
    }
    return Vec3d{};
  };
  expect_at(in_its_tet, 1e-12);
}

}  // namespace
}  // namespace sinew
