// Source: the layout in io/envelope.h and the errors promised in record/checkpoint.h.
#include "record/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "files/read_file.h"
#include "io/says.h"
#include "io/temporary_folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

const CheckpointIdentity kIdentity{"0.1.0", 0x123456789abcdefull, 1, 2};

Checkpoint sample() {
  Checkpoint c;
  // Values that a conversion would change: negative zero, the smallest and largest numbers, a third.
  c.state.x = {{1.0 / 3, -0.0, 5e-324}, {std::numeric_limits<double>::max(), 1, 2}};
  c.state.v = {{0.1, 0.2, 0.3}, {4, 5, 6}};
  c.state.fall = {1, 0.25};
  c.state.time = 0.1 + 0.2;
  c.state.step = 123456789012;
  c.contacts = std::string("\0places", 7);
  c.frame = 42;
  c.frames_written = 21;
  return c;
}

bool same_bits(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0;
}

std::string error_of(const std::string& file, const CheckpointIdentity& identity = kIdentity) {
  const Result<Checkpoint> result = decode_checkpoint(file, identity, "out/checkpoint.bin");
  return result ? "" : result.error().message();
}

class CheckpointTest : public TemporaryFolder {
 protected:
  static Status save(const fs::path& path, const Checkpoint& c) {
    return save_checkpoint(path, c.state, c.contacts, c.frame, c.frames_written, kIdentity);
  }
  std::string encoded() const {
    const fs::path path = folder() / "sample.bin";
    EXPECT_TRUE(save(path, sample()));
    return read_file(path).value();
  }
};

TEST_F(CheckpointTest, ComesBackWithItsBits) {
  const fs::path path = folder() / "checkpoint.bin";
  ASSERT_TRUE(save(path, sample()));
  const Result<Checkpoint> loaded = load_checkpoint(path, kIdentity);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Checkpoint expected = sample();
  EXPECT_TRUE(same_bits(loaded->state.x, expected.state.x));
  EXPECT_TRUE(same_bits(loaded->state.v, expected.state.v));
  EXPECT_EQ(loaded->state.fall, expected.state.fall);
  EXPECT_EQ(loaded->state.time, expected.state.time);
  EXPECT_EQ(loaded->state.step, expected.state.step);
  EXPECT_EQ(loaded->contacts, expected.contacts);
  EXPECT_EQ(loaded->frame, expected.frame);
  EXPECT_EQ(loaded->frames_written, expected.frames_written);
  EXPECT_EQ(entries(), 1) << "nothing is left beside it";
}

TEST_F(CheckpointTest, BeginsAsDocumented) {
  const std::string file = encoded();
  EXPECT_EQ(file.substr(0, 8), "SINEWCKP");
  uint32_t mark = 0, version = 0;
  uint64_t size = 0;
  std::memcpy(&mark, file.data() + 8, 4);
  std::memcpy(&version, file.data() + 12, 4);
  std::memcpy(&size, file.data() + 16, 8);
  EXPECT_EQ(mark, 0x01020304u);
  EXPECT_EQ(version, 5u);
  EXPECT_EQ(size, file.size() - 32);
}

TEST_F(CheckpointTest, EveryTruncationIsAnError) {
  const std::string file = encoded();
  ASSERT_EQ(error_of(file), "");
  EXPECT_TRUE(says(error_of(""), "is empty"));
  for (size_t length = 1; length < file.size(); ++length)
    EXPECT_TRUE(says(error_of(file.substr(0, length)), "is truncated")) << length;
  EXPECT_TRUE(says(error_of(file + "x"), "is damaged"));
}

TEST_F(CheckpointTest, EveryChangedByteIsAnError) {
  const std::string file = encoded();
  for (size_t k = 0; k < file.size(); ++k) {
    std::string changed = file;
    changed[k] = static_cast<char>(changed[k] ^ 0x10);
    EXPECT_NE(error_of(changed), "") << k;
  }
  std::string changed = file;
  changed[100] = static_cast<char>(changed[100] ^ 1);
  EXPECT_TRUE(says(error_of(changed), "is damaged"));
  EXPECT_TRUE(says(error_of(changed), "--overwrite"));
}

TEST_F(CheckpointTest, OthersAreToldApart) {
  const std::string file = encoded();
  EXPECT_TRUE(says(error_of(file, {"0.2.0", kIdentity.scene_hash, 1, 2}), "was written by Sinew 0.1.0; this is 0.2.0"));
  EXPECT_TRUE(says(error_of(file, {"0.1.0", 1, 1, 2}), "belongs to another scene"));
  EXPECT_TRUE(says(error_of(file, {"0.1.0", 1, 1, 2}), "new output folder"));
  EXPECT_TRUE(says(error_of(file, {"0.1.0", kIdentity.scene_hash, 3, 2}), "has 1 vertices; the scene has 3"));
  EXPECT_TRUE(says(error_of(file, {"0.1.0", kIdentity.scene_hash, 1, 4}), "belongs to another scene"));
  EXPECT_TRUE(says(error_of("POINTCACHE2 and so on, certainly more than a header"), "is not a checkpoint of Sinew"));
  std::string swapped = file;
  std::swap(swapped[8], swapped[11]);
  std::swap(swapped[9], swapped[10]);
  EXPECT_TRUE(says(error_of(swapped), "other byte order"));
  std::string later = file;
  later[12] = 9;
  EXPECT_TRUE(says(error_of(later), "has format version 9; this program reads version 5"));
}

TEST_F(CheckpointTest, TheOldOneStaysUntilTheNewOneIsThere) {
  const fs::path path = folder() / "checkpoint.bin";
  ASSERT_TRUE(save(path, sample()));
  // The new one cannot be written: a folder has its temporary name.
  fs::create_directory(folder() / "checkpoint.next.bin");
  Checkpoint later = sample();
  later.frame = 50;
  EXPECT_FALSE(save(path, later));
  const Result<Checkpoint> loaded = load_checkpoint(path, kIdentity);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->frame, 42);
}

}  // namespace
}  // namespace sinew
