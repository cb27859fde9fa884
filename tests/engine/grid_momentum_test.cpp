// Source: Jiang et al. 2015 (APIC), sections 5.3 and 5.4: transfers conserve momentum, and angular momentum with that
// of the affine parts B_p. Within a step impulses act along gradients that turn: 1e-3 in 20 steps in oracle_grid.py, an
// independent implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/engine.h"
#include "math/length.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

Scene free_block(const char* solver, const char* precision) {
  Scene scene = box_scene(3);
  scene.materials.resize(1);
  scene.materials[0].model = "fixed_corotated";
  scene.materials[0].set("youngs_modulus", 1000);
  scene.materials[0].set("poisson_ratio", 0.3);
  scene.materials[0].density = 10;
  scene.time.frame_dt = 0.01;
  scene.time.duration = 10;
  scene.objects[0].transform.translate = {3.1, 3.1, 3.1};
  scene.grid = GridSettings{.spacing = 1 / 3.0};
  scene.solver.type = solver;
  scene.solver.options.set("iterations", 10);
  scene.solver.options.set("precision", std::string(precision));
  return scene;
}

// It moves along x and spins about an axis across it.
void spin(Simulation& s) {
  const Vec3d turns{0, 1, 2}, middle{3.6, 3.6, 3.6};
  std::vector<Real3> v;
  for (const Real3& x : s.positions()) {
    const Vec3d at = Vec3d{0.5, 0, 0} + cross(turns, Vec3d{x[0], x[1], x[2]} - middle);
    v.push_back({at.x, at.y, at.z});
  }
  ASSERT_TRUE(s.set_state(s.positions(), v).ok());
}

struct Momenta {
  Vec3d linear{}, angular{};
};
Momenta momenta_of(const Simulation& s) {
  const Engine& engine = engine_of(s);
  const Model& model = engine.compiled.model;
  Momenta sum;
  for (size_t row = 0; row < model.grid.slots.size(); ++row) {
    const auto slot = static_cast<size_t>(model.grid.slots[row]);
    const Mat3d& b = engine.state().affine[row];
    const Vec3d of_affine{b.c1.z - b.c2.y, b.c2.x - b.c0.z, b.c0.y - b.c1.x};
    sum.linear += model.mass[slot] * engine.state().v[slot];
    sum.angular += model.mass[slot] * (cross(engine.state().x[slot], engine.state().v[slot]) + of_affine);
  }
  return sum;
}

TEST(GridMomentum, OfABodyThatSpinsAndDeformsIsKept) {
  for (const char* solver : {"xpbd", "b_pxpbd"}) {
    Scene scene = free_block(solver, "double");
    Simulation s = simulation_of(scene);
    spin(s);
    const Momenta before = momenta_of(s);
    double drift = 0;
    for (int step = 1; step <= 200; ++step) {
      take(s, 1);
      const Momenta now = momenta_of(s);
      EXPECT_LT(length(now.linear - before.linear), 1e-10 * length(before.linear)) << solver << " " << step;
      drift = std::max(drift, length(now.angular - before.angular) / length(before.angular));
      if (step == 20) {
        EXPECT_LT(drift, 1e-3) << solver;
      }
    }
    EXPECT_LT(drift, 1e-2) << solver;  // 8.4e-3
  }
}

// Nodes have positions, and these are rounded.
TEST(GridMomentum, IsKeptInSinglePrecisionToTheRoundingOfPositions) {
  Simulation s = simulation_of(free_block("b_pxpbd", "single"));
  spin(s);
  const Momenta before = momenta_of(s);
  const int steps = 50;
  take(s, steps);
  const double place = 4, mass = 10, rounding = std::ldexp(1, -23) * place / s.step_size();  // [m/s] of a step
  EXPECT_LT(length(momenta_of(s).linear - before.linear), steps * rounding * mass);
}

// Backward Euler dissipates, and transfers do.
TEST(GridMomentum, EnergyNeverExceedsThatOfTheStart) {
  for (const char* solver : {"xpbd", "b_pxpbd"}) {
    for (const double stretch : {1.0, 1.2}) {
      Scene scene = free_block(solver, "double");
      scene.objects[0].transform.translate = {0, 0, 0};
      scene.objects[0].stretch = {stretch, 1, 1};
      scene.gravity = {0, -9.8, 0};
      SceneCollider floor;
      floor.name = "floor";
      floor.shape = ColliderHalfSpace{{0, -0.6, 0}, {0, 1, 0}};
      scene.colliders = {floor};
      Simulation s = simulation_of(scene);
      const auto total = [&] {
        const Energies e = s.energies();
        return e.kinetic + e.elastic + e.gravity;
      };
      const double start = total();
      double largest = std::abs(start), most = start;
      for (int step = 0; step < 200; ++step) {
        take(s, 1);
        const Energies e = s.energies();
        largest = std::max({largest, e.kinetic, e.elastic, std::abs(e.gravity)});
        most = std::max(most, total());
      }
      EXPECT_LE(most - start, 1e-3 * largest) << solver << " " << stretch;
    }
  }
}

}  // namespace
}  // namespace sinew
