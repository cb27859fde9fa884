// What a vertex touches of a surface: a face, an edge or a corner, whichever triangle it is seen from.
#pragma once

#include <compare>
#include <cstdint>

namespace sinew {

enum FeatureKind : int32_t { on_face, on_edge, on_corner };

struct Feature {
  FeatureKind kind;
  int32_t number;  // of the triangle, the edge or the point

  auto operator<=>(const Feature&) const = default;
};

// As Contact::second has it.
inline int64_t name_of(Feature feature) {
  return 3 * int64_t{feature.number} + feature.kind;
}
inline Feature feature_named(int64_t name) {
  return {static_cast<FeatureKind>(name % 3), static_cast<int32_t>(name / 3)};
}

}  // namespace sinew
