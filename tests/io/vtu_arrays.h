// The arrays of the frames that VtuWriter writes.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/deflate.h"
#include "io/vtu_array.h"

namespace sinew {

// The numbers of the array called `name` in a file of VtuWriter.
inline std::vector<double> array_of(const std::string& file, const std::string& name, const char* type) {
  const size_t entry = file.find("Name=\"" + name + "\"");
  EXPECT_NE(entry, std::string::npos) << name;
  const size_t offset = std::stoul(file.substr(file.find("offset=\"", entry) + 8));
  const size_t start = file.find("<AppendedData encoding=\"raw\">\n_") + 31;
  const VtuArray array{name, type, VtuArray::Storage::raw, std::string_view(file).substr(start + offset)};
  const auto values = read_reals(array, {!machine_is_little, true, can_deflate()}, -1);
  EXPECT_TRUE(values) << values.error().message();
  return values ? *values : std::vector<double>{};
}

}  // namespace sinew
