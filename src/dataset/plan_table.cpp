#include "dataset/plan_table.h"

#include <cmath>
#include <set>

#include "base/digits.h"
#include "base/format.h"
#include "files/read_file.h"
#include "io/csv.h"
#include "io/npy.h"

namespace sinew {
namespace {

Result<PlanTable> table_of_array(const std::string& bytes, const std::string& name) {
  const Result<NpyArray> array = parse_npy(bytes, name);
  if (!array) return array.error();
  PlanTable table;
  for (size_t c = 0; c < array->columns; ++c) table.columns.push_back(std::to_string(c));
  table.values = array->as_doubles();
  for (size_t k = 0; k < table.values.size(); ++k)
    if (!std::isfinite(table.values[k]))
      return Error{name, format("row %zu, column %zu: not a finite number", k / array->columns, k % array->columns),
                   "remove the row, or give a number"};
  return table;
}

std::string_view trimmed(std::string_view field) {
  while (field.starts_with(' ')) field.remove_prefix(1);
  while (field.ends_with(' ')) field.remove_suffix(1);
  return field;
}

Result<PlanTable> table_of_text(std::string text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  if (!text.empty() && text.back() != '\n') text += '\n';
  const std::vector<std::vector<std::string>> records = parse_csv(text);
  if (records.empty()) return Error{name, "is empty", "the first row has the names of the columns"};
  PlanTable table;
  for (const std::string& column : records.front()) table.columns.emplace_back(trimmed(column));
  if (std::set<std::string>(table.columns.begin(), table.columns.end()).size() < table.columns.size())
    return Error{name + ":1", "two columns have the same name", ""};
  for (size_t r = 1; r < records.size(); ++r) {
    const std::string line = name + format(":%zu", r + 1);
    if (records[r].size() == 1 && records[r][0].empty()) continue;
    if (records[r].size() != table.columns.size())
      return Error{line, format("%zu fields under %zu names", records[r].size(), table.columns.size()), ""};
    for (size_t c = 0; c < table.columns.size(); ++c) {
      std::string_view field = trimmed(records[r][c]);
      if (field.starts_with('+')) field.remove_prefix(1);
      double value = 0;
      const auto [end, fault] = read_digits(field.data(), field.data() + field.size(), value);
      if (fault != std::errc() || end != field.data() + field.size() || !std::isfinite(value))
        return Error{line, "\"" + records[r][c] + "\" of column " + table.columns[c] + " is not a finite number", ""};
      table.values.push_back(value);
    }
  }
  return table;
}

}  // namespace

Result<PlanTable> read_plan_table(const std::filesystem::path& path) {
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  Result<PlanTable> table =
      path.extension() == ".npy" ? table_of_array(*bytes, path.string()) : table_of_text(*bytes, path.string());
  if (table && table->values.empty()) return Error{path.string(), "has no rows", ""};
  return table;
}

}  // namespace sinew
