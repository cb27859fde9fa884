// Source: the grammar in experiment/claim.h; values by hand.
#include "experiment/claim.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sinew {
namespace {

Findings some() {
  Findings findings;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  findings.series["main.vbd.residual"] = {{0, 1, 2, 3}, {0, 0.5, 1, 1.5}, {8, 4, 1, 2}};
  findings.series["main.vbd.error"] = {{0, 1}, {0, 1}, {unknown, 3}};
  findings.series["main.vbd.empty"] = {};
  findings.numbers["main.tets"] = 320;
  return findings;
}

double number(const std::string& text) {
  const Result<double> value = evaluate_number(text, some());
  EXPECT_TRUE(value.ok()) << text << ": " << (value.ok() ? "" : value.error().message());
  return value.ok() ? *value : 0;
}
bool holds(const std::string& text) {
  const Result<Judgement> judged = judge_claim(text, some());
  EXPECT_TRUE(judged.ok()) << text << ": " << (judged.ok() ? "" : judged.error().message());
  return judged.ok() && judged->holds;
}
std::string fault(const std::string& text) {
  const Result<Judgement> judged = judge_claim(text, some());
  EXPECT_FALSE(judged.ok()) << text;
  return judged.ok() ? "" : judged.error().message();
}

TEST(Claim, CalculatesByTheUsualRules) {
  EXPECT_EQ(number("1 + 2 * 3"), 7);
  EXPECT_EQ(number("(1 + 2) * 3"), 9);
  EXPECT_EQ(number("8 / 2 / 2"), 2);
  EXPECT_EQ(number("5 - 2 - 1"), 2);
  EXPECT_EQ(number("-2 * -3"), 6);
  EXPECT_EQ(number("1e-3 * 1e3"), 1);
  EXPECT_EQ(number("abs(-2) + sqrt(9) + log10(100)"), 7);
}

TEST(Claim, TakesWhatItNeedsOfASeries) {
  EXPECT_EQ(number("first(main.vbd.residual)"), 8);
  EXPECT_EQ(number("last(main.vbd.residual)"), 2);
  EXPECT_EQ(number("min(main.vbd.residual)"), 1);
  EXPECT_EQ(number("max(main.vbd.residual)"), 8);
  EXPECT_EQ(number("mean(main.vbd.residual)"), 3.75);
  EXPECT_EQ(number("median(main.vbd.residual)"), 3);
  EXPECT_EQ(number("count(main.vbd.residual)"), 4);
  EXPECT_EQ(number("at(main.vbd.residual, 1.5)"), 4) << "the last one that is not after it";
  EXPECT_EQ(number("reach(main.vbd.residual, 4)"), 1);
  EXPECT_EQ(number("reach_ms(main.vbd.residual, 4)"), 0.5);
  EXPECT_TRUE(std::isinf(number("reach(main.vbd.residual, 0.5)")));
  EXPECT_EQ(number("main.tets / 2"), 160);
}

TEST(Claim, PassesOverWhatIsUnknown) {
  EXPECT_EQ(number("min(main.vbd.error)"), 3);
  EXPECT_TRUE(std::isnan(number("first(main.vbd.error)")));
  EXPECT_TRUE(std::isnan(number("max(main.vbd.empty)")));
  EXPECT_TRUE(std::isnan(number("last(main.vbd.empty)")));
  EXPECT_FALSE(holds("first(main.vbd.error) < 1e9")) << "what is unknown fulfils nothing";
}

TEST(Claim, JoinsComparisons) {
  EXPECT_TRUE(holds("1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2"));
  EXPECT_FALSE(holds("1 < 2 and 2 < 2"));
  EXPECT_TRUE(holds("2 < 1 or 1 < 2"));
  EXPECT_TRUE(holds("not 2 < 1"));
  EXPECT_TRUE(holds("2 < 1 and 2 < 1 or 1 < 2")) << "and binds more";
  EXPECT_FALSE(holds("2 < 1 and (2 < 1 or 1 < 2)"));
  EXPECT_TRUE(holds("(1 + 1) * 2 < 5 and (1 < 2)"));
}

TEST(Claim, ShowsTheFiguresItIsMadeOf) {
  const Result<Judgement> judged = judge_claim(
      "last( main.vbd.residual ) < 0.5 * first(main.vbd.residual) and (last( main.vbd.residual ) < main.tets)", some());
  ASSERT_TRUE(judged.ok());
  using Figures = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(judged->figures,
            (Figures{{"last( main.vbd.residual )", 2}, {"first(main.vbd.residual)", 8}, {"main.tets", 320}}));
}

TEST(Claim, SaysWhatItCannotRead) {
  EXPECT_NE(fault("last(main.vbd.residul) < 1").find("main.vbd.residual"), std::string::npos) << "the nearest name";
  EXPECT_NE(fault("lst(main.vbd.residual) < 1").find("last"), std::string::npos);
  EXPECT_NE(fault("main.vbd.residual < 1").find("is a series"), std::string::npos);
  EXPECT_NE(fault("main.tet < 1").find("main.tets"), std::string::npos);
  EXPECT_NE(fault("1 < 2 3").find("at character 7"), std::string::npos);
  EXPECT_NE(fault("1").find("comparison"), std::string::npos);
  EXPECT_NE(fault("(1 < 2").find("\")\""), std::string::npos);
  EXPECT_NE(fault("").find("expected a number"), std::string::npos);
  EXPECT_NE(fault("at(main.vbd.residual) < 1").find("\",\""), std::string::npos);
}

}  // namespace
}  // namespace sinew
