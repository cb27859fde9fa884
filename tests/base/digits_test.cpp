// What takes the place of std::to_chars and std::from_chars against them.
#include "base/digits.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace sinew {
namespace {

void expect_same_digits(double value) {
  char by_library[64], by_c[64];
  const auto expected = std::to_chars(by_library, by_library + sizeof by_library, value);
  const auto written = write_digits_by_c(by_c, by_c + sizeof by_c, value);
  ASSERT_EQ(std::string(by_c, written.ptr), std::string(by_library, expected.ptr));
}
void expect_same_number(const std::string& text) {
  const char* const last = text.data() + text.size();
  double expected = 7, read = 7;
  const auto by_library = std::from_chars(text.data(), last, expected);
  const auto by_c = read_digits_by_c(text.data(), last, read);
  EXPECT_EQ(by_c.ec, by_library.ec) << text;
  EXPECT_EQ(by_c.ptr, by_library.ptr) << text;
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(read)) << text;
  else
    EXPECT_EQ(std::bit_cast<uint64_t>(read), std::bit_cast<uint64_t>(expected)) << text;
}

TEST(Digits, AreThoseOfTheStandardLibrary) {
  std::mt19937_64 random(1);
  for (int k = -1074; k < 1024; ++k) {
    const double power = std::ldexp(1.0, k);
    for (const double value : {power, std::nextafter(power, 0.0), std::nextafter(power, 1e308), -power})
      expect_same_digits(value);
  }
  for (int k = 0; k < 100000; ++k) {
    const double value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    expect_same_digits(value);
    expect_same_digits(static_cast<double>(random() >> random() % 64));
    expect_same_digits(static_cast<double>(random() % 100000) / 1000);
  }
  for (const double value : {0.0, -0.0, 1e22, 1e23, 5e-324, std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    expect_same_digits(value);
}

TEST(Digits, AreReadAsTheStandardLibraryDoes) {
  for (const char* text : {"1.5",
                           "-0",
                           "0.1",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "0e999",
                           "1.",
                           ".5",
                           "-",
                           "-.",
                           "1e",
                           "1e+",
                           "1e5x",
                           "0x10",
                           "inf",
                           "-INFINITY",
                           "infin",
                           "nan",
                           "nan(12)",
                           "nan(",
                           "+1",
                           " 1",
                           "1.5.2",
                           "00012",
                           "4.9e-324",
                           "2e-324",
                           "1.7976931348623159e308",
                           "",
                           "123456789012345678901234567890",
                           "2.2250738585072011e-308"})
    expect_same_number(text);
  std::mt19937_64 random(2);
  for (int k = 0; k < 20000; ++k) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, std::bit_cast<double>(random())).ptr;
    expect_same_number(std::string(text, end));
  }
}

TEST(Digits, DoNotLeaveTheirRoom) {
  char room[4] = {};
  EXPECT_EQ(write_digits_by_c(room, room + 3, 0.1).ptr, room + 3);
  EXPECT_EQ(write_digits_by_c(room, room + 3, 0.25).ec, std::errc::value_too_large);
}

}  // namespace
}  // namespace sinew
