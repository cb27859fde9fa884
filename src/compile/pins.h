// Pins: vertices that are held, moved, or glide.
#pragma once

#include <string>

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// When there is a start.
Status add_pin(Draft& draft, const ScenePin& pin, const std::string& path);

}  // namespace sinew
