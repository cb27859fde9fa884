// Source: steps that find the state on the CPU, before and after the iterations of the same device. A force of zero is
// enough for that.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "base/format.h"
#include "cuda/test_device.h"
#include "sinew/scene_file.h"
#include "step/stepper.h"
#include "support/body.h"
#include "support/simulated.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;

// Two blocks: one is turned by a pin until this lets go, and glides on a plane; the other falls.
Scene blocks(const std::string& solver, const std::string& options = "") {
  const std::string text = joined({R"({ "sinew": 1, "time": { "fps": 60 }, "gravity": [1, 0, -9.81],
      "materials": {
        "soft": { "youngs_modulus": 3e4, "poisson_ratio": 0.35, "density": 900)",
                                   solver == "xpbd" ? "" : R"(, "damping": 1e-4)", R"( },
        "hard": { "youngs_modulus": 2e6, "poisson_ratio": 0.4, "density": 1200 } },
      "objects": {
        "turned": { "mesh": { "box": { "size": [1, 0.4, 0.4], "cells": [5, 2, 2], "split": 6 } }, "material": "soft" },
        "falling": { "mesh": { "box": { "size": [0.4, 0.4, 0.4], "cells": [2, 2, 2], "origin": [2, 0, 0.3] } },
                     "material": "hard", "velocity": [0, 0.2, 0] } },
      "loads": [{ "object": "falling", "body_force": [0, 40, 0] }],
      "pins": [
        { "object": "turned", "select": { "plane": { "point": [0.001, 0, 0], "normal": [-1, 0, 0] } },
          "motion": { "axis": [1, 0, 0], "keyframes": [{ "time": 0 },
                      { "time": 0.1, "translate": [0, 0.1, 0], "rotate_degrees": 40 }] }, "release": 0.12 },
        { "object": "turned", "select": { "plane": { "point": [0.999, 0, 0], "normal": [1, 0, 0] } },
          "free": "plane", "normal": [0, 0, 1] }],
      "solver": { "type": ")",
                                   solver, R"(", "iterations": 6, "device": ")",
                                   test_device()->emulated() ? "emulated" : "cuda", "\"", options, " } }"});
  Result<Scene> scene = parse_scene(text, "blocks", ".");
  EXPECT_TRUE(scene.ok()) << scene.error().message();
  return scene ? *scene : Scene{};
}

Simulation on_the_cpu(const Scene& scene) {
  Simulation simulation = simulation_of(scene);
  const std::vector<int32_t> vertex = {0};
  EXPECT_TRUE(simulation.add_force(vertex, {0, 0, 0}).ok());
  return simulation;
}

double apart(const std::vector<Real3>& a, const std::vector<Real3>& b) {
  double largest = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
  for (size_t v = 0; v < std::min(a.size(), b.size()); ++v)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(a[v][k] - b[v][k]));
  return largest;
}

// The device emulated has the operations of the CPU; a card contracts others.
void expect_same(const Simulation& there, const Simulation& here, bool single, const std::string& what) {
  const double rounding = test_device()->emulated() ? 0 : single ? 2e-5 : 1e-11;
  EXPECT_LE(apart(there.positions(), here.positions()), rounding) << what;
  EXPECT_LE(apart(there.velocities(), here.velocities()), 60 * rounding) << what;
  EXPECT_EQ(there.time(), here.time()) << what;
  EXPECT_EQ(there.steps_taken(), here.steps_taken()) << what;
}

TEST(ResidentState, TakesTheStepsOfTheCpu) {
  for (const char* solver : {"vbd", "pbng", "xpbd"}) {
    for (const char* precision : {"double", "single"}) {
      for (const char* guess : {"previous", "inertia", "target", "adaptive"}) {
        const std::string what = joined({solver, ", ", precision, ", ", guess});
        const Scene scene =
            blocks(solver, joined({R"(, "precision": ")", precision, R"(", "initial_guess": ")", guess, "\""}));
        Simulation there = simulation_of(scene), here = on_the_cpu(scene);
        take(there, 12);
        take(here, 12);
        expect_same(there, here, std::string(precision) == "single", what);
        EXPECT_GT(apart(there.positions(), there.rest_positions()), 0.05) << what;
      }
    }
  }
}

TEST(ResidentState, RecordsAWholeStepOrTakesItInPieces) {
  for (const char* solver : {"vbd", "xpbd"}) {
    for (const char* order : {"forward", "symmetric", "random"}) {
      const std::string options = joined({R"(, "sweep_order": ")", order, "\""});
      // A tolerance that no step meets, tested after the last iteration.
      Simulation whole = simulation_of(blocks(solver, options)),
                 pieces = simulation_of(blocks(solver, options + R"(, "tolerance": 1e-300, "check_every": 6)"));
      take(whole, 7);
      take(pieces, 8);
      // A recorded step ends with its graph. A random order is drawn anew each time.
      const Result<StepReport> last = whole.step();
      ASSERT_TRUE(last.ok());
      EXPECT_EQ(last->milliseconds.velocities == 0, std::string(order) != "random") << solver << ", " << order;
      EXPECT_EQ(apart(whole.positions(), pieces.positions()), 0) << solver << ", " << order;
    }
  }
}

TEST(ResidentState, EquilibriaToo) {
  const Scene scene = blocks("vbd", R"(, "precision": "double")");
  Scene still = scene;
  still.time.quasistatic = true;
  still.objects.pop_back();  // nothing holds the falling one
  still.loads.clear();
  Simulation there = simulation_of(still), here = on_the_cpu(still);
  take(there, 4);
  take(here, 4);
  expect_same(there, here, false, "quasistatic");
}

TEST(ResidentState, IsTheSameHoweverOftenItIsRead) {
  Simulation read = simulation_of(blocks("vbd")), left = simulation_of(blocks("vbd"));
  for (int k = 0; k < 10; ++k) {
    take(read, 1);
    take(left, 1);
    EXPECT_FALSE(read.positions().empty());
    EXPECT_TRUE(std::isfinite(read.energies().kinetic));
  }
  EXPECT_EQ(apart(read.positions(), left.positions()), 0);
  EXPECT_EQ(apart(read.velocities(), left.velocities()), 0);
}

TEST(ResidentState, HasTheForcesOfPinsAndTheEnergies) {
  const Scene scene = blocks("vbd", R"(, "precision": "double")");
  Simulation there = simulation_of(scene), here = on_the_cpu(scene);
  for (int k = 0; k < 3; ++k) {
    take(there, 3);
    take(here, 3);
    std::vector<double> theirs(3 * static_cast<size_t>(there.vertex_count())), ours(theirs.size());
    ASSERT_TRUE(there.read_reactions(theirs).ok());
    ASSERT_TRUE(here.read_reactions(ours).ok());
    double largest = 0, difference = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
      largest = std::max(largest, std::abs(ours[i]));
      difference = std::max(difference, std::abs(ours[i] - theirs[i]));
    }
    EXPECT_GT(largest, 1);
    EXPECT_LE(difference, test_device()->emulated() ? 0 : 1e-6 * largest);
    EXPECT_NEAR(there.energies().elastic, here.energies().elastic, 1e-9);
    EXPECT_NEAR(there.energies().kinetic, here.energies().kinetic, 1e-9);
  }
}

// Everything that changes the state or the problem from outside.
TEST(ResidentState, FollowsWhatIsChangedLive) {
  const Scene scene = blocks("vbd", R"(, "precision": "double")");
  Simulation there = simulation_of(scene), here = on_the_cpu(scene);
  const auto both = [&](const char* what, const auto& change) {
    for (Simulation* simulation : {&there, &here}) {
      const auto changed = change(*simulation);
      ASSERT_TRUE(changed.ok()) << what << ": " << changed.error().message();
    }
    take(there, 3);
    take(here, 3);
    expect_same(there, here, false, what);
  };
  const std::vector<int32_t> some = {60, 61, 62};
  PinHandle pin{};
  both("nothing", [](Simulation& s) { return s.set_gravity({0, 1, -9}); });
  both("a pin", [&](Simulation& s) {
    Result<PinHandle> added = s.add_pin(some);
    if (added) pin = *added;
    return added;
  });
  both("a pin moved", [&](Simulation& s) { return s.move_pin(pin, PinPose{{0.01, 0, 0.02}}); });
  both("velocities", [](Simulation& s) {
    return s.set_velocities(std::vector<Real3>(static_cast<size_t>(s.vertex_count()), Real3{0.3, 0, 0.1}));
  });
  both("an object off", [](Simulation& s) { return s.switch_object("turned", false); });
  both("and on", [](Simulation& s) { return s.switch_object("turned", true); });
  both("the pin removed", [&](Simulation& s) { return s.remove_pin(pin); });
  both("a material", [](Simulation& s) { return s.set("materials.hard.youngs_modulus", 5e5); });
  both("damping", [](Simulation& s) { return s.set("materials.hard.damping", 1e-3); });
  both("the time step", [](Simulation& s) { return s.set("time.substeps", 2.0); });
  both("a state", [](Simulation& s) {
    std::vector<Real3> x = s.positions(), v = s.velocities();
    for (size_t k = x.size() / 2; k < x.size(); ++k)
      if (!s.held()[k]) x[k][1] += 1e-3;
    return s.set_state(x, v);
  });
  both("no damping", [](Simulation& s) {
    const Status soft = s.set("materials.soft.damping", 0.0);
    return soft ? s.set("materials.hard.damping", 0.0) : soft;
  });
  both("another solver", [](Simulation& s) { return s.set("solver.type", "xpbd"); });
  both("an object", [](Simulation& s) {
    return s.add_object("more", R"({ "mesh": { "box": { "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2],
                                     "origin": [4, 0, 0] } }, "material": "soft" })");
  });
  both("the CPU", [](Simulation& s) { return s.set("solver.device", "cpu"); });
  both("and back",
       [](Simulation& s) { return s.set("solver.device", test_device()->emulated() ? "emulated" : "cuda"); });
}

TEST(ResidentState, IsSavedAndRestored) {
  Simulation simulation = simulation_of(blocks("vbd"));
  take(simulation, 5);
  const Snapshot saved = simulation.save();
  take(simulation, 5);
  const uint64_t hash = simulation.hash();
  ASSERT_TRUE(simulation.restore(saved).ok());
  EXPECT_NE(simulation.hash(), hash);
  take(simulation, 5);
  EXPECT_EQ(simulation.hash(), hash);
}

TEST(ResidentState, IsKeptWhereAStepIsLost) {
  const Body body = body_of(box({3, 3, 3}));
  const Model model = body.compile();
  ThreadPool pool(1);
  Stepper stepper(model, {}, {}, make_on_device("vbd", single_precision), nullptr, pool);
  State state = rest_state(model);
  ASSERT_TRUE(stepper.step_leaving(state).ok());
  ASSERT_TRUE(stepper.fetch(state).ok());
  const State before = state;
  const auto bad = static_cast<size_t>(model.order.slot(UserVertex{23}));
  state.v[bad] = {0, 0, 1e60};  // beyond single precision
  stepper.state_changed();
  for (int k = 0; k < 2; ++k) {
    const Result<StepReport> report = stepper.step_leaving(state);
    ASSERT_FALSE(report.ok());
    EXPECT_NE(report.error().what.find("is not finite"), std::string::npos) << report.error().message();
    ASSERT_TRUE(stepper.fetch(state).ok());
    EXPECT_EQ(state.step, 1);
    EXPECT_TRUE(state.x[bad].z == before.x[bad].z && state.v[bad].z == 1e60);
  }
  state.v[bad] = {};
  stepper.state_changed();
  ASSERT_TRUE(stepper.step_leaving(state).ok());
  ASSERT_TRUE(stepper.fetch(state).ok());
  EXPECT_EQ(state.step, 2);
  EXPECT_TRUE(std::isfinite(state.x[bad].z));
}

// The positions of each iterate, and what they are told of.
struct Watcher final : Observer {
  bool wants(int64_t, int) const override { return true; }
  bool wants_positions() const override { return true; }
  void on_iteration(const IterationReport& report) override {
    positions = *report.positions;
    residuals.push_back(report.evaluation.residual);
  }
  std::vector<Real3> positions;
  std::vector<double> residuals;
};

TEST(ResidentState, ShowsItsIteratesToObservers) {
  const Scene scene = blocks("vbd", R"(, "precision": "double")");
  Simulation there = simulation_of(scene), here = on_the_cpu(scene);
  Watcher theirs, ours;
  there.set_observer(&theirs);
  here.set_observer(&ours);
  take(there, 3);
  take(here, 3);
  EXPECT_LE(apart(theirs.positions, ours.positions), test_device()->emulated() ? 0 : 1e-11);
  EXPECT_LE(apart(theirs.positions, there.positions()), 1e-12);
  ASSERT_EQ(theirs.residuals.size(), 3 * 7u);
  ASSERT_EQ(ours.residuals.size(), theirs.residuals.size());
  for (size_t k = 0; k < theirs.residuals.size(); ++k)
    EXPECT_NEAR(theirs.residuals[k], ours.residuals[k], 1e-9 * ours.residuals[0]) << k;
}

// A step that is recorded, one in pieces with more pins, and the first again, which holds what it held.
TEST(ResidentState, RecordsAnewWhatHasMoved) {
  const Scene scene = blocks("vbd");
  Simulation there = simulation_of(scene), here = on_the_cpu(scene);
  Watcher watcher;
  std::vector<int32_t> many;
  for (int32_t v = 30; v < 70; ++v) many.push_back(v);
  for (Simulation* simulation : {&there, &here}) {
    take(*simulation, 3);
    const Snapshot before = simulation->save();
    take(*simulation, 1);
    simulation->set_observer(&watcher);
    ASSERT_TRUE(simulation->add_pin(many).ok());
    take(*simulation, 1);
    ASSERT_TRUE(simulation->restore(before).ok());
    simulation->set_observer(nullptr);
    take(*simulation, 4);
  }
  expect_same(there, here, true, "restored");
}

// A grab, for which steps are on the CPU, comes and goes.
TEST(ResidentState, HasTheForcesOfPinsAfterStepsOnTheCpu) {
  const Scene scene = blocks("vbd", R"(, "precision": "double")");
  Simulation there = simulation_of(scene), here = on_the_cpu(scene);
  std::vector<double> forces[2];
  for (Simulation* simulation : {&there, &here}) {
    take(*simulation, 5);
    const Result<GrabHandle> grab = simulation->add_grab(0);
    ASSERT_TRUE(grab.ok()) << grab.error().message();
    take(*simulation, 2);
    std::vector<double>& of = forces[simulation == &here];
    of.resize(3 * static_cast<size_t>(simulation->vertex_count()));
    ASSERT_TRUE(simulation->read_reactions(of).ok());
    ASSERT_TRUE(simulation->remove_grab(*grab).ok());
    take(*simulation, 2);
  }
  double largest = 0, difference = 0;
  for (size_t k = 0; k < forces[0].size(); ++k) {
    largest = std::max(largest, std::abs(forces[1][k]));
    difference = std::max(difference, std::abs(forces[1][k] - forces[0][k]));
  }
  EXPECT_GT(largest, 1);
  EXPECT_LE(difference, test_device()->emulated() ? 0 : 1e-6 * largest);
  expect_same(there, here, false, "let go");
}

TEST(ResidentState, IsLeftWhereAStepIsStopped) {
  const Body body = body_of(box({3, 3, 3}));
  const Model model = body.compile();
  ThreadPool pool(1);
  Stepper stepper(model, {}, {}, make_on_device("vbd", single_precision), nullptr, pool);
  State state = rest_state(model);
  const std::atomic<bool> stop{true};
  ASSERT_TRUE(stepper.step_leaving(state).ok());
  stepper.set_stop(&stop);
  EXPECT_FALSE(stepper.step_leaving(state).ok());
  EXPECT_EQ(state.step, 1);
}

TEST(ResidentState, IsReadByManyThreadsAtOnce) {
  Simulation simulation = simulation_of(blocks("pbng"));
  take(simulation, 3);
  std::vector<std::vector<Real3>> read(8);
  std::vector<std::thread> readers;
  for (std::vector<Real3>& positions : read) readers.emplace_back([&] { positions = simulation.positions(); });
  for (std::thread& reader : readers) reader.join();
  for (const std::vector<Real3>& positions : read) EXPECT_EQ(apart(positions, read[0]), 0);
}

}  // namespace
}  // namespace sinew
