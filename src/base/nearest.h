// Text for error messages: pieces and numbers; beside words that a user may have meant (sinew/text.h).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/format.h"
#include "sinew/text.h"

namespace sinew {

// Concatenates the pieces.
std::string joined(std::initializer_list<std::string_view> pieces);

// The shortest text of 15 to 17 digits that reads back as the same number. (Emscripten's library lacks to_chars for
// doubles.)
std::string number_text(double value);

}  // namespace sinew
