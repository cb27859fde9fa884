// Expectations: the promises of film_writer.h, checked with ffmpeg, without it, and with substitutes.
#include "render/film_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Film : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("sinew_film_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_before_ = std::getenv("PATH");
  }
  void TearDown() override {
    setenv("PATH", path_before_.c_str(), 1);
    fs::remove_all(folder_);
  }
  // A program that stands in for ffmpeg.
  void pretend(const std::string& script) {
    const fs::path programs = folder_ / "bin";
    fs::create_directories(programs);
    std::ofstream(programs / "ffmpeg") << "#!/bin/sh\n" << script << "\n";
    fs::permissions(programs / "ffmpeg", fs::perms::owner_all);
    setenv("PATH", (programs.string() + ":" + path_before_).c_str(), 1);
  }
  std::string film() const { return (folder_ / "film.mp4").string(); }
  // Files in the folder.
  long files() const {
    return std::count_if(fs::directory_iterator(folder_), {}, [](const auto& f) { return f.is_regular_file(); });
  }

  fs::path folder_;
  std::string path_before_;
};

Image frame(int width, int height, int k) {
  Image image{width, height, std::vector<uint8_t>(3 * size_t(width) * size_t(height))};
  for (size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<uint8_t>(i + 9 * static_cast<size_t>(k));
  return image;
}

TEST_F(Film, AppearsWholeAtTheEndWithEvenSizes) {
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffmpeg is not installed";
  auto writer = FilmWriter::open(film(), 97, 65);
  ASSERT_TRUE(writer.ok()) << writer.error().message();
  for (int k = 0; k < 5; ++k) {
    const Status added = writer->add(frame(97, 65, k));
    ASSERT_TRUE(added.ok()) << added.error().message();
    EXPECT_FALSE(fs::exists(film()));
  }
  const Status finished = writer->finish();
  ASSERT_TRUE(finished.ok()) << finished.error().message();
  EXPECT_EQ(files(), 1);
  const std::string probe =
      "ffprobe -v error -count_frames -show_entries stream=codec_name,width,height,pix_fmt,nb_read_frames -of csv " +
      film() + " | grep -q 'h264,96,64,yuv420p,5'";
  EXPECT_EQ(std::system(probe.c_str()), 0);
  EXPECT_FALSE(writer->add(frame(97, 65, 0)).ok());
  EXPECT_FALSE(writer->finish().ok());
}

TEST_F(Film, MissingProgramNamesItsPackage) {
  setenv("PATH", folder_.c_str(), 1);
  const auto writer = FilmWriter::open(film(), 64, 64);
  ASSERT_FALSE(writer.ok());
  EXPECT_NE(writer.error().message().find("install the package ffmpeg"), std::string::npos);
  EXPECT_EQ(files(), 0);
}

TEST_F(Film, FailingProgramIsAnErrorWithItsWords) {
  pretend("echo 'Unknown encoder libx264' >&2; exit 1");
  auto writer = FilmWriter::open(film(), 640, 640);
  ASSERT_TRUE(writer.ok());
  // The pipe holds a few frames; eventually it breaks, and this program must survive that.
  Status status;
  for (int k = 0; k < 10 && status.ok(); ++k) status = writer->add(frame(640, 640, k));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("Unknown encoder"), std::string::npos) << status.error().message();
  EXPECT_FALSE(writer->finish().ok());
  EXPECT_EQ(files(), 0);
}

TEST_F(Film, ProgramThatFailsAtTheEndLeavesNothing) {
  pretend("cat > /dev/null; echo 'No space left on device' >&2; exit 3");
  auto writer = FilmWriter::open(film(), 64, 64);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->add(frame(64, 64, 0)).ok());
  const Status status = writer->finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("No space left"), std::string::npos);
  EXPECT_EQ(files(), 0);
}

TEST_F(Film, AbandonedFilmIsDiscarded) {
  pretend("cat > /dev/null");
  {
    auto writer = FilmWriter::open(film(), 64, 64);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->add(frame(64, 64, 0)).ok());
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(Film, ProgramThatWritesNothingMakesNoFilm) {
  pretend("cat > /dev/null");
  auto writer = FilmWriter::open(film(), 64, 64);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->add(frame(64, 64, 0)).ok());
  const Status status = writer->finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("ffmpeg wrote nothing"), std::string::npos) << status.error().message();
  EXPECT_EQ(files(), 0);
}

// Whether it reads no frame or does not end; in a shell or as the program itself.
TEST_F(Film, ProgramThatHangsIsEndedByAnInterrupt) {
  for (const char* script : {"sleep 3600", "exec sleep 3600", "cat > /dev/null; sleep 3600"}) {
    pretend(script);
    std::atomic<bool> interrupt{false};
    auto writer = FilmWriter::open(film(), 640, 640, {.interrupt = &interrupt, .patience = 0.2});
    ASSERT_TRUE(writer.ok());
    interrupt = true;
    Status status;
    for (int k = 0; k < 3 && status.ok(); ++k) status = writer->add(frame(640, 640, k));
    if (status.ok()) status = writer->finish();
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message().find("ffmpeg hangs, and was ended"), std::string::npos)
        << status.error().message();
    EXPECT_EQ(files(), 0);
  }
}

// A slow one finishes the film of an interrupted program.
TEST_F(Film, ProgramThatEndsAfterAnInterruptMakesItsFilm) {
  pretend("for last; do :; done; cat > \"${last#file:}\"; sleep 0.3");
  std::atomic<bool> interrupt{true};
  auto writer = FilmWriter::open(film(), 64, 64, {.interrupt = &interrupt, .patience = 20});
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->add(frame(64, 64, 0)).ok());
  const Status finished = writer->finish();
  ASSERT_TRUE(finished.ok()) << finished.error().message();
  EXPECT_EQ(fs::file_size(film()), 3u * 64 * 64);
}

TEST_F(Film, RefusesWrongFramesAndSizes) {
  EXPECT_FALSE(FilmWriter::open(film(), 1, 64).ok());
  EXPECT_FALSE(FilmWriter::open(film(), 64, 100000).ok());
  EXPECT_FALSE(FilmWriter::open(film(), 64, 64, {.frames_per_second = 0}).ok());
  EXPECT_FALSE(FilmWriter::open((folder_ / "missing" / "film.mp4").string(), 64, 64).ok());
  pretend("cat > /dev/null");
  auto writer = FilmWriter::open(film(), 64, 64);
  ASSERT_TRUE(writer.ok());
  EXPECT_FALSE(writer->add(frame(32, 64, 0)).ok());
  EXPECT_TRUE(writer->add(frame(64, 64, 0)).ok());
}

}  // namespace
}  // namespace sinew
