// Pins: vertices that are held, moved, or glide.
#pragma once

#include <string>

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// To be called when there is a start state.
Status add_pin(Draft& draft, const ScenePin& pin, const std::string& path);

}  // namespace sinew
