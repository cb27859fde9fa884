#include "io/csv.h"

#include <utility>

namespace sinew {

void CsvWriter::field(std::string_view text) {
  if (!first_) text_ += ',';
  first_ = false;
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    text_ += text;
    return;
  }
  text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
}

void CsvWriter::end_record() {
  text_ += "\r\n";
  first_ = true;
}

std::string CsvWriter::take() {
  first_ = true;
  return std::exchange(text_, {});
}

std::vector<std::vector<std::string>> parse_csv(std::string_view text, std::vector<size_t>* ends) {
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> record;
  std::string field;
  bool in_quotes = false;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_quotes) {
      if (c != '"') {
        field += c;
      } else if (k + 1 < text.size() && text[k + 1] == '"') {
        field += '"';
        ++k;
      } else {
        in_quotes = false;
      }
    } else if (c == '"') {
      in_quotes = true;
    } else if (c == ',') {
      record.push_back(std::exchange(field, {}));
    } else if (c == '\n') {
      if (!field.empty() && field.back() == '\r') field.pop_back();
      record.push_back(std::exchange(field, {}));
      records.push_back(std::exchange(record, {}));
      if (ends) ends->push_back(k + 1);
    } else {
      field += c;
    }
  }
  return records;
}

}  // namespace sinew
