// zlib compression (RFC 1950), if the build has it.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

bool can_deflate();
// Level 0 stores without compressing, at memory speed; 9 gives the smallest size. Requires can_deflate().
void append_deflated(std::string& target, std::string_view bytes, int level);

}  // namespace sinew
