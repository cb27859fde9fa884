// Source: the promises of sinew/text.h.
#include "sinew/text.h"

#include <gtest/gtest.h>

#include <array>

namespace sinew {
namespace {

const std::vector<std::string> words{"iterations", "tolerance", "damping"};

TEST(Words, TheNearestIsSuggested) {
  EXPECT_EQ(nearest_word("iteratoins", words), "iterations");
  EXPECT_EQ(nearest_word("damp", words), "damping") << "the beginning of a word";
  EXPECT_EQ(nearest_word("speed", words), "");
  EXPECT_EQ(did_you_mean("tolerence", words), "did you mean 'tolerance'?");
}

TEST(Words, AreListedIfNoneIsNear) {
  EXPECT_NE(did_you_mean("speed", words).find("iterations, tolerance, damping"), std::string::npos);
  EXPECT_EQ(word_list(words), "iterations, tolerance, damping");
  EXPECT_EQ(word_list(std::array<std::string_view, 1>{"vbd"}), "vbd");
  EXPECT_EQ(word_list(std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace sinew
