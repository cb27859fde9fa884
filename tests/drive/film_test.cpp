// Source: the promises of sinew/render.h; what the pictures show is tested in tests/render, and the command in
// tests/cli.
#include <gtest/gtest.h>

#include <atomic>

#include "drive/film_contacts.h"
#include "drive/round_length.h"
#include "files/read_file.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "record/run_reader.h"
#include "sinew/render.h"
#include "sinew/run.h"
#include "sinew/scene_file.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Film : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    Scene scene = box_scene(2);
    scene.time = {.frame_dt = 0.01, .duration = 0.04};
    scene.render.width = scene.render.height = 32;
    scene.render.samples = 1;
    const Result<RunOutcome> run = run_scene(scene, {.folder = folder(), .threads = 1});
    ASSERT_TRUE(run.ok()) << run.error().message();
    if (!can_render()) GTEST_SKIP() << "this build has no path tracer";
  }
  std::vector<std::string> pictures() const {
    std::vector<std::string> names;
    if (fs::exists(folder() / "pictures"))
      for (const auto& entry : fs::directory_iterator(folder() / "pictures"))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(Film, TellsOfEachPictureWhenItIsThere) {
  int64_t announced = 0, done = 0;
  FilmObserver observer;
  observer.on_start = [&](const FilmStart& start) {
    EXPECT_EQ(done, 0);
    announced = start.pictures;
  };
  observer.on_picture = [&](const FilmPicture& picture) {
    EXPECT_EQ(picture.done, ++done);
    EXPECT_EQ(picture.pictures, 3);
    EXPECT_TRUE(fs::is_regular_file(picture.file)) << picture.file;
  };
  const Result<FilmOutcome> film =
      render_run(folder(), {.color_by = ColorBy::strain, .every = 2, .threads = 1}, observer);
  ASSERT_TRUE(film.ok()) << film.error().message();
  EXPECT_EQ(announced, 3);
  EXPECT_EQ(done, 3);
  EXPECT_EQ(film->picture_count, 3);
  EXPECT_FALSE(film->interrupted);
  EXPECT_EQ(pictures(), (std::vector<std::string>{"frame_000000.png", "frame_000002.png", "frame_000004.png"}));
  EXPECT_EQ(film->film.empty(), film->no_film.has_value()) << "a film, or why there is none";
}

TEST_F(Film, AListenerEndsItAfterAPicture) {
  const Result<FilmOutcome> film =
      render_run(folder(), {.threads = 1}, {.on_picture = [](const FilmPicture& picture) { return picture.done < 2; }});
  ASSERT_TRUE(film.ok()) << film.error().message();
  EXPECT_TRUE(film->interrupted);
  EXPECT_EQ(film->picture_count, 2);
  EXPECT_EQ(pictures(), (std::vector<std::string>{"frame_000000.png", "frame_000001.png"}));

  const Result<FilmOutcome> none = render_run(folder(), {}, {.on_start = [](const FilmStart&) { return false; }});
  ASSERT_TRUE(none.ok()) << none.error().message();
  EXPECT_TRUE(none->interrupted);
  EXPECT_EQ(none->picture_count, 0);
  ASSERT_TRUE(none->no_film.has_value());
  EXPECT_TRUE(says(none->no_film->message(), "was not begun: interrupted"));
  EXPECT_TRUE(pictures().empty()) << "those of the film before are gone";
  EXPECT_FALSE(fs::exists(folder() / "film.mp4"));
}

TEST_F(Film, AnInterruptEndsItWithinAPicture) {
  std::atomic<bool> enough = false;
  const auto rendered = [&](const FilmOptions& options) {
    Result<FilmOutcome> film = render_run(folder(), options, {.on_start = [&](const FilmStart&) { enough = true; }});
    EXPECT_TRUE(film.ok()) << film.error().message();
    EXPECT_TRUE(film->interrupted);
    EXPECT_EQ(film->picture_count, 0);
    return film.value();
  };
  const FilmOutcome film = rendered({.threads = 1, .interrupt = &enough});
  EXPECT_TRUE(pictures().empty());
  ASSERT_TRUE(film.no_film.has_value());
  EXPECT_TRUE(says(film.no_film->message(), "was not begun: interrupted"));
  EXPECT_FALSE(fs::exists(rendered({.frame = 3, .threads = 1, .interrupt = &enough}).pictures));
}

TEST_F(Film, OfOneFrameIsAPicture) {
  const Result<FilmOutcome> still = render_run(folder(), {.width = 48, .height = 32, .frame = 3, .threads = 1});
  ASSERT_TRUE(still.ok()) << still.error().message();
  EXPECT_EQ(still->pictures, folder() / "stills/frame_000003.png");
  EXPECT_TRUE(fs::exists(still->pictures));
  EXPECT_FALSE(still->no_film.has_value());
}

TEST_F(Film, SaysWhatIsWrong) {
  const auto fault = [&](const fs::path& path, const FilmOptions& options) {
    const Result<FilmOutcome> film = render_run(path, options);
    return film ? "" : film.error().message();
  };
  EXPECT_TRUE(says(fault(folder() / "nowhere", {}), "nowhere"));
  EXPECT_TRUE(says(fault(folder(), {.frame = 9}), "there is no frame 9; the run has frames 0 to 4"));
  EXPECT_TRUE(says(fault(folder(), {.width = 3}), "16"));
  EXPECT_TRUE(pictures().empty());
}

// A litre of rubber, put down on a floor where the forces of contacts about carry it.
TEST_F(Film, ShowsTheForcesOfContacts) {
  const auto scene = parse_scene(R"({ "sinew": 1,
    "materials": { "rubber": { "youngs_modulus": 1e5, "density": 1000, "damping": 0.05 } },
    "objects": { "block": { "mesh": { "box": { "cells": 1, "size": 0.1 } }, "material": "rubber",
                            "transform": { "translate": [0, 0.0168, 0] } } },
    "colliders": { "floor": { "shape": { "half_space": {} } } },
    "time": { "fps": 20, "substeps": 8, "duration": 0.2 }, "solver": { "type": "vbd", "iterations": 10 },
    "output": { "contacts": true },
    "render": { "width": 96, "height": 96, "samples": 1, "contacts": true, "color_by": "object" } })",
                                 "scene.json", "");
  ASSERT_TRUE(scene) << scene.error().message();
  const fs::path out = folder() / "block";
  ASSERT_TRUE(run_scene(*scene, {.folder = out, .threads = 1}));
  const auto bytes_with = [&](bool contacts) {
    const auto still = render_run(out, {.contacts = contacts, .frame = 4, .threads = 1});
    EXPECT_TRUE(still) << still.error().message();
    return read_file(still->pictures).value();
  };
  EXPECT_NE(bytes_with(true), bytes_with(false));

  const RunReader run = open_run(out).value();
  const ShownRun* const shown[] = {&run};
  const Result<ForceScale> scale = force_scale(shown, 0.02);
  ASSERT_TRUE(scale) << scale.error().message();
  double weight = 0;
  const std::vector<RecordedContact> last = run.contacts(4).value();
  for (const RecordedContact& c : last) weight += c.force.y;
  EXPECT_NEAR(weight, 9.81, 0.05);  // it still sinks by a little
  EXPECT_TRUE(says(scale->text(), "arrow of 2 cm: "));
  const auto arrows = contact_arrows(run, 4, *scale, {0, 0, 0});
  ASSERT_TRUE(arrows);
  double drawn = 0;
  for (const RenderLine& arrow : *arrows) drawn += static_cast<double>(arrow.to.y - arrow.from.y);
  EXPECT_NEAR(drawn * scale->force / scale->length, weight, 1e-3);

  const auto missing = render_run(folder(), {.contacts = true});
  ASSERT_FALSE(missing);
  EXPECT_TRUE(says(missing.error().message(), "the run did not record its contacts; run again with output.contacts"));
}

TEST(RoundLength, IsOneTwoOrFive) {
  EXPECT_DOUBLE_EQ(round_near(0.9), 1);
  EXPECT_DOUBLE_EQ(round_near(1.3), 1);
  EXPECT_DOUBLE_EQ(round_near(2.7), 2);
  EXPECT_DOUBLE_EQ(round_near(30), 50);
  EXPECT_DOUBLE_EQ(round_near(0.08), 0.1);
  EXPECT_EQ(length_text(0.2), "20 cm");
  EXPECT_EQ(length_text(0.005), "5 mm");
  EXPECT_EQ(length_text(5000), "5 km");
}

TEST(PictureSize, HasLimits) {
  EXPECT_TRUE(check_picture_size(16, 16).ok());
  EXPECT_TRUE(check_picture_size(1920, 1080).ok());
  EXPECT_TRUE(says(check_picture_size(15, 100).error().message(), "must have 16 to 8192 pixels along each side"));
  EXPECT_TRUE(says(check_picture_size(8192, 8192).error().message(), "must not have more pixels than 4096 x 4096"));
  EXPECT_TRUE(says(check_picture_size(2000, 100).error().message(), "must be less than 20 times as long"));
}

}  // namespace
}  // namespace sinew
