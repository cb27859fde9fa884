// Source: the layouts as Blender reads them (MOD_meshcache_pc2.c, MOD_meshcache_mdd.c) and as 3ds Max and LightWave
// document them; every byte of two small files is listed below.
#include "files/point_cache.h"

#include <gtest/gtest.h>

#include "files/read_file.h"
#include "io/temporary_folder.h"

namespace sinew {
namespace {

class PointCacheTest : public TemporaryFolder {
 protected:
  std::string written(PointCacheFormat format) {
    const std::vector<double> times = {0, 0.5};
    const std::filesystem::path path = folder() / "cache";
    Result<PointCacheWriter> writer = PointCacheWriter::create(path, format, 2, times);
    EXPECT_TRUE(writer);
    const std::vector<Vec3f> first = {{1, 2, 3}, {-1, 0, 0.5f}}, second = {{4, 5, 6}, {0, 0, 0}};
    EXPECT_TRUE(writer->add(first));
    EXPECT_FALSE(std::filesystem::exists(path)) << "not before it is whole";
    EXPECT_TRUE(writer->add(second));
    EXPECT_TRUE(writer->commit());
    return read_file(path).value();
  }
};

// The bytes of a string of hexadecimal digits.
std::string bytes_of(std::string_view hex) {
  std::string bytes;
  std::string digits;
  for (const char c : hex)
    if (c != ' ') digits += c;
  for (size_t k = 0; k < digits.size(); k += 2) bytes += static_cast<char>(std::stoi(digits.substr(k, 2), nullptr, 16));
  return bytes;
}

TEST_F(PointCacheTest, Pc2HasItsLayout) {
  EXPECT_EQ(written(PointCacheFormat::pc2),
            bytes_of("504f494e54434143484532 00"      // POINTCACHE2
                     "01000000 02000000"              // version, points
                     "00000000 0000803f 02000000"     // start 0, sampling 1, samples
                     "0000803f 00000040 00004040"     // 1 2 3
                     "000080bf 00000000 0000003f"     // -1 0 0.5
                     "00008040 0000a040 0000c040"     // 4 5 6
                     "00000000 00000000 00000000"));  // 0 0 0
}

TEST_F(PointCacheTest, MddHasItsLayout) {
  EXPECT_EQ(written(PointCacheFormat::mdd),
            bytes_of("00000002 00000002"              // frames, points
                     "00000000 3f000000"              // times 0 and 0.5
                     "3f800000 40000000 40400000"     // 1 2 3
                     "bf800000 00000000 3f000000"     // -1 0 0.5
                     "40800000 40a00000 40c00000"     // 4 5 6
                     "00000000 00000000 00000000"));  // 0 0 0
}

TEST_F(PointCacheTest, WithoutCommitThereIsNoFile) {
  {
    Result<PointCacheWriter> writer =
        PointCacheWriter::create(folder() / "cache", PointCacheFormat::pc2, 1, std::vector<double>{0, 1});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add(std::vector<Vec3f>{{1, 2, 3}}));
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(PointCacheTest, AMissingFolderIsAnError) {
  const auto writer = PointCacheWriter::create(folder() / "none" / "cache", PointCacheFormat::mdd, 1, {});
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().message().find("No such file or directory"), std::string::npos);
}

}  // namespace
}  // namespace sinew
