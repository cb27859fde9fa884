// Expectations: an independent decoder (stb_image) reads back what was written.
#include "render/png.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace sinew {
namespace {

TEST(Png, ReadsBackAsWritten) {
  const auto folder = std::filesystem::temp_directory_path() / ("sinew_png_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  for (auto [w, h] : {std::pair{1, 1}, {37, 11}, {640, 360}}) {
    Image image{w, h, {}};
    uint32_t state = 7;
    for (int i = 0; i < 3 * w * h; ++i) {
      state = state * 1664525u + 1013904223u;
      image.rgb.push_back(static_cast<uint8_t>(i % 7 ? i / 50 : state >> 24));
    }
    const std::string path = (folder / "picture.png").string();
    const Status status = write_png(path, image);
    ASSERT_TRUE(status.ok()) << status.error().message();
    int width, height, channels;
    unsigned char* pixels = stbi_load(path.c_str(), &width, &height, &channels, 3);
    ASSERT_NE(pixels, nullptr) << stbi_failure_reason();
    EXPECT_EQ(width, w);
    EXPECT_EQ(height, h);
    EXPECT_TRUE(std::equal(image.rgb.begin(), image.rgb.end(), pixels));
    stbi_image_free(pixels);
  }
  // Nothing else is left behind.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

TEST(Png, RefusesWhatIsNoPictureOrNoPlace) {
  EXPECT_FALSE(write_png("/nowhere/at/all.png", Image{1, 1, {0, 0, 0}}).ok());
  EXPECT_FALSE(write_png("/tmp/sinew_never.png", Image{2, 2, {0, 0, 0}}).ok());
  EXPECT_FALSE(write_png("/tmp/sinew_never.png", Image{}).ok());
}

}  // namespace
}  // namespace sinew
