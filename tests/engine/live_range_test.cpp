// Source: the ranges that scenes have (compile/check_range.cpp, +-1e18 for vectors). What a scene may not say, a live
// change may not either, and it leaves everything as it was.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/simulation.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

PinPose posed(const Real3& translate, const Real3& scale, double degrees) {
  PinPose pose;
  pose.translate = translate;
  pose.scale = scale;
  pose.rotate_degrees = degrees;
  return pose;
}

TEST(LiveRange, RefusesVectorsOutOfReach) {
  Scene scene = box_scene();
  scene.pins.push_back(pin_of(SelectPlane{.point = {0.01, 0, 0}, .normal = {-1, 0, 0}}));
  Simulation s = simulation_of(scene);
  ASSERT_TRUE(s.step());
  const std::vector<int32_t> vertices{0, 1};
  const PinHandle pin = s.add_pin(vertices).value();
  const GrabHandle grab = s.add_grab(3).value();
  const uint64_t before = s.hash();
  const std::string log = s.changes().value();
  std::vector<Real3> many = s.positions();
  constexpr double most = std::numeric_limits<double>::max();
  for (const double far : {2e18, -most, std::nan("")}) {
    const char* const text = std::isnan(far) ? "is not finite" : "is out of range";
    many[1] = {0, far, 0};
    EXPECT_REFUSED(s.set_gravity({0, far, 0}), text);
    EXPECT_REFUSED(s.add_force(vertices, {far, 0, 0}), text);
    EXPECT_REFUSED(s.move_pin(pin, posed({0, 0, far}, {1, 1, 1}, 0)), text);
    EXPECT_REFUSED(s.move_pin(pin, posed({0, 0, 0}, {1, far, 1}, 0)), text);
    EXPECT_REFUSED(s.move_pin(pin, posed({0, 0, 0}, {1, 1, 1}, far)), "rotate_degrees");
    EXPECT_REFUSED(s.move_grab(grab, {far, 0, 0}), text);
    EXPECT_REFUSED(s.set_velocities(many), text);
    EXPECT_REFUSED(s.set_state(many, s.velocities()), text);
  }
  EXPECT_EQ(s.hash(), before);
  EXPECT_EQ(s.changes().value(), log);
}

TEST(LiveRange, RefusesValuesThatNoSceneMayHave) {
  for (const char* solver : {"vbd", "multilevel", "newton"}) {
    Scene scene = box_scene();
    scene.solver.type = solver;
    Simulation s = simulation_of(scene);
    const std::string material = "materials." + scene.materials[0].name + ".";
    ASSERT_TRUE(s.step());
    const uint64_t before = s.hash();
    for (const auto& [path, value] :
         {std::pair(material + "youngs_modulus", 1e300), std::pair(material + "youngs_modulus", 1.7e308),
          std::pair(material + "youngs_modulus", 1e-300), std::pair(material + "damping", 1.7e308),
          std::pair(std::string("time.frame_dt"), 1e-200), std::pair(std::string("time.frame_dt"), 1e200)}) {
      EXPECT_REFUSED(s.set(path, value), path);
      EXPECT_EQ(s.hash(), before) << path;
    }
    ASSERT_TRUE(s.set(material + "youngs_modulus", 3e5));
    ASSERT_TRUE(s.step()) << solver;
  }
}

}  // namespace
}  // namespace sinew
