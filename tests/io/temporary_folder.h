// A test fixture with an empty folder of its own, removed at the end.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <iterator>
#include <string>

namespace sinew {

class TemporaryFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "sinew_test_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  const std::filesystem::path& folder() const { return folder_; }
  // The number of files in it, including hidden ones.
  long entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator{});
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace sinew
