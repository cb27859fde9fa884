// Source: the promises of drive/film_colliders.h, drive/collider_frame.h and docs/output.md; where things are by hand.
#include "drive/film_colliders.h"

#include <gtest/gtest.h>

#include <cmath>

#include "drive/collider_frame.h"
#include "drive/disk_files.h"
#include "files/read_file.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "record/output_folder.h"
#include "record/run_reader.h"
#include "render/color_map.h"
#include "sinew/render.h"
#include "sinew/run.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// A block of 1 m above the origin, which stays in the air, with these colliders.
Scene scene_with(const std::string& colliders, const std::string& more = "") {
  return parse_scene(R"({ "sinew": 1, "gravity": [0, 0, 0],
    "materials": { "rubber": { "youngs_modulus": 1e5 } },
    "objects": { "block": { "mesh": { "box": { "cells": 2, "origin": [-0.5, 0.5, -0.5] } }, "material": "rubber" } },
    "time": { "fps": 50, "substeps": 2, "duration": 0.1 },
    "render": { "width": 32, "height": 32, "samples": 1 }, "solver": { "type": "vbd", "iterations": 2 },
    "colliders": )" + colliders +
                         more + "}",
                     "scene.json", "")
      .value();
}

class FilmColliders : public TemporaryFolder {
 protected:
  RunReader recorded(const Scene& scene, int64_t frames = -1, bool resume = false) {
    RunOptions options{.folder = folder(), .threads = 1};
    options.resume = resume;
    if (frames >= 0) options.frames = frames;
    const Result<RunOutcome> run = run_scene(scene, options);
    EXPECT_TRUE(run) << run.error().message();
    return open_run(folder()).value();
  }
  static std::vector<RenderMesh> meshes(const RunReader& run, const Scene& scene, size_t frame, bool ground = true) {
    return collider_meshes(run, run.frame(frame).value(), scene, {{}, {0, 1, 0}, bodies(), ground, eye()});
  }
  static Bounds bodies() {
    Bounds bounds;
    bounds.add(Vec3d{-0.5, 0.5, -0.5});
    bounds.add(Vec3d{0.5, 1.5, 0.5});
    return bounds;
  }
  static Vec3d eye() { return {2, 4, 8}; }
  static Bounds bounds_of(const RenderMesh& mesh) {
    Bounds bounds;
    bounds.add(std::span<const Vec3f>(mesh.positions));
    return bounds;
  }
  static Bounds in_view(const RunReader& run, size_t frame, Colliders which = Colliders::at_rest) {
    Bounds bounds;
    bounds.add(std::span<const Vec3f>(collider_points_in_view(run, which, run.frame(frame).value(), {}, bodies())));
    return bounds;
  }
};

TEST_F(FilmColliders, SurfacesHaveTheirColourOrGrey) {
  const Scene scene = scene_with(R"({
    "table": { "shape": { "box": { "min": [-1, -1, -1], "max": [1, 0, 1] } }, "color": [1, 0.5, 0] },
    "ball": { "shape": { "sphere": { "center": [3, 0, 0], "radius": 0.5 } } } })");
  const RunReader run = recorded(scene);
  const std::vector<RenderMesh> drawn = meshes(run, scene, 0);
  ASSERT_EQ(drawn.size(), 2u);
  EXPECT_EQ(drawn[0].triangles.size(), 12u);
  EXPECT_EQ(drawn[0].color->x, 1);
  EXPECT_FLOAT_EQ(drawn[0].color->y, linear_from_srgb(0.5f));
  EXPECT_EQ(drawn[1].triangles.size(), 3200u);
  EXPECT_EQ(drawn[1].color->x, drawn[1].color->y);
  EXPECT_NEAR(bounds_of(drawn[1]).high.x, 3.5, 1e-3);
  EXPECT_TRUE(drawn[1].smooth);
}

TEST_F(FilmColliders, WhatMovesIsWhereItIsAtEachFrame) {
  const Scene scene = scene_with(R"({
    "press": { "shape": { "box": { "min": [-1, 3, -1], "max": [1, 4, 1] } },
               "motion": { "smooth": false, "keyframes": [ { "time": 0 }, { "time": 0.1, "translate": [0, -1, 0] } ] } },
    "floor": { "shape": { "half_space": {} },
               "motion": { "smooth": false, "keyframes": [ { "time": 0 }, { "time": 0.1, "translate": [0, -2, 0] } ] } } })");
  const RunReader run = recorded(scene);
  for (const size_t frame : {size_t{0}, size_t{2}, size_t{5}}) {
    const std::vector<RenderMesh> drawn = meshes(run, scene, frame);
    ASSERT_EQ(drawn.size(), 1u) << "the floor is the ground";
    EXPECT_NEAR(bounds_of(drawn[0]).low.y, 3 - 0.2 * static_cast<double>(frame), 1e-6);
    EXPECT_NEAR(in_view(run, frame, Colliders::moving).low.y, 3 - 0.2 * static_cast<double>(frame), 1e-6);
    EXPECT_TRUE(in_view(run, frame).empty());
    EXPECT_NEAR(*floor_of(run, run.frame(frame).value(), {}, {0, 1, 0}), -0.4 * static_cast<double>(frame), 1e-9);
  }
}

TEST_F(FilmColliders, AResumedRunHasThemToTheBit) {
  const Scene scene = scene_with(R"({
    "press": { "shape": { "sphere": { "center": [0, 3, 0], "radius": 0.5 } },
               "motion": { "keyframes": [ { "time": 0 }, { "time": 0.1, "rotate_degrees": 50 } ] } } })");
  const RunReader whole = recorded(scene);
  const OutputPaths paths(folder());
  const std::string last = read_file(paths.surface_frame(5)).value(), rest = read_file(paths.colliders()).value();
  for (const auto& entry : std::filesystem::directory_iterator(folder())) std::filesystem::remove_all(entry.path());
  (void)recorded(scene, 3);
  Scene recoloured = scene;
  recoloured.colliders[0].color = Real3{1, 0, 0};
  (void)recorded(recoloured, -1, true);
  EXPECT_EQ(read_file(paths.surface_frame(5)).value(), last);
  EXPECT_EQ(read_file(paths.colliders()).value(), rest);
}

TEST_F(FilmColliders, WithTheGuaranteeTheyAreWhereTheyGotTo) {
  Scene scene = scene_with(R"({
    "table": { "shape": { "box": { "min": [-1, -1, -1], "max": [1, 0.25, 1] } } },
    "press": { "shape": { "box": { "min": [-1, 2, -1], "max": [1, 3, 1] } },
               "motion": { "keyframes": [ { "time": 0 }, { "time": 0.1, "translate": [0, -1, 0] } ] } } })");
  for (const ContactGuarantee guarantee : {ContactGuarantee::none, ContactGuarantee::intersection_free}) {
    scene.contact = ContactSettings{};
    scene.contact->guarantee = guarantee;
    const CompiledScene compiled = compile_scene(scene, DiskFiles(), ThreadPool::caller()).value();
    // A step to the end of the script in which the press has not moved.
    Contacts contacts(compiled.contact_surface, std::vector<double>(compiled.start.x.size(), 1.0), ContactOptions{},
                      ThreadPool::caller());
    const auto first = compiled.contact_surface.rest.begin() + compiled.contact_surface.slot_count;
    const std::vector<Vec3d> before(first, compiled.contact_surface.rest.end());
    std::vector<Vec3d> now(before.size());
    std::vector<ContactPlane> planes;
    place_colliders(compiled.colliders, 0.1, compiled.contact_surface, now, planes);
    contacts.begin_step(compiled.start.x, before, now, planes, planes, 0.1);
    State state = compiled.start;
    state.time = 0.1;
    EXPECT_EQ(collider_frame(compiled, state, &contacts).points[0].y, 1) << "no step has been taken";
    state.step = 1;
    EXPECT_EQ(collider_frame(compiled, state, &contacts).points[0].y, guarantee == ContactGuarantee::none ? 1 : 2);
    EXPECT_EQ(collider_frame(compiled, state, nullptr).points[0].y, 1);
    EXPECT_EQ(collider_frame(compiled, state, nullptr).points.size(), 8u) << "only those of the press";
  }
}

TEST_F(FilmColliders, AHalfSpaceThatFacesUpIsTheGround) {
  const Scene scene = scene_with(R"({
    "low": { "shape": { "half_space": { "point": [3, -2, 0] } } },
    "high": { "shape": { "half_space": { "point": [0, -0.25, 7] } } } })");
  const RunReader run = recorded(scene);
  EXPECT_TRUE(meshes(run, scene, 0).empty());
  EXPECT_EQ(*floor_of(run, run.frame(0).value(), {}, {0, 1, 0}), -0.25);
  EXPECT_EQ(*floor_of(run, run.frame(0).value(), {0, 1, 0}, {0, 1, 0}), -1.25);
  EXPECT_FALSE(floor_of(run, run.frame(0).value(), {}, {0, 0, 1}));
  EXPECT_EQ(meshes(run, scene, 0, false).size(), 2u) << "without a ground they are drawn";
}

TEST_F(FilmColliders, OtherHalfSpacesAreDrawnAroundTheBodies) {
  const Scene scene = scene_with(R"({
    "slope": { "shape": { "half_space": { "point": [50, -50, 0], "normal": [1, 1, 0] } } },
    "behind": { "shape": { "half_space": { "point": [0, 0, -3], "normal": [0, 0, 1] } } },
    "before": { "shape": { "half_space": { "point": [0, 0, 3], "normal": [0, 0, -1] } } } })");
  const RunReader run = recorded(scene);
  const std::vector<RenderMesh> drawn = meshes(run, scene, 0);
  ASSERT_EQ(drawn.size(), 2u) << "what is between camera and bodies is left out";
  EXPECT_EQ(drawn[0].triangles.size(), 2u);
  for (const Vec3f& p : drawn[0].positions) {
    EXPECT_NEAR(p.x + p.y, 0, 1e-4) << "in its plane";
    EXPECT_LT(std::hypot(p.x, p.y, p.z), 4) << "near the block, far from its point";
  }
  EXPECT_NEAR(bounds_of(drawn[1]).high.z, -3, 1e-6);
  EXPECT_TRUE(in_view(run, 0).empty()) << "planes do not widen the view";
}

TEST_F(FilmColliders, OfABoxAroundBodiesTheFarWallsAreDrawnAndAllEdges) {
  const Scene scene = scene_with(R"({ "room": { "shape": { "inward_box": { "min": [-1, 0, -1], "max": [1, 2, 1] } },
    "transform": { "rotation_axis": [0, 1, 0], "rotation_degrees": 90 } } })");
  const RunReader run = recorded(scene);
  const std::vector<RenderMesh> drawn = meshes(run, scene, 0);
  ASSERT_EQ(drawn.size(), 1u);
  // The eye is in front, above and to the right: of six walls it sees three.
  EXPECT_EQ(drawn[0].triangles.size(), 3u * 2 + 12 * 12);
  const Bounds bounds = bounds_of(drawn[0]), view = in_view(run, 0);
  EXPECT_NEAR(bounds.high.z, 1, 0.02);
  EXPECT_NEAR(bounds.low.y, 0, 0.02);
  EXPECT_NEAR(view.high.y, 2, 1e-6);
  EXPECT_NEAR(view.low.x, -1, 1e-6);
}

TEST_F(FilmColliders, TheViewHoldsVesselsAndOnlyWhatIsNearOfWhatIsLarge) {
  const Scene scene = scene_with(R"({
    "bowl": { "shape": { "sphere": { "center": [1, 0, 0], "radius": 1 } }, "contact": { "touches": false } },
    "land": { "contact": { "touches": false }, "shape": { "arrays": { "vertices": [-100, 0, 0,  0, 0.4, 0,  0, 0, -100,  0, 0, 100],
                                     "triangles": [0, 1, 2,  0, 3, 1] } } } })");
  const Bounds view = in_view(recorded(scene), 0);
  EXPECT_NEAR(view.high.x, 2, 0.02);
  EXPECT_NEAR(view.low.y, -1, 0.02);
  EXPECT_NEAR(view.low.x, 0, 0.02) << "without the far corners of the land";
  EXPECT_NEAR(view.high.z, 1, 0.02);
}

TEST_F(FilmColliders, PicturesShowThem) {
  if (!can_render()) GTEST_SKIP() << "this build has no path tracer";
  const Scene scene = scene_with(
      R"({ "wall": { "shape": { "half_space": { "point": [0, 0, -1], "normal": [0, 0, 1] } }, "color": [1, 0, 0] } })");
  (void)recorded(scene);
  const auto picture = [&] {
    const Result<FilmOutcome> still = render_run(folder(), {.frame = 0, .threads = 1});
    EXPECT_TRUE(still) << still.error().message();
    return read_file(still->pictures).value();
  };
  const std::string with = picture();
  std::filesystem::remove(folder() / "surface/colliders.bin");
  std::vector<std::string> warnings;
  const Result<FilmOutcome> still =
      render_run(folder(), {.frame = 0, .threads = 1}, {.on_start = [&](const FilmStart& start) {
                   warnings = start.warnings;
                   return true;
                 }});
  ASSERT_TRUE(still) << still.error().message();
  EXPECT_NE(read_file(still->pictures).value(), with);
  ASSERT_FALSE(warnings.empty());
  EXPECT_TRUE(says(warnings[0], "surface/colliders.bin is missing"));
}

}  // namespace
}  // namespace sinew
