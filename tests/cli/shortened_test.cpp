// Source: the promises of base/shortened.h.
#include "shortened.h"

#include <gtest/gtest.h>

namespace sinew::cli {
namespace {

TEST(Shortened, NamesBeyondAllMeasure) {
  const std::string name(100'000, 'n'), path(450, 'p');
  const std::string message = shortened(name + " is no name; did you mean '" + path + "'?");
  EXPECT_LT(message.size(), 1100u);
  EXPECT_TRUE(message.starts_with("nnn"));
  EXPECT_NE(message.find(" bytes)..."), std::string::npos) << message;
  EXPECT_NE(message.find("is no name; did you mean '" + path + "'?"), std::string::npos) << "what is bearable stays";
}

TEST(Shortened, LinesOfManyWordsWithWholeCharacters) {
  std::string words;
  for (int k = 0; k < 50'000; ++k) words += "w ";
  const std::string line = shortened("first\n" + words + "\nlast");
  EXPECT_LT(line.size(), 2100u);
  EXPECT_TRUE(line.starts_with("first\nw w"));
  EXPECT_TRUE(line.ends_with("\nlast"));
  EXPECT_EQ(shortened(""), "");
  EXPECT_EQ(shortened("a  b \n\nc\n"), "a  b \n\nc\n");

  // Two-byte characters at even and odd offsets: none is cut in half.
  for (const std::string before : {"", "x"}) {
    std::string umlauts = before;
    for (int k = 0; k < 5'000; ++k) umlauts += "ä";
    const std::string shown = shortened(umlauts);
    EXPECT_LT(shown.size(), 600u);
    size_t letters = 0, halves = 0;
    for (size_t k = 0; k < shown.size(); ++k) {
      const auto byte = static_cast<unsigned char>(shown[k]);
      if (byte == 0xc3) ++letters;
      if (byte == 0xa4) ++halves;
      if (byte == 0xc3) {
        EXPECT_EQ(static_cast<unsigned char>(shown[k + 1]), 0xa4);
      }
    }
    EXPECT_EQ(letters, halves);
  }
}

}  // namespace
}  // namespace sinew::cli
