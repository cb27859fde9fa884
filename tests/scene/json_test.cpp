// Sources: RFC 8259; reading back what was written gives the same document.
#include "scene/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sinew {
namespace {

std::string rewritten(const std::string& text) {
  const Result<Json> json = parse_json(text, "text");
  EXPECT_TRUE(json.ok()) << json.error().message();
  return json ? write_json(*json) : "";
}

TEST(Json, KeepsOrderKindsAndText) {
  const std::string text = R"({"b": [1, 2.5, true, null], "a": {"x": "\"\\\n\u00e9"}, "c": {}, "d": []})";
  const Json json = *parse_json(text, "text");
  EXPECT_EQ(json.keys, (std::vector<std::string>{"b", "a", "c", "d"}));
  EXPECT_TRUE(json.find("b")->items[0].whole);
  EXPECT_FALSE(json.find("b")->items[1].whole);
  EXPECT_EQ(json.find("a")->find("x")->text, "\"\\\n\u00e9");
  EXPECT_EQ(json.find("z"), nullptr);
  EXPECT_EQ(rewritten(write_json(json)), write_json(json));
}

TEST(Json, NumbersReadBackAsTheSameBits) {
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e5, 123456789.123}) {
    const Json json = *parse_json(write_json(Json(value)), "text");
    EXPECT_EQ(json.number, value);
    EXPECT_EQ(std::signbit(json.number), std::signbit(value));
  }
  EXPECT_EQ(write_json(Json(std::numeric_limits<double>::infinity())), "null\n");
  EXPECT_EQ(write_json(Json(2147483647)), "2147483647\n");
}

TEST(Json, ShortThingsStandOnOneLine) {
  EXPECT_EQ(rewritten(R"({"a":[1,2,3],"b":{"c":1}})"), "{\n  \"a\": [1, 2, 3],\n  \"b\": {\"c\": 1}\n}\n");
}

TEST(Json, LongListsAreFilled) {
  Json list = Json::array();
  for (int k = 0; k < 1000; ++k) list.add(1000 + k);
  const std::string text = write_json(list);
  size_t longest = 0, begin = 0, lines = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1, ++lines)
    longest = std::max(longest, end - begin);
  EXPECT_LE(longest, 100u);
  EXPECT_LT(lines, 80u);
  EXPECT_EQ(parse_json(text, "text")->items.size(), 1000u);
}

TEST(Json, BriefTextIsShortAndWholeUtf8) {
  const std::string text = brief_json(Json(std::string(100, 'x')), 20);
  EXPECT_EQ(text, "\"xxxxxxxxxxxxxxxxxxx...");
  EXPECT_EQ(brief_json(Json("\u00e9\u00e9\u00e9\u00e9"), 4), "\"\u00e9...");
}

TEST(Json, NothingIsToldAsIt) {
  for (const char* text : {"", " \n\t"})
    EXPECT_EQ(parse_json(text, "text").error().message(), "text: is empty; save it again");
}

TEST(Json, AByteThatIsZeroEndsNothing) {
  const std::string text("{\n} \0 {", 7);
  EXPECT_EQ(parse_json(text, "text").error().message(),
            "text:2: has a byte that is 0, which text has not; save it as UTF-8");
}

TEST(Json, ManyMembersAreReadInGoodTime) {
  std::string text = "{";
  for (int k = 0; k < 200000; ++k) text += (k ? ",\n\"k" : "\"k") + std::to_string(k) + "\": 1";
  EXPECT_EQ(parse_json(text + "}", "text")->items.size(), 200000u);
}

}  // namespace
}  // namespace sinew
