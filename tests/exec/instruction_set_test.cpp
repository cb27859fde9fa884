// Source: the promises of sinew/lanes.h.
#include "exec/instruction_set.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sinew {
namespace {

TEST(Lanes, AreTheWidestUnlessSet) {
  const std::vector<int> widths = available_lanes();
  ASSERT_GE(widths.size(), 2u);
  EXPECT_EQ(widths[0], 1);
  EXPECT_EQ(widths[1], 4);
  EXPECT_TRUE(std::is_sorted(widths.begin(), widths.end()));
  EXPECT_EQ(lanes_in_use(), widths.back());
  for (const int lanes : widths) {
    EXPECT_TRUE(has_float_lanes(lanes));
    ASSERT_TRUE(set_lanes(lanes).ok());
    EXPECT_EQ(lanes_in_use(), lanes);
  }
  ASSERT_TRUE(set_lanes(0).ok());
  EXPECT_EQ(lanes_in_use(), widths.back());
}

TEST(Lanes, ThatThereAreNotAreRefusedWithThoseThereAre) {
  ASSERT_TRUE(set_lanes(4).ok());
  for (const int lanes : {-1, 2, 3, 5, 32}) {
    const Status refused = set_lanes(lanes);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message().find("lanes = " + std::to_string(lanes) + " [-]: there is no such width"), 0u);
    EXPECT_EQ(refused.error().remedy.find("use one of 1, 4"), 0u);
    EXPECT_EQ(lanes_in_use(), 4) << "as before";
  }
  ASSERT_TRUE(set_lanes(0).ok());
}

TEST(Lanes, ThatAreMissingHereSayWhetherTheProgramOrTheCpuLacksThem) {
  for (const int lanes : {1, 8, 16}) {
    if (has_float_lanes(lanes)) continue;
    const std::string message = set_lanes(lanes).error().message();
    EXPECT_TRUE(message.find("this program was built without that width") != std::string::npos ||
                message.find("this CPU does not have that width") != std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace sinew
