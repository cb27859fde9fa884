// EXPECT_TRUE(says(text, "key words")): a failure prints both.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sinew {

inline testing::AssertionResult says(const std::string& text, std::string_view words) {
  if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << words << "' is not in: " << text;
}

}  // namespace sinew
