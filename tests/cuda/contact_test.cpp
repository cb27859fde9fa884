// Source: the CPU, whose contacts these are. With a thread a vertex a device adds up what they exert in the same order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cuda/test_device.h"
#include "sinew/simulation.h"
#include "support/contact_scenes.h"

namespace sinew {
namespace {

// A block that falls onto another one, which slides on a slope: faces, edges, friction and a plane.
Scene piled(const std::string& solver) {
  Scene scene = on_floor(2e5);
  scene.objects = {cube("lower", {0, 0.004, 0}), cube("upper", {0.03, 0.11, 0.02}, 2)};
  scene.objects[1].velocity = {0.3, -1, 0.1};
  scene.gravity = {3, -gravity, 0};
  scene.contact->friction = 0.3;
  scene.materials[0].damping = 0.002;
  scene.solver = {};
  scene.solver.type = solver;
  scene.solver.options.set("iterations", 8);
  return scene;
}

struct Steps {
  std::vector<SolveStatus> statuses;
  std::vector<Real3> positions;
  int64_t contacts = 0;  // in all steps
};
Steps steps_of(Scene scene, const std::string& device, const std::string& precision, int count = 25) {
  scene.solver.options.set("device", device);
  scene.solver.options.set("precision", precision);
  scene.solver.options.set("lanes", 1);
  Result<Simulation> simulation = Simulation::create(scene, 1);
  Steps run;
  if (!simulation) {
    ADD_FAILURE() << simulation.error().message();
    return run;
  }
  for (int k = 0; k < count; ++k) {
    const Result<StepReport> report = simulation->step();
    if (!report) {
      ADD_FAILURE() << report.error().message();
      return run;
    }
    run.statuses.push_back(report->status);
    run.contacts += static_cast<int64_t>(simulation->contacts().size());
  }
  const auto x = simulation->positions();
  run.positions.assign(x.begin(), x.end());
  return run;
}

void expect_as_on_the_cpu(const Scene& scene, const std::string& what) {
  const std::string device = test_device()->emulated() ? "emulated" : "cuda";
  for (const std::string precision : {"double", "single"}) {
    const std::string where = what + ", " + precision;
    const Steps here = steps_of(scene, "cpu", precision), there = steps_of(scene, device, precision);
    EXPECT_GT(here.contacts, 100) << where << ": they touch";
    EXPECT_EQ(there.contacts, here.contacts) << where;
    EXPECT_EQ(there.statuses, here.statuses) << where;
    ASSERT_EQ(there.positions.size(), here.positions.size()) << where;
    double largest = 0;
    for (size_t v = 0; v < here.positions.size(); ++v)
      for (size_t k = 0; k < 3; ++k)
        largest = std::max(largest, std::abs(there.positions[v][k] - here.positions[v][k]));
    EXPECT_LE(largest, device_error(precision == "double" ? double_precision : single_precision, 4000)) << where;
  }
}

TEST(DeviceContact, HasTheSameBitsAsOnTheCpu) {
  for (const char* solver : {"vbd", "pbng"}) {
    for (const ContactLaw law : {ContactLaw::offset, ContactLaw::penalty}) {
      Scene scene = piled(solver);
      scene.contact->law = law;
      expect_as_on_the_cpu(scene, std::string(solver) + (law == ContactLaw::offset ? ", offset" : ", penalty"));
    }
  }
}

TEST(DeviceContact, OfFrictionThatSticksHasTheSameBitsAsOnTheCpu) {
  Scene scene = piled("vbd");
  scene.contact->friction_form = FrictionForm::stick;
  expect_as_on_the_cpu(scene, "stick");
}

TEST(DeviceContact, OfQuadraticTetsHasTheSameBitsAsOnTheCpu) {
  for (const double ratio : {0.3, 0.49}) {
    Scene scene = piled("vbd");
    for (SceneObject& object : scene.objects) object.quadratic = true;
    scene.materials[0].set("poisson_ratio", ratio);
    expect_as_on_the_cpu(scene, "quadratic");
  }
}

TEST(DeviceContact, OfBodiesThatAreTiedHasTheSameBitsAsOnTheCpu) {
  Scene scene = piled("vbd");
  SceneBinding& binding = scene.bindings.emplace_back();
  binding.bind.object = "upper";
  binding.to.object = "lower";
  binding.distance = 0.05;
  binding.stiffness = 100;
  expect_as_on_the_cpu(scene, "bound");
}

std::string refusal(const Scene& scene) {
  Result<Simulation> made = Simulation::create(scene, 1);
  if (!made) return made.error().message();
  const Result<StepReport> report = made->step();
  return report ? "" : report.error().message();
}

TEST(DeviceContact, RefusesWhatItLacks) {
  const auto expect = [](const Scene& scene, const char* part) {
    const std::string said = refusal(scene);
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_NE(said.find("use device \"cpu\""), std::string::npos) << said;
  };
  for (const char* solver : {"xpbd", "multilevel"}) {
    Scene scene = piled(solver);
    scene.materials[0].damping = 0;
    scene.solver.options.set("device", "emulated");
    expect(scene, "bodies touch there only under vbd and pbng without an accelerator");
  }
  Scene scene = piled("vbd");
  scene.solver.options.set("device", "emulated");
  EXPECT_EQ(refusal(scene), "");
  Scene accelerated = scene;
  accelerated.solver.accelerator = "chebyshev";
  expect(accelerated, "without an accelerator");
  Scene guaranteed = scene;
  guaranteed.contact->guarantee = ContactGuarantee::intersection_free;
  expect(guaranteed, "intersection_free");
  Scene recolored = scene;
  recolored.solver.options.set("recolor", "incremental");
  expect(recolored, "recolor");
}

}  // namespace
}  // namespace sinew
