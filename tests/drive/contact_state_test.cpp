// Source: the promises of sinew/simulation.h, that a snapshot and a checkpoint go on with the same bits, where contacts
// keep a state of their own: places of colliders that could not follow their scripts, and planes between what is near.
#include <gtest/gtest.h>

#include <optional>

#include "io/temporary_folder.h"
#include "sinew/run.h"
#include "sinew/simulation.h"
#include "support/contact_scenes.h"
#include "support/simulated.h"

namespace sinew {
namespace {

struct Case {
  const char* solver;
  const char* precision;
};
constexpr Case cases[] = {{"vbd", "single"}, {"vbd", "double"}, {"newton", "double"}};

Scene scene_with(const Case& with) {
  Scene scene;
  scene.materials = {rubber(1e5)};
  scene.contact = ContactSettings{};
  scene.contact->radius = 0.005;
  scene.contact->guarantee = ContactGuarantee::intersection_free;
  scene.time.frame_dt = 0.005;
  scene.time.duration = 0.1;  // 20 frames of one step
  scene.solver.type = with.solver;
  scene.solver.options.set("iterations", 8);
  scene.solver.options.set("precision", with.precision);
  return scene;
}
// A plate that comes down on a cube, farther than the floor leaves room for.
Scene press(const Case& with) {
  Scene scene = scene_with(with);
  scene.objects = {cube("cube", {0, 0.006, 0}, 2)};
  SceneCollider floor{.name = "floor", .shape = ColliderBox{{-0.2, -0.1, -0.2}, {0.3, 0, 0.3}}};
  SceneCollider plate{.name = "plate", .shape = ColliderBox{{-0.05, 0.115, -0.05}, {0.15, 0.13, 0.15}}};
  plate.motion.keyframes = {{.time = 0}, {.time = 0.1, .translate = {0, -0.2, 0}}};
  scene.colliders = {floor, plate};
  return scene;
}
// Two cubes, one of which slides on the other, with friction.
Scene slide(const Case& with) {
  Scene scene = scene_with(with);
  scene.contact->friction = 0.4;
  // Anchors are state, also without the guarantee.
  scene.contact->friction_form = FrictionForm::stick;
  if (std::string_view(with.precision) == "double") scene.contact->guarantee = ContactGuarantee::none;
  scene.objects = {cube("lower", {0, 0.004, 0}, 2), cube("upper", {0.03, 0.108, 0.02}, 2)};
  scene.objects[1].velocity = {0.5, -0.3, 0.1};
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{}});
  return scene;
}

// The ten steps after a snapshot and a checkpoint, again from each.
void expect_the_same_ten_steps(Simulation& s, const Snapshot& half, const std::string& bytes, uint64_t whole,
                               const std::string& name) {
  ASSERT_TRUE(s.restore(half));
  take(s, 10);
  EXPECT_EQ(s.hash(), whole) << name << ": snapshot";
  Result<Simulation> resumed = Simulation::resume(bytes, 2);
  ASSERT_TRUE(resumed) << resumed.error().message();
  take(*resumed, 10);
  EXPECT_EQ(resumed->hash(), whole) << name << ": checkpoint";
}

class ContactState : public TemporaryFolder {
 protected:
  uint64_t run(const Scene& scene, const std::string& name, bool resume, std::optional<int64_t> frames = {}) {
    RunOptions options;
    options.folder = folder() / name;
    options.threads = 1;
    options.resume = resume;
    options.frames = frames;
    const Result<RunOutcome> outcome = run_scene(scene, options);
    EXPECT_TRUE(outcome) << outcome.error().message();
    return outcome ? outcome->hash : 0;
  }
};

TEST_F(ContactState, OfAPlateThatCannotFollowItsScriptIsKept) {
  for (const Case& with : cases) {
    const std::string name = std::string(with.solver) + "_" + with.precision;
    const Scene scene = press(with);
    Simulation s = simulation_of(scene);
    int64_t unreached = 0;
    Snapshot half;
    std::string bytes;
    for (int k = 0; k < 20; ++k) {
      if (k == 10) {
        EXPECT_GT(unreached, 0) << name << ": the plate is behind its script";
        half = s.save();
        bytes = s.checkpoint();
      }
      const Result<StepReport> report = s.step();
      ASSERT_TRUE(report) << name << report.error().message();
      unreached = report->unreached;
    }
    const uint64_t whole = s.hash();
    ASSERT_NO_FATAL_FAILURE(expect_the_same_ten_steps(s, half, bytes, whole, name));

    EXPECT_EQ(run(scene, name, false), whole) << name << ": run";
    run(scene, name + "_half", false, 10);
    EXPECT_EQ(run(scene, name + "_half", true), whole) << name << ": resumed";
  }
}

TEST_F(ContactState, OfBodiesThatSlideOnEachOtherIsKept) {
  for (const Case& with : cases) {
    const std::string name = std::string(with.solver) + "_" + with.precision;
    const Scene scene = slide(with);
    Simulation s = simulation_of(scene);
    take(s, 10);
    EXPECT_FALSE(s.contacts().empty()) << name;
    const Snapshot half = s.save();
    const std::string bytes = s.checkpoint();
    take(s, 10);
    const uint64_t whole = s.hash();
    ASSERT_NO_FATAL_FAILURE(expect_the_same_ten_steps(s, half, bytes, whole, name));
    run(scene, name, false, 10);
    EXPECT_EQ(run(scene, name, true), whole) << name << ": resumed";
  }
}

// The places of colliders do not jump to their scripts where the solver is made anew.
TEST_F(ContactState, StaysWhenTheSolverChanges) {
  Simulation s = simulation_of(press(cases[0]));
  take(s, 10);
  ASSERT_TRUE(s.set("solver.type", std::string_view("\"newton\"")));
  const Result<StepReport> report = s.step();
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_GT(report->unreached, 0);
  EXPECT_EQ(report->undivided, 0);
  for (const Real3& x : s.positions()) EXPECT_GT(x[1], 0);
}

}  // namespace
}  // namespace sinew
