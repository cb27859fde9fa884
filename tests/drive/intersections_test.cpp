// Source: two balls that pass through each other: they are apart, meet and part again.
#include "sinew/intersections.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

#include "files/mesh_file.h"
#include "io/csv.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "mesh/generators.h"
#include "sinew/run.h"
#include "sinew/scene_file.h"
#include "support/surface.h"

namespace sinew {
namespace {

class IntersectionsTest : public TemporaryFolder {
 protected:
  // Radius .1 m, half a metre apart, towards each other with 2 m/s each; without forces, they keep their shape.
  Scene balls() const {
    Scene scene;
    scene.gravity = {0, 0, 0};
    scene.materials.push_back({.name = "rubber"});
    for (const double side : {-1.0, 1.0}) {
      SceneObject ball;
      ball.name = side < 0 ? "left" : "right";
      ball.mesh = MeshBall{.radius = 0.1, .shells = 3};
      ball.material = "rubber";
      ball.transform.translate = {0.25 * side, 0.01 * side, 0};
      ball.velocity = {-2 * side, 0, 0};
      scene.objects.push_back(ball);
    }
    scene.time.frame_dt = 0.01;
    scene.time.duration = 0.25;
    return scene;
  }
};

TEST_F(IntersectionsTest, OfARunAreFoundInTheFramesThatHaveThem) {
  ASSERT_TRUE(run_scene(balls(), {.folder = folder() / "out"}));
  std::vector<int64_t> told;
  const auto report = check_intersections(folder() / "out", {.list = folder() / "pairs.csv", .threads = 2},
                                          {.on_frame = [&](const CheckedFrame& f) { told.push_back(f.done); }});
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_TRUE(report->of_run);
  EXPECT_EQ(report->objects, (std::vector<std::string>{"left", "right"}));
  ASSERT_EQ(report->frames.size(), 26u);
  EXPECT_EQ(told.size(), 26u);
  int64_t pairs = 0;
  for (const CheckedFrame& f : report->frames) {
    // The distance of the centres; facets are a little inside their sphere.
    const double distance = std::hypot(0.5 - 4 * f.time, 0.02);
    if (distance > 0.2) {
      EXPECT_EQ(f.pairs, 0) << f.number;
    } else if (distance < 0.18) {
      EXPECT_GT(f.pairs, 0) << f.number;
    }
    if (f.pairs == 0) continue;
    ASSERT_EQ(f.objects.size(), 1u);  // neither meets itself
    EXPECT_EQ(f.objects[0].a, 0);
    EXPECT_EQ(f.objects[0].b, 1);
    EXPECT_EQ(f.objects[0].pairs, f.pairs);
    EXPECT_LE(f.triangles, 2 * f.pairs);
    pairs += f.pairs;
  }
  EXPECT_GT(report->meeting_frames(), 5);
  EXPECT_LT(report->meeting_frames(), 15);

  std::ifstream file(folder() / "pairs.csv", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto rows = parse_csv(text);
  ASSERT_EQ(static_cast<int64_t>(rows.size()), pairs + 1);
  for (size_t k = 1; k < rows.size(); ++k) {
    ASSERT_EQ(rows[k].size(), 9u);
    EXPECT_EQ(rows[k][2], "left");
    EXPECT_EQ(rows[k][4], "right");
    EXPECT_LT(std::stoll(rows[k][3]), report->triangles / 2);
    EXPECT_LT(std::stoll(rows[k][5]), report->triangles / 2);
    EXPECT_LT(std::abs(std::stod(rows[k][6])), 0.1);
  }
}

TEST_F(IntersectionsTest, OfAMeshAreThoseOfItsSurface) {
  TetMesh mesh = make_ball({.shells = 3}).value();
  ASSERT_TRUE(write_tet_mesh(folder() / "ball.vtu", mesh));
  auto report = check_intersections(folder() / "ball.vtu");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_FALSE(report->of_run);
  EXPECT_EQ(report->meeting_frames(), 0);
  EXPECT_EQ(report->objects, (std::vector<std::string>{"ball.vtu"}));

  SurfaceMesh surface = support::boundary_surface(mesh);
  EXPECT_EQ(report->triangles, static_cast<int64_t>(surface.triangles.size()));
  surface.vertices[0] = -2.0 * surface.vertices[0];
  ASSERT_TRUE(write_surface(folder() / "spike.ply", surface));
  report = check_intersections(folder() / "spike.ply");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->meeting_frames(), 1);
}

// Curved faces are four triangles each, in a run as in one of its files.
TEST_F(IntersectionsTest, OfAFrameOfQuadraticTetsAreThoseOfItsRun) {
  Scene scene = balls();
  for (SceneObject& ball : scene.objects) ball.quadratic = true;
  scene.time.duration = 0.1;
  ASSERT_TRUE(run_scene(scene, {.folder = folder() / "out"}));
  const auto run = check_intersections(folder() / "out");
  ASSERT_TRUE(run) << run.error().message();
  const CheckedFrame& last = run->frames.back();
  EXPECT_GT(last.pairs, 0);
  const auto frame = check_intersections(folder() / "out/frames/frame_000010.vtu");
  ASSERT_TRUE(frame) << frame.error().message();
  EXPECT_EQ(frame->triangles, run->triangles);
  EXPECT_EQ(frame->frames[0].pairs, last.pairs);
  EXPECT_TRUE(frame->warnings.empty());
}

// A block of 27 vertices, from corner to corner of [0, 1]^3 m, that stays where it is at rest and touches nothing
// itself.
Scene block_with(const std::string& colliders, const std::string& more = "", const std::string& solver = "vbd") {
  const Result<Scene> scene = parse_scene(R"({ "sinew": 1, "gravity": [0, 0, 0],
    "materials": { "rubber": { "youngs_modulus": 1e5 } },
    "objects": { "block": { "mesh": { "box": { "cells": 2 } }, "material": "rubber" } },
    "pins": [ { "object": "block", "select": "all" } ],
    "time": { "fps": 10, "substeps": 1, "duration": 0.4 }, "solver": { "type": ")" +
                                              solver +
                                              R"(", "iterations": 1 },
    "colliders": )" + colliders + more + "}",
                                          "scene.json", "");
  EXPECT_TRUE(scene) << scene.error().message();
  return scene.value();
}

class CollidersChecked : public TemporaryFolder {
 protected:
  IntersectionReport checked(const Scene& scene) {
    const Result<RunOutcome> run = run_scene(scene, {.folder = folder() / "out", .threads = 1, .overwrite = true});
    EXPECT_TRUE(run) << run.error().message();
    Result<IntersectionReport> report = check_intersections(folder() / "out", {.list = folder() / "pairs.csv"});
    EXPECT_TRUE(report) << report.error().message();
    return std::move(*report);
  }
  std::vector<std::vector<std::string>> rows() const {
    std::ifstream file(folder() / "pairs.csv", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::vector<std::string>> all;
    for (const auto& row : parse_csv(text)) all.emplace_back(row.begin(), row.end());
    return all;
  }
};

TEST_F(CollidersChecked, AreMetWhereTheyAreAtEachFrame) {
  // A blade above the block comes down by half a metre in frame 3, and is away again at frame 4.
  const IntersectionReport report = checked(block_with(R"({
    "table": { "shape": { "box": { "min": [-1, -2, -1], "max": [2, -1, 2] } } },
    "blade": { "shape": { "box": { "min": [0.3, 1.1, -1], "max": [0.4, 2, 2] } },
      "motion": { "smooth": false, "keyframes": [ { "time": 0.2 }, { "time": 0.3, "translate": [0, -0.5, 0] },
                                                  { "time": 0.4 } ] } } })"));
  EXPECT_EQ(report.objects, (std::vector<std::string>{"block", "table", "blade"}));
  EXPECT_EQ(report.colliders, 2);
  EXPECT_EQ(report.triangles, 48);
  ASSERT_EQ(report.frames.size(), 5u);
  for (const CheckedFrame& f : report.frames) EXPECT_EQ(f.pairs > 0, f.number == 3) << f.number;
  const CheckedFrame& down = report.frames[3];
  ASSERT_EQ(down.objects.size(), 1u);
  EXPECT_EQ(down.objects[0].a, 0);
  EXPECT_EQ(down.objects[0].b, 2);
  const auto list = rows();
  ASSERT_EQ(static_cast<int64_t>(list.size()), down.pairs + 1);
  for (size_t k = 1; k < list.size(); ++k) {
    EXPECT_EQ(list[k][2], "block");
    EXPECT_EQ(list[k][4], "blade");
    EXPECT_LT(std::stoi(list[k][5]), 12);  // by number in its surface
  }
}

// The sides of the block are in planes whose numbers are exact.
TEST_F(CollidersChecked, APlaneCountsFromItsNextNumberOn) {
  for (const double height : {std::nextafter(0.0, -1.0), 0.0, 0x1p-52, -0x1p-52}) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", height);
    // "refuse" would not let the block start below.
    const Scene scene = block_with(std::string(R"({ "floor": { "shape": { "half_space": { "point": [5, )") + text +
                                   R"(, 5] } }, "contact": { "friction": 0 } } })");
    Scene started = scene;
    started.time.duration = 0.1;
    if (height > 0) {
      EXPECT_FALSE(run_scene(started, {.folder = folder() / "refused"}));
      continue;
    }
    EXPECT_EQ(checked(started).meeting_frames(), 0) << height;
  }
  // One that comes up through the bottom by a unit in the last place, and by more.
  for (const auto& [up, meet] : {std::pair(1.0, false), std::pair(1 + 0x1p-52, true)}) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", up);
    const IntersectionReport report =
        checked(block_with(std::string(R"({ "floor": { "shape": { "half_space": { "point": [0, -1, 0] } },
          "motion": { "smooth": false, "keyframes": [ { "time": 0 }, { "time": 0.2, "translate": [0, )") +
                           text + R"(, 0] } ] } } })"));
    ASSERT_EQ(report.frames.size(), 5u);
    EXPECT_EQ(report.frames[1].pairs, 0);
    EXPECT_EQ(report.frames[2].pairs > 0, meet) << up;
  }
}

TEST_F(CollidersChecked, ABoxThatKeepsBodiesInsideHasItsSixPlanes) {
  const IntersectionReport report = checked(block_with(R"({ "room": {
    "shape": { "inward_box": { "min": [-0.1, -0.1, -0.1], "max": [1.1, 1.1, 1.1] } },
    "motion": { "smooth": false, "keyframes": [ { "time": 0.1 }, { "time": 0.2, "translate": [0.5, 0, 0] },
                                                { "time": 0.3, "translate": [0.5, 0, 0.5] } ] } } })"));
  ASSERT_EQ(report.frames.size(), 5u);
  EXPECT_EQ(report.frames[1].pairs, 0);
  // The side x = 0 has 8 triangles, and 8 more of its neighbours have an edge or corner there; so has z = 0.
  const int64_t one = report.frames[2].pairs;
  EXPECT_GE(one, 16);
  EXPECT_EQ(report.frames[3].pairs, 2 * one);
  EXPECT_LT(report.frames[3].triangles, 2 * one);  // those at the common edge are in both
  std::set<std::string> numbers;
  for (const auto& row : rows())
    if (row[0] == "3") numbers.insert(row[5]);
  EXPECT_EQ(numbers.size(), 2u);
}

TEST_F(CollidersChecked, WhatPassesThroughByTheSceneIsToldOfAndDoesNotCount) {
  const std::string wall = R"({ "wall": { "shape": { "box": { "min": [-1, -1, 0.3], "max": [2, 2, 0.4] } } MORE } })";
  const auto with = [&](const std::string& more) {
    std::string text = wall;
    return text.replace(text.find("MORE"), 4, more);
  };
  for (const Scene& scene :
       {block_with(with(R"(, "contact": { "touches": false })")),
        block_with(with(""), R"(, "contact": { "pairs": [ { "a": "block", "b": "wall", "touches": false } ] })")}) {
    const IntersectionReport report = checked(scene);
    EXPECT_EQ(report.meeting_frames(), 0);
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_TRUE(says(report.warnings[0], "block and wall meet in 5 frames, which does not count"));
  }
}

TEST_F(CollidersChecked, WhatAGridKeepsApartIsToldApart) {
  Scene scene = block_with(R"({ "floor": { "shape": { "half_space": { "point": [0, 0.05, 0] } } } })",
                           R"(, "grid": { "spacing": 0.5 })", "xpbd");
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "beside";
  scene.objects[1].on_grid = false;
  scene.objects[1].transform.translate = {3, 0, 0};
  scene.pins.push_back(scene.pins[0]);
  scene.pins[1].object = "beside";
  const IntersectionReport both = checked(scene);
  EXPECT_EQ(both.meeting_frames(), 5);
  EXPECT_EQ(both.grid_frames(), 0);
  for (const CheckedFrame& frame : both.frames) {
    ASSERT_EQ(frame.objects.size(), 2u);
    EXPECT_TRUE(frame.objects[0].by_grid);
    EXPECT_FALSE(frame.objects[1].by_grid);
  }

  scene.objects[1].transform.translate = {3, 1, 0};
  const IntersectionReport one = checked(scene);
  EXPECT_EQ(one.meeting_frames(), 5);
  EXPECT_EQ(one.grid_frames(), 5);

  // What is to touch by its surfaces has no such excuse.
  SceneContactPair& pair = scene.contact.emplace().pairs.emplace_back();
  pair.a = "block";
  pair.b = "floor";
  pair.start = ContactStart::allow;
  pair.touches = true;
  const IntersectionReport asked = checked(scene);
  EXPECT_EQ(asked.meeting_frames(), 5);
  EXPECT_EQ(asked.grid_frames(), 0);
}

TEST_F(IntersectionsTest, EndWhenTheirObserverOrAnInterruptSaysSo) {
  ASSERT_TRUE(run_scene(balls(), {.folder = folder() / "out"}));
  const auto three = check_intersections(folder() / "out", {.list = folder() / "pairs.csv"},
                                         {.on_frame = [](const CheckedFrame& f) { return f.done < 3; }});
  ASSERT_TRUE(three);
  EXPECT_TRUE(three->interrupted);
  EXPECT_EQ(three->frames.size(), 3u);
  const std::atomic<bool> enough = true;
  const auto none = check_intersections(folder() / "out", {.interrupt = &enough});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->interrupted);
  EXPECT_TRUE(none->frames.empty());
}

TEST_F(IntersectionsTest, NeedARunOrAMeshWithASurface) {
  EXPECT_TRUE(says(check_intersections(folder() / "nothing").error().message(), "nothing"));
  EXPECT_TRUE(says(check_intersections(folder()).error().message(), "run.json"));
  std::ofstream(folder() / "empty.obj") << "v 0 0 0\n";
  EXPECT_FALSE(check_intersections(folder() / "empty.obj"));
  ASSERT_TRUE(run_scene(balls(), {.folder = folder() / "out"}));
  const auto unwritable = check_intersections(folder() / "out", {.list = folder() / "no" / "such" / "pairs.csv"});
  EXPECT_TRUE(says(unwritable.error().message(), "pairs.csv"));
  std::filesystem::resize_file(folder() / "out" / "surface" / "frame_000004.bin", 100);
  EXPECT_TRUE(says(check_intersections(folder() / "out", {.list = folder() / "pairs.csv"}).error().message(),
                   "frame_000004.bin"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "pairs.csv"));
}

}  // namespace
}  // namespace sinew
