// printf into a std::string; <format> is missing in g++ 12, and the core uses no libraries.
#pragma once

#include <string>

namespace sinew {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

}  // namespace sinew
