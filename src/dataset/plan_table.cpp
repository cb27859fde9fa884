#include "dataset/plan_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/digits.h"
#include "base/format.h"
#include "files/read_file.h"
#include "io/csv.h"
#include "io/npy.h"
#include "scene/json.h"

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

// How long the character is that begins with this byte; 0: none does.
size_t utf8_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

// RFC 3629: no longer forms than needed, no halves of pairs, nothing above U+10FFFF.
bool is_utf8(std::string_view text) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  for (size_t k = 0, length = 0; k < text.size(); k += length) {
    length = utf8_length(byte(k));
    if (length == 0 || k + length > text.size()) return false;
    for (size_t m = 1; m < length; ++m)
      if ((byte(k + m) & 0xc0) != 0x80) return false;
    if (length < 3) continue;
    const unsigned char first = byte(k), second = byte(k + 1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
        (first == 0xf4 && second > 0x8f))
      return false;
  }
  return true;
}

// The records of a file, and the lines in which they begin.
class CsvTable {
 public:
  CsvTable(std::string text, const std::string& name) : name_(name), text_(std::move(text)) {
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    records_ = parse_csv(text_, &ends_);
  }

  Result<PlanTable> read() {
    if (text_.empty()) return Error{name_, "is empty", "the first row has the names of the columns"};
    if (ends_.empty() || ends_.back() != text_.size())
      return Error{place(records_.size()), "a quote is opened and not closed", "close it, or leave it out"};
    for (const std::string& column : records_.front()) table_.columns.emplace_back(trimmed(column));
    if (const Status s = check_names(); !s) return s.error();
    for (size_t r = 1; r < records_.size(); ++r)
      if (const Status s = read_row(r); !s) return s.error();
    return std::move(table_);
  }

 private:
  // A quoted field may have line ends of its own.
  std::string place(size_t record) const {
    const size_t begin = record == 0 ? 0 : ends_[record - 1];
    const auto lines = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    return name_ + format(":%td", lines + 1);
  }
  std::string column(size_t c) const {
    return format("column %zu", c) + (table_.columns[c].empty() ? "" : " (" + shown(table_.columns[c]) + ")");
  }
  static std::string shown(std::string_view text) { return brief_json(Json(text)); }

  Status check_names() const {
    std::map<std::string_view, size_t> seen;
    for (size_t c = 0; c < table_.columns.size(); ++c) {
      const auto [same, is_new] = seen.emplace(table_.columns[c], c);
      if (!is_new)
        return Error{place(0), format("columns %zu and %zu have the same name, ", same->second, c) + shown(same->first),
                     "give each column a name of its own"};
    }
    return {};
  }

  Status read_row(size_t r) {
    const std::vector<std::string>& record = records_[r];
    const size_t columns = table_.columns.size();
    if (record.size() == 1 && record[0].empty()) return {};
    if (record.size() < columns)
      return Error{place(r),
                   format("%zu fields under %zu names: ", record.size(), columns) + column(record.size()) + " has none",
                   "give every row a number for each column"};
    if (record.size() > columns)
      return Error{place(r),
                   format("%zu fields under %zu names: column %zu has no name", record.size(), columns, columns),
                   "name it in the first row, or write numbers with a decimal point"};
    for (size_t c = 0; c < columns; ++c) {
      const std::optional<double> value = number_of(record[c]);
      if (!value) table_.faulty.emplace(table_.columns[c], no_number(r, c));
      table_.values.push_back(value.value_or(0));
    }
    return {};
  }
  static std::optional<double> number_of(std::string_view field) {
    field = trimmed(field);
    if (field.starts_with('+')) field.remove_prefix(1);
    double value = 0;
    const auto [end, fault] = read_digits(field.data(), field.data() + field.size(), value);
    const bool good = fault == std::errc() && end == field.data() + field.size() && std::isfinite(value);
    return good ? std::optional(value) : std::nullopt;
  }
  Error no_number(size_t r, size_t c) const {
    const bool is_one = table_.columns.size() == 1 && records_[r][c].find_first_of(";\t") != std::string::npos;
    return {place(r), column(c) + ": " + shown(records_[r][c]) + " is not a finite number",
            is_one ? "separate columns by commas" : "give a number, e.g. 0.5, or remove the row or the column"};
  }

  std::string name_, text_;
  std::vector<std::vector<std::string>> records_;
  std::vector<size_t> ends_;  // of the records in the text
  PlanTable table_;
};

Result<PlanTable> table_of_text(std::string text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  if (text.find('\0') != std::string::npos || !is_utf8(text))
    return Error{name, "is not text in UTF-8", "save it as UTF-8"};
  return CsvTable(std::move(text), name).read();
}

}  // namespace

Result<PlanTable> read_plan_table(const std::filesystem::path& path) {
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  Result<PlanTable> table =
      path.extension() == ".npy" ? table_of_array(*bytes, path.string()) : table_of_text(*bytes, path.string());
  if (table && table->values.empty())
    return Error{path.string(), "has no rows", "give it a row of numbers for each sample"};
  return table;
}

}  // namespace sinew
