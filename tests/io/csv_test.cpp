// Source: RFC 4180 (Shafranovich 2005), section 2, with its rule numbers below.
#include "io/csv.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

using Records = std::vector<std::vector<std::string>>;

TEST(Csv, QuotesWhatNeedsIt) {
  CsvWriter csv;
  for (const char* text : {"plain", "", "a,b", "say \"so\"", "two\nlines", "[N/m^2]"}) csv.field(text);
  csv.end_record();
  // Rules 1, 6 and 7.
  EXPECT_EQ(csv.text(), "plain,,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",[N/m^2]\r\n");
}

TEST(Csv, NumbersReadBackToTheSameValue) {
  CsvWriter csv;
  const double values[] = {0.1, 1.0 / 3, 1e-300, 123456789, -0.0};
  for (const double value : values) csv.field(value);
  csv.field(int64_t{-9007199254740993});
  csv.end_record();
  const Records records = parse_csv(csv.text());
  ASSERT_EQ(records.size(), 1u);
  for (size_t k = 0; k < std::size(values); ++k) EXPECT_EQ(std::stod(records[0][k]), values[k]);
  EXPECT_EQ(records[0][0], "0.1");
  EXPECT_EQ(records[0].back(), "-9007199254740993");
}

TEST(Csv, WhatIsNotANumberIsEmpty) {
  CsvWriter csv;
  csv.field(1);
  csv.field(std::nan(""));
  csv.field(HUGE_VAL);
  csv.field(2);
  csv.end_record();
  EXPECT_EQ(csv.take(), "1,,,2\r\n");
  EXPECT_EQ(csv.take(), "");
}

TEST(Csv, ReadsWhatItWrites) {
  const Records table = {{"step", "a \"b\" c", "x,y"}, {"", "line\r\nend", "last"}};
  CsvWriter csv;
  for (const auto& record : table) {
    for (const std::string& field : record) csv.field(field);
    csv.end_record();
  }
  std::vector<size_t> ends;
  EXPECT_EQ(parse_csv(csv.text(), &ends), table);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[1], csv.text().size());
  EXPECT_EQ(csv.text().substr(ends[0] - 2, 2), "\r\n");
}

TEST(Csv, LeavesOutARecordWithoutItsEnd) {
  EXPECT_EQ(parse_csv("a,b\r\n1,2\r\n3,4"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(parse_csv("a,b\n1,\"2\n"), (Records{{"a", "b"}}));
  EXPECT_EQ(parse_csv(""), Records{});
}

}  // namespace
}  // namespace sinew
