// Sources: `sinew render --help` and its exit codes; sinew/render.h. A program that copies its input stands in for
// ffmpeg.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class RenderCommand : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
#ifndef SINEW_HAS_RENDER
    GTEST_SKIP() << "pictures were left out of this build";
#endif
    write("bar.json", bar(4));
    ASSERT_EQ(sinew({"run", "bar.json", "-o", "run"}).status, 0);
    write("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\ncat > \"${last#file:}\"\n");
    fs::permissions(folder() / "bin" / "ffmpeg", fs::perms::owner_all);
  }
  Ended render(std::vector<std::string> words, bool with_ffmpeg = true) const {
    words.insert(words.begin(), "render");
    const std::string path = with_ffmpeg ? (folder() / "bin").string() + ":/usr/bin:/bin" : "/nowhere";
    return sinew(words, [&] { ::setenv("PATH", path.c_str(), 1); });
  }
  std::vector<std::string> names(const std::string& in) const {
    std::vector<std::string> all;
    if (fs::exists(folder() / in))
      for (const auto& entry : fs::directory_iterator(folder() / in)) all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

#ifndef SINEW_HAS_RENDER
using NoRenderCommand = Program;

TEST_F(NoRenderCommand, SaysThatItWasLeftOut) {
  write("bar.json", bar(1));
  ASSERT_EQ(sinew({"run", "bar.json", "-o", "run"}).status, 0);
  const Ended ended = sinew({"render", "run"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(says(ended.err, "error: picture: pictures were left out of this build; install libembree-dev"));
}
#endif

TEST_F(RenderCommand, WrongInputIsTheUsersFault) {
  fs::create_directories(folder() / "empty");
  fs::create_directories(folder() / "frameless");
  fs::copy(folder() / "run", folder() / "frameless", fs::copy_options::recursive);
  for (int k = 0; k <= 4; ++k)
    fs::remove(folder() / "frameless" / "surface" / ("frame_00000" + std::to_string(k) + ".bin"));
  const std::vector<std::string> wrong[] = {{"missing"},
                                            {"empty"},
                                            {"bar.json"},
                                            {"frameless"},
                                            {"run", "--frame", "17"},
                                            {"run", "--size", "99999x99999"},
                                            {"run", "--size", "32x"},
                                            {"run", "--size", "8192x8192"},
                                            {"run", "--size", "16x8192"},
                                            {"run", "--size", "0x0"},
                                            {"run", "--color-by", "tsate"},
                                            {"run", "--samples", "0"}};
  for (const auto& words : wrong) {
    const Ended ended = render(words);
    EXPECT_EQ(ended.status, 2) << words.back() << ": " << ended.err;
    EXPECT_TRUE(ended.err.starts_with("error: ")) << ended.err;
    if (words.size() > 1 && words[1] == "--size") {
      EXPECT_TRUE(ended.err.starts_with("error: --size " + words[2] + ": ")) << ended.err;
    }
  }
  const std::string remedy = "; give the output folder of `sinew run`\n";
  EXPECT_EQ(render({"missing"}).err, "error: missing: no such folder" + remedy);
  EXPECT_EQ(render({"empty"}).err, "error: empty: holds no run: there is no run.json" + remedy);
  EXPECT_EQ(render({"bar.json"}).err, "error: bar.json: is not a folder" + remedy);
  EXPECT_TRUE(says(render({"run", "--frame", "17"}).err, "there is no frame 17; the run has frames 0 to 4"));
  EXPECT_FALSE(fs::exists(folder() / "run" / "pictures"));
}

// A triangle inside the bar: covers little of the picture that the bar fills.
TEST_F(RenderCommand, ShowsSkinsInPlaceOfTets) {
  write("skin.obj", "v 0.4 0.4 0.5\nv 0.6 0.4 0.5\nv 0.4 0.6 0.5\nf 1 2 3\n");
  std::string scene = bar(2);
  scene.insert(scene.find("\"mesh\""), "\"skin\": \"skin.obj\", ");
  scene.insert(scene.find("\"samples\""), "\"smooth\": true, ");
  write("skin.json", scene);
  const Ended ran = sinew({"run", "skin.json", "-o", "skinned"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  for (const char* color_by : {"object", "material", "strain"}) {
    const Ended ended = render({"skinned", "--frame", "2", "--color-by", color_by});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(render({"run", "--frame", "2", "--color-by", color_by}).status, 0);
    EXPECT_NE(content(folder() / "skinned/stills/frame_000002.png"), content(folder() / "run/stills/frame_000002.png"));
  }
}

// So do bodies on a grid.
TEST_F(RenderCommand, ShowsSkinsOfBodiesOnAGrid) {
  write("skin.obj", "v 0.4 0.4 0.5\nv 0.6 0.4 0.5\nv 0.4 0.6 0.5\nf 1 2 3\n");
  std::string scene = bar(2, R"(, "grid": { "spacing": 0.5 }, "solver": { "type": "b_pxpbd" })");
  write("bare.json", scene);
  scene.insert(scene.find("\"mesh\""), "\"skin\": \"skin.obj\", ");
  write("skin.json", scene);
  for (const char* name : {"bare", "skin"}) {
    const Ended ran = sinew({"run", std::string(name) + ".json", "-o", name});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const Ended ended = render({name, "--frame", "2"});
    EXPECT_EQ(ended.status, 0) << ended.err;
  }
  EXPECT_NE(content(folder() / "skin/stills/frame_000002.png"), content(folder() / "bare/stills/frame_000002.png"));
  EXPECT_EQ(render({"skin"}).status, 0);
  EXPECT_FALSE(content(folder() / "skin/film.mp4").empty());
}

// 4500 km away the pictures are the same: they do not depend on single precision there.
TEST_F(RenderCommand, ShowsWhatIsFarAwayAsWhatIsNear) {
  const std::vector<std::string> in_double{"--set", "solver.type=vbd", "--set", "solver.precision=double"};
  const auto film_of = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words{"run", "bar.json", "-o", name, "--frames", "0"};
    words.insert(words.end(), in_double.begin(), in_double.end());
    words.insert(words.end(), more.begin(), more.end());
    const Ended ran = sinew(words);
    EXPECT_EQ(ran.status, 0) << ran.err;
    const Ended ended = render({name, "--size", "96x96", "--samples", "4"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    return content(folder() / name / "film.mp4");
  };
  const std::string near = film_of("near", {});
  const std::string far =
      film_of("far", {"--set", "objects.bar.transform.translate=[4.5e6, 0, 0]", "--set",
                      "pins.0.select={\"plane\": {\"point\": [4500000.01, 0, 0], \"normal\": [-1, 0, 0]}}"});
  ASSERT_EQ(near.size(), far.size());
  double difference = 0;
  for (size_t k = 0; k < near.size(); ++k)
    difference += std::abs(static_cast<unsigned char>(near[k]) - static_cast<unsigned char>(far[k]));
  EXPECT_LT(difference / static_cast<double>(near.size()), 2) << "of 255";
}

TEST_F(RenderCommand, TakesThePlaceOfAnEarlierRendering) {
  const Ended first = render({"run"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(names("run/pictures").size(), 5u);
  const auto bytes = [&] { return fs::file_size(folder() / "run" / "film.mp4"); };
  EXPECT_EQ(bytes(), 5u * 32 * 32 * 3);
  write("run/pictures/mine.png", "mine");
  ASSERT_EQ(render({"run", "--every", "2", "--size", "48x32"}).status, 0);
  EXPECT_EQ(names("run/pictures"),
            (std::vector<std::string>{"frame_000000.png", "frame_000002.png", "frame_000004.png", "mine.png"}));
  EXPECT_EQ(bytes(), 3u * 48 * 32 * 3);
  // A single picture is separate from the film's, and does not change them.
  const Ended still = render({"run", "--frame", "3"});
  EXPECT_EQ(still.status, 0);
  EXPECT_TRUE(says(still.out, "picture: run/stills/frame_000003.png"));
  EXPECT_EQ(names("run/stills"), std::vector<std::string>{"frame_000003.png"});
  EXPECT_EQ(names("run/pictures").size(), 4u);
  // The next run into the folder removes all of it.
  ASSERT_EQ(sinew({"run", "bar.json", "-o", "run", "--overwrite"}).status, 0);
  EXPECT_EQ(names("run/pictures"), std::vector<std::string>{"mine.png"});
  EXPECT_FALSE(fs::exists(folder() / "run" / "film.mp4"));
  EXPECT_FALSE(fs::exists(folder() / "run" / "stills"));
}

TEST_F(RenderCommand, ClearsAwayWhatAKilledOneLeft) {
  // One that never ends while its caller lives.
  write("bin/ffmpeg", "#!/bin/sh\nwhile kill -0 $PPID 2>/dev/null; do sleep 0.05; done\n");
  const pid_t process =
      start({"render", "run"}, [&] { ::setenv("PATH", ((folder() / "bin").string() + ":/usr/bin:/bin").c_str(), 1); });
  while (!fs::exists(folder() / "run" / "pictures" / "frame_000004.png")) {
    ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
    ::usleep(1000);
  }
  ::kill(process, SIGKILL);
  wait_for(process);
  const auto unfinished = [&] {
    int count = 0;
    for (const std::string& name : names("run")) count += name.starts_with(".film.mp4." + std::to_string(process));
    return count;
  };
  ASSERT_EQ(unfinished(), 1);
  write("run/pictures/.frame_000004.png.1.0.partial", "half");
  write("run/.notes.partial", "mine");
  write("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\ncat > \"${last#file:}\"\n");
  ASSERT_EQ(render({"run"}).status, 0);
  EXPECT_EQ(unfinished(), 0);
  EXPECT_EQ(names("run/pictures").size(), 5u);
  EXPECT_EQ(content(folder() / "run" / ".notes.partial"), "mine");
}

TEST_F(RenderCommand, RemovesNothingThatIsNotItsOwn) {
  write("run/pictures", "a file of this name");
  const Ended ended = render({"run"});
  EXPECT_NE(ended.status, 0);
  EXPECT_TRUE(says(ended.err, "error: run/pictures: cannot be used (Not a directory)"));
  EXPECT_EQ(content(folder() / "run" / "pictures"), "a file of this name");
  fs::remove(folder() / "run" / "pictures");
  write("run/film.mp4/mine", "a folder of this name");
  EXPECT_NE(render({"run"}).status, 0);
  EXPECT_EQ(content(folder() / "run" / "film.mp4" / "mine"), "a folder of this name");
  fs::remove_all(folder() / "run" / "film.mp4");
  // Files with the names of renderings that no rendering made.
  for (const std::string name : {"film.mp4", "pictures/frame_000003.png"}) {
    write("run/" + name, "precious");
    const Ended refused = render({"run"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(says(refused.err, "error: run: holds " + name + ", which would be replaced and is not named in"));
    EXPECT_TRUE(says(refused.err, "; move it away\n"));
    EXPECT_EQ(content(folder() / "run" / name), "precious");
    fs::remove(folder() / "run" / name);
  }
  // A link to a folder elsewhere.
  ASSERT_EQ(render({"run"}).status, 0);
  fs::rename(folder() / "run/pictures", folder() / "elsewhere");
  fs::create_directory_symlink("../elsewhere", folder() / "run/pictures");
  EXPECT_TRUE(says(render({"run"}).err, "error: run/pictures: is a symbolic link, and nothing is written or removed"));
  const Ended again = sinew({"run", "bar.json", "-o", "run", "--overwrite"});
  EXPECT_TRUE(says(again.err, "error: run/pictures: is a symbolic link"));
  EXPECT_EQ(names("elsewhere").size(), 5u);
}

TEST_F(RenderCommand, WithoutFfmpegThePicturesRemainAndNoOldFilm) {
  ASSERT_EQ(render({"run"}).status, 0);
  ASSERT_TRUE(fs::exists(folder() / "run" / "film.mp4"));
  const Ended ended = render({"run"}, false);
  EXPECT_EQ(ended.status, 1);
  const std::string reason = "run/film.mp4: the program ffmpeg cannot be run";
  EXPECT_TRUE(says(ended.err, "warning: " + reason));
  EXPECT_TRUE(says(ended.err, "error: there is no film, for the reason given at the start"));
  EXPECT_EQ(ended.err.find(reason), ended.err.rfind(reason)) << "said once";
  EXPECT_TRUE(says(ended.err, "install the package ffmpeg and render again; the pictures are kept"));
  EXPECT_EQ(names("run/pictures").size(), 5u);
  EXPECT_FALSE(fs::exists(folder() / "run" / "film.mp4"));
  // Without a film, ffmpeg is not needed.
  EXPECT_EQ(render({"run", "--frame", "0"}, false).status, 0);
}

TEST_F(RenderCommand, SaysWhichFramesAreMissing) {
  fs::remove(folder() / "run" / "surface" / "frame_000001.bin");
  fs::remove(folder() / "run" / "surface" / "frame_000002.bin");
  const Ended ended = render({"run"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_TRUE(says(ended.err, "warning: frames 1 to 2 are missing in surface/ and left out"));
  EXPECT_EQ(names("run/pictures").size(), 3u);
  const Ended lost = render({"run", "--frame", "2"});
  EXPECT_EQ(lost.status, 2);
  EXPECT_TRUE(says(lost.err, "frame 2 is missing in surface/"));
}

TEST_F(RenderCommand, LeavesOutFramesOfOthersAndNamesThem) {
  write("run/surface/frame_000099.bin", "mine");
  write("run/frames/frame_000077.vtu", "mine");
  const Ended ended = render({"run"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_TRUE(says(ended.err, "warning: surface/frame_000099.bin is not a file of this run, and is left out"));
  EXPECT_EQ(names("run/pictures").size(), 5u);
  // Nor are they in the way of a run that ends before.
  const Ended again = sinew({"run", "bar.json", "-o", "run", "--overwrite"});
  EXPECT_EQ(again.status, 0) << again.err;
  const Ended longer = sinew({"run", "bar.json", "-o", "run", "--overwrite", "--frames", "99"});
  EXPECT_EQ(longer.status, 2);
  EXPECT_TRUE(says(longer.err, "which would be replaced"));
  EXPECT_EQ(content(folder() / "run/surface/frame_000099.bin"), "mine");
  EXPECT_EQ(content(folder() / "run/frames/frame_000077.vtu"), "mine");
}

TEST_F(RenderCommand, ColorsByStressWhereTheRunHasIt) {
  const auto still = [&] { return content(folder() / "run/stills/frame_000004.png"); };
  ASSERT_EQ(render({"run", "--frame", "4"}).status, 0);
  const std::string plain = still();
  const Ended ended = render({"run", "--frame", "4", "--color-by", "von_mises"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(still(), plain);
  ASSERT_EQ(sinew({"run", "bar.json", "-o", "without", "--set", "output.fields=[\"reaction\"]"}).status, 0);
  const Ended refused = render({"without", "--color-by", "von_mises"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(says(refused.err, "the run did not record it; run again with \"von_mises\" among output.fields"));
}

// Its facets say nothing, those of a mesh are its elements.
TEST_F(RenderCommand, SkinsAreSmoothByDefaultAndMeshesAreNot) {
  std::string ball = "v 0.5 0.9 0.5\nv 0.5 0.1 0.5\n";  // eight sides
  for (int k = 0; k < 8; ++k)
    ball += "v " + std::to_string(0.5 + 0.4 * std::cos(k * M_PI / 4)) + " 0.5 " +
            std::to_string(0.5 + 0.4 * std::sin(k * M_PI / 4)) + "\n";
  for (int k = 0; k < 8; ++k) {
    const std::string a = std::to_string(3 + k), b = std::to_string(3 + (k + 1) % 8);
    ball += "f 1 " + b + " " + a + "\nf 2 " + a + " " + b + "\n";
  }
  write("skin.obj", ball);
  std::string scene = bar(2);
  scene.insert(scene.find("\"mesh\""), "\"skin\": \"skin.obj\", ");
  write("skin.json", scene);
  ASSERT_EQ(sinew({"run", "skin.json", "-o", "skinned"}).status, 0);
  write("ball.json", R"({ "sinew": 1, "materials": { "m": {} }, "time": { "fps": 50, "duration": 0.04 },
    "objects": { "b": { "mesh": { "ball": { "shells": 2 } }, "material": "m" } } })");
  ASSERT_EQ(sinew({"run", "ball.json", "-o", "meshed"}).status, 0);
  const auto picture = [&](const std::string& of, const std::string& shading) {
    std::vector<std::string> words{of, "--frame", "1", "--size", "64x64", "--samples", "1"};
    if (!shading.empty()) words.insert(words.end(), {"--shading", shading});
    const Ended ended = render(words);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return content(folder() / of / "stills/frame_000001.png");
  };
  for (const std::string of : {"skinned", "meshed"}) ASSERT_NE(picture(of, "smooth"), picture(of, "flat")) << of;
  EXPECT_EQ(picture("skinned", ""), picture("skinned", "smooth"));
  EXPECT_EQ(picture("meshed", ""), picture("meshed", "flat"));
}

// A chain is points and springs: alone it cannot be drawn, and beside a cloth it is omitted.
TEST_F(RenderCommand, ChainsAreNotInPictures) {
  const char* const rope = R"("rope": { "mesh": { "chain": {} } })";
  const auto scene = [](const std::string& objects) {
    return R"({ "sinew": 1, "time": { "duration": 0.03 }, "objects": { )" + objects + "} }";
  };
  write("rope.json", scene(rope));
  ASSERT_EQ(sinew({"run", "rope.json", "-o", "rope"}).status, 0);
  const Ended alone = render({"rope"});
  EXPECT_NE(alone.status, 0);
  EXPECT_TRUE(says(alone.err, "none of its objects has a surface to draw"));
  EXPECT_TRUE(says(alone.err, "ParaView"));
  write("both.json", scene(std::string(rope) + R"(, "cloth": { "mesh": { "grid": {} } })"));
  ASSERT_EQ(sinew({"run", "both.json", "-o", "both"}).status, 0);
  const Ended both = render({"both", "--size", "160x90", "--samples", "1"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_TRUE(says(both.err, "warning: objects.rope has no surface and is not in the pictures"));
}

// Four solvers, one of which rejects the scene: three cells of a grid of four, under the names of the methods.
TEST_F(RenderCommand, ShowsTheRunsOfAComparisonSideBySide) {
  write("drop.json",
        R"({ "sinew": 1, "time": { "duration": 0.1 }, "materials": { "m": { "model": "stable_neo_hookean" } },
    "objects": { "b": { "mesh": { "box": { "cells": 2 } }, "material": "m" } } })");
  const Ended compared = sinew({"compare", "drop.json", "--solvers", "vbd,xpbd,pbng,newton", "--frames", "2",
                                "--record", "--no-figures", "-o", "all"});
  ASSERT_EQ(compared.status, 0) << compared.err;
  EXPECT_TRUE(says(compared.out + compared.err, "sinew render all"));
  EXPECT_TRUE(std::filesystem::exists(folder() / "all" / "runs" / "01 vbd" / "run.json"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "all" / "runs" / "02 xpbd"));
  ASSERT_EQ(render({"all", "--size", "320x180", "--samples", "1"}).status, 0);
  int pictures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder() / "all" / "pictures"))
    pictures += entry.path().extension() == ".png";
  EXPECT_EQ(pictures, 3);
  // The films of the tests are raw pixels (a false ffmpeg): the last cell has nothing in it.
  const std::string rgb = content(folder() / "all" / "film.mp4");
  ASSERT_GE(rgb.size(), 320u * 180 * 3);
  const auto pixel = [&](size_t x, size_t y) { return static_cast<unsigned char>(rgb[3 * (320 * y + x)]); };
  EXPECT_EQ(pixel(240, 135), 255);
  EXPECT_NE(pixel(80, 45), 255);
  EXPECT_NE(pixel(80, 135), 255);
  // Each is a run like any other.
  EXPECT_EQ(render({"all/runs/03 pbng", "--size", "160x90", "--samples", "1"}).status, 0);
}

TEST_F(RenderCommand, AComparisonRemovesItsOwnRunsAndNothingElse) {
  write("drop.json",
        R"({ "sinew": 1, "time": { "duration": 0.1 }, "materials": { "m": {} },
    "objects": { "b": { "mesh": { "box": { "cells": 2 } }, "material": "m" } } })");
  write("all/runs/mine/data.txt", "precious");
  write("all/runs/02 of mine/data.txt", "precious");
  const std::vector<std::string> plain{"compare", "drop.json", "--solvers", "vbd,pbng", "--no-figures", "-o", "all"};
  std::vector<std::string> recorded = plain;
  recorded.emplace_back("--record");
  const auto runs = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder() / "all/runs"))
      names.insert(entry.path().filename());
    return names;
  };
  const std::set<std::string> both{"01 vbd", "02 pbng", "02 of mine", "mine"}, mine{"02 of mine", "mine"};
  ASSERT_EQ(sinew(recorded).status, 0);
  EXPECT_EQ(runs(), both);
  // Renderings in it are removed with the run; other files stay.
  ASSERT_EQ(render({"all/runs/01 vbd", "--size", "160x90", "--samples", "1", "--frame", "0"}).status, 0);
  ASSERT_EQ(sinew(recorded).status, 0);
  EXPECT_EQ(runs(), both);
  ASSERT_EQ(sinew(plain).status, 0);
  EXPECT_EQ(runs(), mine);
  EXPECT_EQ(content(folder() / "all/runs/mine/data.txt"), "precious");
}

// The lower layer of the beam is soft, the upper one stiff: two regions of one mesh file.
TEST_F(RenderCommand, ColorsTellMaterialsApart) {
  const std::string scene = std::string(SINEW_SOURCE_DIR) + "/scenes/two_materials.json";
  ASSERT_EQ(sinew({"run", scene, "-o", "beam", "--frames", "0"}).status, 0);
  const auto pixels_like = [&](bool blue) {
    const std::string rgb = content(folder() / "beam" / "film.mp4");
    int count = 0;
    for (size_t i = 0; i + 2 < rgb.size(); i += 3) {
      const int red = static_cast<unsigned char>(rgb[i]), third = static_cast<unsigned char>(rgb[i + 2]);
      count += blue ? third > red + 40 : red > third + 40;
    }
    return count;
  };
  ASSERT_EQ(render({"beam", "--color-by", "object", "--size", "160x90", "--samples", "1"}).status, 0);
  EXPECT_GT(pixels_like(true), 500);
  EXPECT_EQ(pixels_like(false), 0);
  // As in the scene: by material.
  const Ended ended = render({"beam", "--size", "160x90", "--samples", "1"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_GT(pixels_like(true), 250);
  EXPECT_GT(pixels_like(false), 250);
}

}  // namespace
}  // namespace sinew
