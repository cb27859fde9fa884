// zlib's compression (RFC 1950), where the build has it.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

bool can_deflate();
// level 0 stores without compressing, at the speed of memory; 9 is the smallest. Only where can_deflate().
void append_deflated(std::string& target, std::string_view bytes, int level);

}  // namespace sinew
