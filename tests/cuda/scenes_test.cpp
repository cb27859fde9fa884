// Source: the CPU. Every scene under every solver that a device offers, where it takes the scene: the same status of
// each step, and the same positions, up to the rounding of the precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace sinew {
namespace {

constexpr int steps = 3;

struct Ended {
  bool accepted = false;
  std::vector<SolveStatus> statuses;
  std::vector<Real3> positions;
};

Ended end_of(Scene scene, const char* device, double lanes) {
  Ended run;
  scene.solver.options.set("device", std::string(device));
  scene.solver.options.set("lanes", lanes);
  Result<Simulation> simulation = Simulation::create(scene, 1);
  if (!simulation) return run;
  for (int k = 0; k < steps; ++k) {
    const Result<StepReport> report = simulation->step();
    if (!report) return run;
    run.statuses.push_back(report->status);
  }
  const auto x = simulation->positions();
  run.positions.assign(x.begin(), x.end());
  run.accepted = true;
  return run;
}

double largest_distance(const std::vector<Real3>& a, const std::vector<Real3>& b) {
  double largest = 0;
  for (size_t v = 0; v < a.size(); ++v)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(a[v][k] - b[v][k]));
  return largest;
}

class DeviceScenes : public testing::TestWithParam<std::string> {};

TEST_P(DeviceScenes, EndAsOnTheCpu) {
  const std::string device = test_device()->emulated() ? "emulated" : "cuda";
  std::set<std::string> taken;
  for (const auto& file : std::filesystem::directory_iterator(std::string(SINEW_SOURCE_DIR) + "/scenes")) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".json" || name == "ten_thousand_bodies") continue;
    if (name == "creatures" && test_device()->emulated()) continue;  // it takes half a minute
    Result<Scene> scene = read_scene(file.path().string());
    ASSERT_TRUE(scene.ok()) << scene.error().message();
    scene->solver = {};
    scene->solver.type = GetParam();
    scene->solver.options.set("iterations", 10.0);
    for (const std::string precision : {"double", "single"}) {
      scene->solver.options.set("precision", precision);
      const Ended there = end_of(*scene, device.c_str(), 0);
      if (!there.accepted) continue;
      taken.insert(name);
      const Ended here = end_of(*scene, "cpu", 1);
      ASSERT_TRUE(here.accepted) << name;
      EXPECT_EQ(there.statuses, here.statuses) << name << ", " << precision;
      double size = 0;
      for (const Real3& p : here.positions)
        for (int k = 0; k < 3; ++k) size = std::max(size, std::abs(p[k] - here.positions[0][k]));
      const double distance = largest_distance(there.positions, here.positions);
      // Where a method goes astray, the last digit decides: also between the lanes of the CPU.
      const double astray = largest_distance(end_of(*scene, "cpu", 0).positions, here.positions);
      // The corrections of multilevel descent are in single precision either way.
      const bool exact = precision == "double" && GetParam() != "multilevel";
      EXPECT_LE(distance, (exact ? 1e-9 : 1e-4) * size + 10 * astray) << name << ", " << precision;
    }
  }
  std::string names;
  for (const std::string& name : taken) names += name + " ";
  RecordProperty("scenes", names);
  EXPECT_GE(taken.size(), 4u) << names;
  EXPECT_TRUE(taken.contains("spring_cloth")) << names;
}
INSTANTIATE_TEST_SUITE_P(, DeviceScenes, testing::Values("vbd", "pbng", "xpbd", "multilevel"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace sinew
