// Contact by surfaces between bodies on a grid and others: forces act on both, whichever numbers a body moves by.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sinew/scene.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace sinew {
namespace {

// A block on the grid, which lies on the floor, and a smaller one that is not and falls onto it, or `more`.
std::string contact_text(const std::string& solver, const std::string& gravity = "[0, -9.8, 0]",
                         const std::string& contact = R"({"friction": 0.3})", const std::string& more = "",
                         const std::string& floor = "0") {
  return R"({
    "sinew": 1, "name": "on and off", "gravity": )" +
         gravity + R"(, "time": {"frame_dt": 0.01, "duration": 10},
    "materials": {"jelly": {"model": "fixed_corotated", "youngs_modulus": 2000, "poisson_ratio": 0.3, "density": 10}},
    "objects": {
      "block": {"mesh": {"box": {"size": [0.6, 0.3, 0.6], "cells": [4, 2, 4], "origin": [-0.3, 0.01, -0.3]}},
                "material": "jelly"},
      "top": {"mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2], "origin": [-0.08, 0.34, -0.07]}},
              "material": "jelly", "velocity": [0.3, -1, 0], "on_grid": false})" +
         more + R"(
    },
    "colliders": {"floor": {"shape": {"half_space": {"point": [0, )" +
         floor + R"(, 0]}}}},
    "contact": )" +
         contact + R"(, "grid": {"spacing": 0.15}, "solver": )" + solver + "}";
}

Simulation made_from(const std::string& text, int threads = 1) {
  Result<Scene> scene = parse_scene(text, "on and off", "");
  EXPECT_TRUE(scene.ok()) << scene.error().message();
  Result<Simulation> made = Simulation::create(*scene, threads);
  EXPECT_TRUE(made.ok()) << made.error().message();
  return std::move(*made);
}
struct Advanced {
  StepReport last;
  bool met = false;
};
Advanced advance_by(Simulation& simulation, int steps) {
  Advanced all;
  for (int step = 0; step < steps; ++step) {
    Result<StepReport> report = simulation.step();
    EXPECT_TRUE(report.ok()) << report.error().message();
    all.last = *report;
    all.met = all.met || !simulation.contacts().empty();
  }
  return all;
}
double lowest(const Simulation& s, size_t object) {
  const std::vector<Real3> x = s.positions();
  double least = 10;
  for (int64_t v = s.objects()[object].first_vertex; v < s.objects()[object].last_vertex; ++v)
    least = std::min(least, x[static_cast<size_t>(v)][1]);
  return least;
}

TEST(GridContact, EndsWhereNewtonDoes) {
  const auto end_of = [](const std::string& solver) {
    Simulation s = made_from(contact_text(solver));
    EXPECT_TRUE(advance_by(s, 4).met);
    return s.positions();
  };
  const std::string newton =
      R"({"type": "newton", "precision": "double", "iterations": 400, "relative_tolerance": 1e-9, "linear": )";
  const std::vector<Real3>
      factors = end_of(newton + "\"cholesky\"}"),
      products = end_of(newton + "\"cg\"}"),
      blended = end_of(R"({"type": "b_pxpbd", "precision": "double", "iterations": 8000, "relative_tolerance": 1e-9})");
  for (size_t v = 0; v < factors.size(); ++v)
    for (size_t c = 0; c < 3; ++c) {
      ASSERT_NEAR(products[v][c], factors[v][c], 1e-7) << v;
      ASSERT_NEAR(blended[v][c], factors[v][c], 1e-6) << v;
    }
}

TEST(GridContact, CarriesWhatLiesOnABodyAndOnTheFloor) {
  for (const char* type : {"b_pxpbd", "xpbd"}) {
    Simulation s =
        made_from(contact_text(std::string(R"({"type": ")") + type + R"(", "iterations": 60})", "[0, -9.8, 0]", "{}",
                               R"(, "beside": {"mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2],
                                      "origin": [0.6, 0.1, 0]}}, "material": "jelly", "on_grid": false})"),
                  2);
    const Advanced all = advance_by(s, 100);
    EXPECT_TRUE(all.met) << type;
    EXPECT_GT(lowest(s, 1), 0.2) << type << ": on the block";
    EXPECT_GT(lowest(s, 2), -0.005) << type << ": on the floor";
    EXPECT_LT(lowest(s, 2), 0.03) << type;
  }
}

// Where they meet, one pushes the other by as much as it is pushed.
TEST(GridContact, KeepsMomentum) {
  Simulation s = made_from(
      contact_text(R"({"type": "b_pxpbd", "precision": "double", "iterations": 30})", "[0, 0, 0]", "{}", "", "-5"));
  const std::vector<double> mass = s.masses();
  const auto momentum = [&] {
    std::array<double, 3> sum{};
    const std::vector<Real3> v = s.velocities();
    for (size_t k = 0; k < v.size(); ++k)
      for (size_t c = 0; c < 3; ++c) sum[c] += mass[k] * v[k][c];
    return sum;
  };
  const auto before = momentum();
  bool met = false;
  for (int k = 0; k < 8; ++k) met = advance_by(s, 1).met || met;
  EXPECT_TRUE(met);
  const auto after = momentum();
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(after[c], before[c], 1e-9 * std::abs(before[1])) << c;
}

TEST(GridContact, HasTheSameBitsForAnyNumberOfThreadsAndGoesOnFromACheckpoint) {
  for (const char* friction : {"smooth", "stick"}) {
    const std::string text = contact_text(R"({"type": "b_pxpbd"})", "[0, -9.8, 0]",
                                          std::string(R"({"friction": 0.3, "friction_form": ")") + friction + "\"}");
    std::vector<std::vector<Real3>> ends;
    for (const int threads : {1, 2, 3}) {
      Simulation s = made_from(text, threads);
      advance_by(s, 10);
      if (threads == 3) {
        Result<Simulation> resumed = Simulation::resume(s.checkpoint(), threads);
        ASSERT_TRUE(resumed.ok()) << resumed.error().message();
        s = std::move(*resumed);
      }
      advance_by(s, 10);
      ends.push_back(s.positions());
    }
    EXPECT_EQ(ends[0], ends[1]) << friction;
    EXPECT_EQ(ends[0], ends[2]) << friction;
  }
}

// A fast body takes its steps in parts; each has its own share of the motion of colliders.
TEST(GridContact, TakesStepsInParts) {
  Simulation s = made_from(contact_text(R"({"type": "b_pxpbd"})", "[0, 0, 0]", "{}",
                                        R"(, "fast": {"mesh": {"box": {"size": [0.3, 0.3, 0.3], "cells": [2, 2, 2],
                                    "origin": [2, 0.5, 0]}}, "material": "jelly", "velocity": [20, 0, 0]})"));
  const Advanced all = advance_by(s, 7);
  EXPECT_GT(all.last.grid.parts, 2);
  EXPECT_TRUE(all.met);
  EXPECT_GT(lowest(s, 1), 0.25);
}

// Neo-Hookean multipliers at rest are as the square of the step. Those of a whole step would throw a stiff body beside
// the grid in a part of one.
TEST(GridContact, LeavesAStiffBodyBesideTheGridAtRestInPartsOfSteps) {
  Simulation s = made_from(R"({
    "sinew": 1, "gravity": [0, 0, 0], "time": {"frame_dt": 0.01, "duration": 1},
    "materials": {"rubber": {"model": "neo_hookean", "youngs_modulus": 1e6}},
    "objects": {
      "fast": {"mesh": {"box": {"size": 0.3, "cells": 2, "origin": [2, 0, 0]}}, "material": "rubber"},
      "still": {"mesh": {"box": {"size": 0.3, "cells": 2}}, "material": "rubber", "on_grid": false}
    },
    "contact": {}, "grid": {"spacing": 0.15}, "solver": {"type": "b_pxpbd"}})");
  const std::vector<Real3> rest = s.positions();
  const auto off_rest = [&] {
    const std::vector<Real3> x = s.positions();
    double most = 0;
    for (size_t v = static_cast<size_t>(s.objects()[1].first_vertex); v < x.size(); ++v)
      for (size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(x[v][c] - rest[v][c]));
    return most;
  };
  advance_by(s, 1);  // in one part
  std::vector<Real3> velocities(rest.size(), Real3{});
  for (int64_t v = s.objects()[0].first_vertex; v < s.objects()[0].last_vertex; ++v)
    velocities[static_cast<size_t>(v)] = {20, 0, 0};
  ASSERT_TRUE(s.set_state(s.positions(), velocities).ok());
  EXPECT_GT(advance_by(s, 5).last.grid.parts, 2);
  EXPECT_LT(off_rest(), 1e-5);
}

// Bodies on the grid touch by its nodes, unless a pair asks for more.
TEST(GridContact, IsNotAskedForBetweenBodiesOnTheGrid) {
  const std::string near = R"(, "near": {"mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2],
                              "origin": [0.301, 0.05, 0]}}, "material": "jelly"})";
  const std::string solver = R"({"type": "b_pxpbd"})";
  for (const bool asked : {false, true}) {
    const std::string pairs = asked ? R"({"pairs": [{"a": "block", "b": "near", "touches": true}]})" : "{}";
    Simulation s = made_from(contact_text(solver, "[0, 0, 0]", pairs, near));
    EXPECT_EQ(advance_by(s, 1).met, asked);
  }
}

// 4 and 10 cm a step, of cells of 15 cm.
TEST(GridContact, WarnsOfFastBodiesThatMaySink) {
  const auto warnings = [](const std::string& velocity) {
    std::string text = contact_text(R"({"type": "b_pxpbd"})");
    text.replace(text.find("[0.3, -1, 0]"), 12, velocity);
    return made_from(text).warnings();
  };
  const auto sinks = [](const std::string& w) { return w.find("may sink") != std::string::npos; };
  EXPECT_TRUE(std::ranges::none_of(warnings("[0, -4, 0]"), sinks));
  const std::vector<std::string> fast = warnings("[0, -10, 0]");
  const auto said = std::ranges::find_if(fast, sinks);
  ASSERT_NE(said, fast.end());
  EXPECT_EQ(*said,
            "objects.top moves by 0.1 m in a step, 0.667 of grid.spacing, and may sink into objects.block, which is on "
            "the grid; take time.substeps = 2");
}

TEST(GridContact, GuaranteesNothing) {
  const Result<Scene> scene = parse_scene(
      contact_text(R"({"type": "b_pxpbd"})", "[0, 0, 0]", R"({"guarantee": "intersection_free"})"), "on and off", "");
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().message().find("contact.guarantee"), std::string::npos) << scene.error().message();
}

}  // namespace
}  // namespace sinew
