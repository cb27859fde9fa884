// The region labels of a mesh, as advice for whoever named one that it does not have.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace sinew {

inline std::string known_labels(const std::set<int32_t>& labels) {
  std::string known;
  for (const int32_t l : labels) {
    known += (known.empty() ? "" : ", ") + std::to_string(l);
    if (known.size() > 60) {
      known += ", ...";
      break;
    }
  }
  return known.empty() ? "it has no regions at all" : "its labels are " + known;
}

}  // namespace sinew
