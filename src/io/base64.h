// Base64 (RFC 4648) as VTK's XML files use it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

// Decodes until `most` bytes are there or a character comes that is no base64; blanks and line ends are passed over.
// Padding may stand in the middle: VTK encodes a block's header and its data one after the other.
std::string decode_base64(std::string_view text, size_t most);

}  // namespace sinew
