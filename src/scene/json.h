// A JSON document in the scene room: members keep the order in which they were written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sinew {

struct Json {
  enum class Type { null, boolean, number, string, array, object };

  Type type = Type::null;
  bool boolean = false;
  bool whole = false;  // whether the number was written without fraction and exponent
  double number = 0;
  std::string text;
  std::vector<std::string> keys;  // of an object, one per item
  std::vector<Json> items;        // of an array or an object

  Json() = default;
  Json(bool value) : type(Type::boolean), boolean(value) {}
  Json(double value) : type(Type::number), number(value) {}
  Json(int value) : type(Type::number), whole(true), number(value) {}
  Json(int64_t value) : type(Type::number), whole(true), number(static_cast<double>(value)) {}
  Json(std::string value) : type(Type::string), text(std::move(value)) {}
  Json(std::string_view value) : type(Type::string), text(value) {}
  Json(const char* value) : type(Type::string), text(value) {}
  static Json array() { return of(Type::array); }
  static Json object() { return of(Type::object); }

  bool is_object() const { return type == Type::object; }
  bool is_array() const { return type == Type::array; }
  bool is_number() const { return type == Type::number; }
  bool is_string() const { return type == Type::string; }
  bool is_boolean() const { return type == Type::boolean; }

  // The member of an object with this name; null if there is none.
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key) { return const_cast<Json*>(std::as_const(*this).find(key)); }
  // Adds a member, or an item.
  Json& add(std::string_view key, Json value);
  Json& add(Json value);

 private:
  static Json of(Type t) {
    Json json;
    json.type = t;
    return json;
  }
};

// Deeper documents are rejected: no scene needs them, and a document of 1e6 brackets must not overflow the stack.
inline constexpr int deepest_json = 64;

// Parses JSON with // and /* */ comments. Syntax errors say line and column and show the line. A duplicate key in an
// object is an error, because the first value would be lost silently. `name` is that of the file.
Result<Json> parse_json(std::string_view text, const std::string& name);

// Indents by two; arrays of scalars, and objects, that fit on a line are written on one. Numbers read back as the same
// doubles; those that are not finite become null.
std::string write_json(const Json& json);
// On one line with at most about `limit` characters, for messages.
std::string brief_json(const Json& json, size_t limit = 60);

// The kind of a value, for messages: "a number", "an object".
std::string_view kind_of(const Json& json);

}  // namespace sinew
