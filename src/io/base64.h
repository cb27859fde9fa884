// Base64 (RFC 4648) as VTK's XML files use it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

// Decodes up to `most` bytes or until a character that is not base64; skips blanks and line ends. Padding may occur in
// the middle: VTK encodes a block's header and its data separately.
std::string decode_base64(std::string_view text, size_t most);

}  // namespace sinew
