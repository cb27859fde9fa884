// Where a key belongs that is looked for in another place of a scene, such as at its top.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace sinew {

// The advice, or "" if the key is unknown.
inline std::string_view other_place(std::string_view key) {
  constexpr std::array elements{"element", "elements", "element_type", "element_order"};
  if (std::find(elements.begin(), elements.end(), key) != elements.end())
    return R"(elements are a matter of each object: objects.NAME.element = "linear" or "quadratic")";
  return {};
}

}  // namespace sinew
