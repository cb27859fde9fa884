// parse_json with nlohmann's event parser. The only file with nlohmann's types; none of its exceptions leave it.
#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "scene/json.h"

namespace sinew {

namespace {

// Iterates over the text and records how far the parser has read.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** farthest;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    *farthest = std::max(*farthest, at);
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
};

struct Place {
  size_t line = 1, column = 1;
  std::string shown;  // the line, with a caret under the column
};

Place place_of(std::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  const size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const size_t end = std::min(text.find('\n', offset), text.size());
  Place place{1 + static_cast<size_t>(std::count(text.begin(), text.begin() + static_cast<long>(begin), '\n')),
              1 + offset - begin, ""};

  // A part of the line around the column.
  constexpr size_t kWindow = 100;
  const size_t from = offset - begin > kWindow * 3 / 4 ? offset - kWindow * 3 / 4 : begin;
  std::string line(text.substr(from, std::min(end - from, kWindow)));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = ' ';
  place.shown = "\n    " + line + "\n    " + std::string(offset - from, ' ') + "^";
  return place;
}

// Builds the document from the parser's events.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, const std::string& name, const char* const* farthest)
      : text_(text), name_(name), farthest_(farthest) {}

  bool null() override { return put({}); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(static_cast<int64_t>(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    Json json(static_cast<double>(value));
    json.whole = true;
    return put(std::move(json));
  }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    // A linear search would take time quadratic in the number of members, so that a document could block the program.
    Json& object = *stack_.back();
    auto& sorted = keys_.back();
    const auto [at, is_new] = sorted.try_emplace(value, offset());
    if (!is_new && duplicates_.size() < 20) {
      const size_t first = place_of(text_, at->second).line, second = place_of(text_, offset()).line;
      duplicates_.push_back(
          format("%s: key given twice, in lines %zu and %zu", (path() + value).c_str(), first, second));
    }
    object.keys.push_back(std::move(value));
    return true;
  }

  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& ex) override {
    const Place place = place_of(text_, offset());
    if (ex.id == 406) {
      error_ =
          Error{name_ + format(":%zu:%zu", place.line, place.column),
                path_of_value() + "number " + token.substr(0, 40) + " is too large for a double" + place.shown, ""};
      return false;
    }
    std::string what = ex.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..." without its first
    // half.
    if (const size_t column = what.find(", column "); column != std::string::npos)
      if (const size_t colon = what.find(": ", column); colon != std::string::npos) what.erase(0, colon + 2);
    if (what.size() > 240) what = what.substr(0, 240) + "...";
    std::string remedy;
    if (token.starts_with("}") || token.starts_with("]") || what.find("unexpected '}'") != std::string::npos ||
        what.find("unexpected ']'") != std::string::npos)
      remedy = "look for a comma too many, or a value missing, before it";
    else if (what.find("unexpected end of input") != std::string::npos)
      remedy = "look for a missing } or ]";
    else if (what.find("invalid literal") != std::string::npos)
      remedy = "words stand in double quotes; NaN and Infinity are not JSON";
    // The remedy follows the shown line; behind a semicolon it would go unnoticed.
    if (!remedy.empty()) remedy = "\n    " + remedy;
    error_ = Error{name_ + format(":%zu:%zu", place.line, place.column), what + place.shown + remedy, ""};
    return false;
  }

  Result<Json> take(bool complete) {
    if (error_) return *error_;
    if (!complete) return Error{name_, "is not JSON", ""};
    if (duplicates_.size() == 1) return Error{name_, duplicates_.front(), "keep one of them"};
    if (!duplicates_.empty()) {
      std::string what = format("%zu keys given twice", duplicates_.size());
      for (const std::string& line : duplicates_) what += "\n  " + line;
      return Error{name_, what, ""};
    }
    return std::move(root_);
  }

 private:
  size_t offset() const { return *farthest_ > text_.data() ? static_cast<size_t>(*farthest_ - text_.data()) - 1 : 0; }

  // The path of the object that is being read, with a trailing dot: "materials.rubber.".
  std::string path() const {
    std::string path;
    for (size_t k = 0; k + 1 < stack_.size(); ++k) {
      const Json& json = *stack_[k];
      path += json.is_object() ? json.keys.back() : std::to_string(json.items.size() - 1);
      path += ".";
    }
    return path;
  }
  std::string path_of_value() const {
    if (stack_.empty()) return {};
    const Json& json = *stack_.back();
    return path() + (json.is_object() ? json.keys.back() : std::to_string(json.items.size())) + ": ";
  }

  Json* place(Json json) {
    if (stack_.empty()) {
      root_ = std::move(json);
      return &root_;
    }
    return &stack_.back()->items.emplace_back(std::move(json));
  }
  bool put(Json json) {
    place(std::move(json));
    return true;
  }
  bool open(Json json) {
    if (stack_.size() >= static_cast<size_t>(deepest_json)) {
      const Place at = place_of(text_, offset());
      error_ = Error{name_ + format(":%zu:%zu", at.line, at.column),
                     format("nested deeper than %d levels", deepest_json), "a scene needs no more than ten"};
      return false;
    }
    // Pointers to items remain valid: nothing is added to the containers of an open item.
    stack_.push_back(place(std::move(json)));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string& name_;
  const char* const* farthest_;
  Json root_;
  std::vector<Json*> stack_;
  std::vector<std::map<std::string, size_t, std::less<>>> keys_;  // of each open object: key -> offset
  std::vector<std::string> duplicates_;
  std::optional<Error> error_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Error{name, "is empty", "save it again"};
  // The library would take it for the end, and what follows for nothing.
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos)
    return Error{
        name + ":" + std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(zero), '\n')),
        "has a byte that is 0, which text has not", "save it as UTF-8"};
  const char* farthest = text.data();
  Builder builder(text, name, &farthest);
  try {
    const CountingIterator first{text.data(), &farthest}, last{text.data() + text.size(), &farthest};
    const bool complete =
        nlohmann::json::sax_parse(first, last, &builder, nlohmann::json::input_format_t::json, true, true);
    return builder.take(complete);
  } catch (const std::exception& e) {
    return Error{name, std::string("cannot be read (") + e.what() + ")", ""};
  }
}

}  // namespace sinew
