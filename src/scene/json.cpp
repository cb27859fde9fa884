#include "scene/json.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "base/nearest.h"

namespace sinew {

const Json* Json::find(std::string_view key) const {
  for (size_t k = 0; k < keys.size(); ++k)
    if (keys[k] == key) return &items[k];
  return nullptr;
}

Json& Json::add(std::string_view key, Json value) {
  keys.emplace_back(key);
  return items.emplace_back(std::move(value));
}

Json& Json::add(Json value) {
  return items.emplace_back(std::move(value));
}

namespace {

void write_string(const std::string& text, std::string& out) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += format("\\u%04x", static_cast<unsigned>(c));
        else
          out += c;
    }
  }
  out += '"';
}

bool write_scalar(const Json& json, std::string& out) {
  switch (json.type) {
    case Json::Type::null:
      out += "null";
      return true;
    case Json::Type::boolean:
      out += json.boolean ? "true" : "false";
      return true;
    case Json::Type::number:
      if (!std::isfinite(json.number))
        out += "null";
      else if (json.whole)
        out += format("%.0f", json.number);
      else if (json.number == 0 && std::signbit(json.number))
        out += "-0.0";  // "-0" would be read as a whole number, which has no signed zero
      else
        out += number_text(json.number);
      return true;
    case Json::Type::string:
      write_string(json.text, out);
      return true;
    default:
      return false;
  }
}

bool is_flat(const Json& json) {
  return std::none_of(json.items.begin(), json.items.end(),
                      [](const Json& j) { return j.is_array() || j.is_object(); });
}

constexpr size_t kWidth = 96;  // [characters] per line

// Writes everything on one line; stops beyond `limit`.
void write_inline(const Json& json, std::string& out, size_t limit) {
  if (write_scalar(json, out)) return;
  out += json.is_array() ? "[" : "{";
  for (size_t k = 0; k < json.items.size() && out.size() <= limit; ++k) {
    if (k > 0) out += ", ";
    if (json.is_object()) {
      write_string(json.keys[k], out);
      out += ": ";
    }
    write_inline(json.items[k], out, limit);
  }
  out += json.is_array() ? "]" : "}";
}

void new_line(size_t indent, std::string& out) {
  out += '\n';
  out.append(indent, ' ');
}

// Writes a long list of scalars, as many on a line as fit.
void write_filled(const Json& json, size_t indent, std::string& out) {
  out += '[';
  size_t line = kWidth;
  for (size_t k = 0; k < json.items.size(); ++k) {
    std::string item;
    write_scalar(json.items[k], item);
    if (k > 0) out += ',';
    if (line + item.size() + 2 > kWidth) {
      new_line(indent + 2, out);
      line = indent + 2;
    } else {
      out += ' ';
    }
    out += item;
    line += item.size() + 2;
  }
  new_line(indent, out);
  out += ']';
}

void write_indented(const Json& json, size_t indent, std::string& out) {
  if (write_scalar(json, out)) return;
  if (is_flat(json)) {
    std::string line;
    write_inline(json, line, kWidth);
    if (json.items.empty() || line.size() + indent <= kWidth) {
      out += line;
      return;
    }
  }
  if (json.is_array() && is_flat(json)) return write_filled(json, indent, out);
  out += json.is_array() ? '[' : '{';
  for (size_t k = 0; k < json.items.size(); ++k) {
    if (k > 0) out += ',';
    new_line(indent + 2, out);
    if (json.is_object()) {
      write_string(json.keys[k], out);
      out += ": ";
    }
    write_indented(json.items[k], indent + 2, out);
  }
  new_line(indent, out);
  out += json.is_array() ? ']' : '}';
}

}  // namespace

std::string write_json(const Json& json) {
  std::string out;
  write_indented(json, 0, out);
  out += '\n';
  return out;
}

std::string brief_json(const Json& json, size_t limit) {
  std::string out;
  write_inline(json, out, limit);
  if (out.size() > limit) {
    size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;  // keep UTF-8 characters whole
    out = out.substr(0, end) + "...";
  }
  return out;
}

std::string_view kind_of(const Json& json) {
  switch (json.type) {
    case Json::Type::null:
      return "null";
    case Json::Type::boolean:
      return "true or false";
    case Json::Type::number:
      return "a number";
    case Json::Type::string:
      return "text";
    case Json::Type::array:
      return "a list";
    case Json::Type::object:
      return "an object";
  }
  return "";
}

}  // namespace sinew
