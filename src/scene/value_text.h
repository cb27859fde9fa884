// The wording of values and their faults: " = 0.5 [-]: must be below 0.5".
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/nearest.h"
#include "base/option_table.h"
#include "scene/describe.h"
#include "scene/faults.h"
#include "scene/json.h"

namespace sinew {

inline std::string unit_text(std::string_view unit) {
  return unit.empty() ? std::string() : joined({" [", unit, "]"});
}

// Adds a fault if the number is outside the key's range; `shown` is the whole value as written.
inline bool check_number(Faults& faults, const std::string& path, const Key& key, double value,
                         const std::string& shown) {
  const std::string what = range_fault(value, key.range);
  if (what.empty()) return true;
  faults.add(path, joined({" = ", shown, unit_text(key.unit), ": ", what}), std::string(key.remedy));
  return false;
}

// Adds a fault if a text cannot be valid: names of files, objects and materials must not contain control characters,
// and no text may contain a NUL, which would end it early wherever it is passed to the system.
inline bool check_text(Faults& faults, const std::string& path, const Key& key, const std::string& value) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::string what;
  if (key.required && value.empty()) what = "must not be empty";
  if (value.find('\0') != std::string::npos || (key.required && std::any_of(value.begin(), value.end(), is_control)))
    what = "must not have control characters";
  if (what.empty()) return true;
  faults.add(path, joined({" = ", brief_json(Json(value)), ": ", what}));
  return false;
}

inline std::string vector_text(const Real3& v) {
  return joined({"[", number_text(v[0]), ", ", number_text(v[1]), ", ", number_text(v[2]), "]"});
}

}  // namespace sinew
