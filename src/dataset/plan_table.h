// The table of a plan: parameters of samples that come from elsewhere.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace sinew {

struct PlanTable {
  std::vector<std::string> columns;  // their names; of arrays their numbers
  std::vector<double> values;        // row by row; 0 where there is no number
  // Of columns with a field that is no finite number, the first such field. Other columns can be used.
  std::map<std::string, Error> faulty;
  size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
};

// CSV with names in its first row, or a NumPy array of numbers. Errors: of an array a value that is not finite; rows of
// different lengths; columns with one name; bytes that are not UTF-8; no rows.
Result<PlanTable> read_plan_table(const std::filesystem::path& path);

}  // namespace sinew
