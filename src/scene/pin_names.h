// What the columns of a pin's force in stats.csv are called.
#pragma once

#include <string>

#include "sinew/scene.h"

namespace sinew {

// Its name, or pin_0, pin_1, ... by its place in the scene's list.
inline std::string pin_name(const ScenePin& pin, size_t place) {
  return pin.name.empty() ? "pin_" + std::to_string(place) : pin.name;
}

}  // namespace sinew
