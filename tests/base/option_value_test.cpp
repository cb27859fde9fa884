// Source: the promises of sinew/option_value.h: a number may be given as any arithmetic type.
#include "sinew/option_value.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sinew {
namespace {

TEST(OptionScalar, TakesIntegersAsNumbers) {
  const int iterations = 20;
  for (const OptionScalar& value : {OptionScalar(20), OptionScalar(iterations), OptionScalar(int64_t{20}),
                                    OptionScalar(size_t{20}), OptionScalar(20.0), OptionScalar(20.0f)}) {
    ASSERT_TRUE(std::holds_alternative<double>(value));
    EXPECT_EQ(std::get<double>(value), 20);
  }
  EXPECT_EQ(OptionScalar(-3), OptionScalar(-3.0));
}

TEST(OptionScalar, KeepsSwitchesAndWordsApart) {
  EXPECT_TRUE(std::holds_alternative<bool>(OptionScalar(true)));
  for (const OptionScalar& word :
       {OptionScalar("double"), OptionScalar(std::string("double")), OptionScalar(std::string_view("double"))})
    EXPECT_EQ(std::get<std::string>(word), "double");
  EXPECT_NE(OptionScalar(true), OptionScalar(1));
}

TEST(OptionValues, HaveOneValueOfEachName) {
  OptionValues options{{"iterations", 20}, {"precision", "single"}};
  options.set("precision", "double");
  options.set("tolerance", 1e-3);
  options.set("iterations", 30);
  EXPECT_EQ(options, (OptionValues{{"iterations", 30.0}, {"precision", "double"}, {"tolerance", 1e-3}}));
  ASSERT_NE(options.find("tolerance"), nullptr);
  EXPECT_EQ(*options.find("tolerance"), OptionScalar(1e-3));
  EXPECT_EQ(options.find("tol"), nullptr);
  options = {{"iterations", 1}};
  EXPECT_EQ(options.size(), 1u);
}

}  // namespace
}  // namespace sinew
