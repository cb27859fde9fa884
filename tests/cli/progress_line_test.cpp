// Expectations: the promises of apps/cli/progress_line.h.
#include "progress_line.h"

#include <gtest/gtest.h>

namespace sinew::cli {
namespace {

const ProgressState halfway{0.5, "75/150", "12.0 s left", {"residual 7.44e-02 N", "inverted 0", "t 4.600 s"}};

TEST(ProgressLine, FitsAnyWidthAndKeepsTheResidualLongest) {
  for (int width = 0; width <= 160; ++width) {
    const std::string line = fitted_line(halfway, width);
    EXPECT_LE(line.size(), static_cast<size_t>(width));
    if (width >= 19) {
      EXPECT_NE(line.find("residual 7.44e-02 N"), std::string::npos) << width << ": " << line;
    }
  }
  EXPECT_EQ(fitted_line(halfway, 160),
            "[====================                    ]  50 %  75/150  12.0 s left  residual 7.44e-02 N  inverted 0  t "
            "4.600 s");
  EXPECT_EQ(fitted_line(halfway, 68), " 50 %  75/150  12.0 s left  residual 7.44e-02 N  inverted 0");
  EXPECT_EQ(fitted_line(halfway, 50), " 50 %  75/150  12.0 s left  residual 7.44e-02 N");
  EXPECT_EQ(fitted_line(halfway, 40), " 50 %  12.0 s left  residual 7.44e-02 N");
  EXPECT_EQ(fitted_line(halfway, 30), " 50 %  residual 7.44e-02 N");
  EXPECT_EQ(fitted_line(halfway, 8), "residual");
}

TEST(ProgressLine, SaysNothingOfATimeThatIsNotKnown) {
  ProgressState first = halfway;
  first.when.clear();
  EXPECT_EQ(plain_line(first), " 50 %  75/150  residual 7.44e-02 N  inverted 0  t 4.600 s");
}

TEST(ProgressLine, TimesAreForPeople) {
  EXPECT_EQ(left_text(0.04), "< 1 s left");
  EXPECT_EQ(left_text(1), "1.0 s left");
  EXPECT_EQ(duration_text(0.5), "0.5 s");
  EXPECT_EQ(duration_text(65), "1 min 05 s");
  EXPECT_EQ(duration_text(7260), "2 h 01 min");
}

}  // namespace
}  // namespace sinew::cli
