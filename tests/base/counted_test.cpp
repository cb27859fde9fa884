// Definition: English has a form for one and a form for many, which 0 takes too.
#include "base/counted.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Counted, HasTheFormOfTheNumber) {
  EXPECT_EQ(counted(0, "frame"), "0 frames");
  EXPECT_EQ(counted(1, "frame"), "1 frame");
  EXPECT_EQ(counted(2, "vertex", "vertices"), "2 vertices");
  EXPECT_EQ(counted(3'000'000'000, "tet"), "3000000000 tets");
}

TEST(Counted, ElementsHaveTheNameOfTheirKind) {
  EXPECT_EQ(elements_text(2560, 0), "2560 tets");
  EXPECT_EQ(elements_text(32, 32), "32 triangles");
  EXPECT_EQ(elements_text(1, 1), "1 triangle");
  EXPECT_EQ(elements_text(40, 8), "40 elements");
}

}  // namespace
}  // namespace sinew
