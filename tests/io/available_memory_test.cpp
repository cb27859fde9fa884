// Source: proc(5), /proc/meminfo.
#include "io/available_memory.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(AvailableMemory, IsTheLineOfMeminfo) {
  EXPECT_EQ(available_in_meminfo("MemTotal:       24000 kB\nMemFree:  7 kB\nMemAvailable:   12345 kB\nBuffers: 1 kB\n"),
            12345 * 1024);
  EXPECT_FALSE(available_in_meminfo("MemTotal:       24000 kB\n"));
  EXPECT_FALSE(available_in_meminfo("MemAvailable: much\n"));
}

TEST(AvailableMemory, IsMoreThanATestNeeds) {
  EXPECT_GT(available_memory().value_or(1 << 30), 1 << 20);
}

}  // namespace
}  // namespace sinew
