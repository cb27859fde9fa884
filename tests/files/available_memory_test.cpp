// Sources: proc(5), /proc/meminfo; the kernel's documentation of control groups, memory.max, memory.current and
// memory.stat, and of version 1; getrlimit(2).
#include "files/available_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>

#include "io/temporary_folder.h"

namespace sinew {
namespace {

TEST(AvailableMemory, IsTheLineOfMeminfo) {
  EXPECT_EQ(available_in_meminfo("MemTotal:       24000 kB\nMemFree:  7 kB\nMemAvailable:   12345 kB\nBuffers: 1 kB\n"),
            12345 * 1024);
  EXPECT_FALSE(available_in_meminfo("MemTotal:       24000 kB\n"));
  EXPECT_FALSE(available_in_meminfo("MemAvailable: much\n"));
}

using ControlGroups = TemporaryFolder;

TEST_F(ControlGroups, TheTightestAroundTheProcessCounts) {
  const auto group = [&](const std::string& name, const std::string& most, const std::string& used,
                         const std::string& stat) {
    std::filesystem::create_directories(folder() / name);
    std::ofstream(folder() / name / "memory.max") << most << "\n";
    std::ofstream(folder() / name / "memory.current") << used << "\n";
    std::ofstream(folder() / name / "memory.stat") << stat;
  };
  const auto left = [&](const std::string& self) { return available_in_groups(folder(), self); };
  EXPECT_FALSE(left("0::/\n")) << "no groups";
  group("", "max", "5000", "");
  EXPECT_FALSE(left("0::/\n")) << "no limit";
  group("a", "9000", "5000", "anon 100\ninactive_file 1000\nactive_file 70\n");
  group("a/b", "max", "400", "");
  group("a/b/c", "6000", "100", "");
  EXPECT_EQ(left("0::/a/b/c\n"), 9000 - (5000 - 1000)) << "files that are not in use can go";
  group("a/b/c", "600", "100", "");
  EXPECT_EQ(left("0::/a/b/c\n"), 500);
  EXPECT_EQ(left("0::/a/b\n"), 5000);
  EXPECT_EQ(left("0::/unseen/from/a/container\n"), std::nullopt);
  group("", "3000", "4000", "inactive_file 0\n");
  EXPECT_EQ(left("0::/unseen/from/a/container\n"), 0) << "its root is its own group";
}

TEST_F(ControlGroups, OfVersion1) {
  std::filesystem::create_directories(folder() / "memory/job");
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder() / "memory" / name) << text; };
  write("memory.limit_in_bytes", "9223372036854771712\n");
  write("memory.usage_in_bytes", "77\n");
  const char* self = "12:cpuset:/job\n9:memory:/job\n1:name=systemd:/job\n";
  EXPECT_FALSE(available_in_groups(folder(), self));
  write("job/memory.limit_in_bytes", "5000\n");
  write("job/memory.usage_in_bytes", "3000\n");
  write("job/memory.stat", "inactive_file 7\ntotal_inactive_file 500\n");
  EXPECT_EQ(available_in_groups(folder(), self), 2500);
  EXPECT_FALSE(available_in_groups(folder(), "12:cpuset:/job\n"));
}

TEST(AvailableMemory, StaysWithinTheLimitsOfTheProcess) {
  const char* status = "Name:\tsinew\nVmPeak:\t 900 kB\nVmSize:\t     700 kB\nVmData:\t 300 kB\n";
  for (const auto& [resource, used] : {std::pair{RLIMIT_AS, 700 << 10}, {RLIMIT_DATA, 300 << 10}}) {
    rlimit before{};
    ASSERT_EQ(getrlimit(resource, &before), 0);
    const rlimit limit{rlim_t{1} << 50, before.rlim_max};
    if (limit.rlim_cur > before.rlim_max) GTEST_SKIP() << "there is a limit already";
    ASSERT_EQ(setrlimit(resource, &limit), 0);
    EXPECT_EQ(available_in_limits(status), (int64_t{1} << 50) - used);
    EXPECT_FALSE(available_in_limits("Name:\tsinew\n")) << "without the line";
    ASSERT_EQ(setrlimit(resource, &before), 0);
  }
}

TEST(AvailableMemory, IsMoreThanATestNeeds) {
  EXPECT_GT(available_memory().value_or(1 << 30), 1 << 20);
}

}  // namespace
}  // namespace sinew
