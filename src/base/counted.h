// Counts with their nouns, for messages.
#pragma once

#include <cstdint>
#include <string>

#include "base/format.h"

namespace sinew {

// "1 frame", "2 frames".
inline std::string counted(int64_t count, const std::string& one, const std::string& many) {
  return format("%lld ", static_cast<long long>(count)) + (count == 1 ? one : many);
}
inline std::string counted(int64_t count, const std::string& one) {
  return counted(count, one, one + "s");
}

// Of a mesh whose triangles, if it has plane bodies, count among its tets: "2560 tets", "32 triangles", or "elements"
// of both kinds.
inline std::string elements_text(int64_t tets, int64_t triangles) {
  return counted(tets, triangles == 0 ? "tet" : triangles == tets ? "triangle" : "element");
}

}  // namespace sinew
