// How values and faults of values are worded: " = 0.5 [-]: must be below 0.5".
#pragma once

#include <string>
#include <string_view>

#include "base/nearest.h"
#include "base/option_table.h"
#include "scene/describe.h"
#include "scene/faults.h"

namespace sinew {

inline std::string unit_text(std::string_view unit) {
  return unit.empty() ? std::string() : joined({" [", unit, "]"});
}

// Adds a fault where the number is outside the key's range; `shown` is the whole value as it was written.
inline bool check_number(Faults& faults, const std::string& path, const Key& key, double value,
                         const std::string& shown) {
  const std::string what = range_fault(value, key.range);
  if (what.empty()) return true;
  faults.add(path, joined({" = ", shown, unit_text(key.unit), ": ", what}), std::string(key.remedy));
  return false;
}

inline std::string vector_text(const Real3& v) {
  return joined({"[", number_text(v[0]), ", ", number_text(v[1]), ", ", number_text(v[2]), "]"});
}

}  // namespace sinew
