// The names of the columns with a pin's force in stats.csv.
#pragma once

#include <string>

#include "sinew/scene.h"

namespace sinew {

// The pin's name, or pin_0, pin_1, ... by its position in the scene's list.
inline std::string pin_name(const ScenePin& pin, size_t place) {
  return pin.name.empty() ? "pin_" + std::to_string(place) : pin.name;
}

}  // namespace sinew
