// Text of the commands.
#pragma once

#include <cstdint>
#include <string>

namespace sinew::cli {

// printf into a string; <format> is missing in g++ 12.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

// "1 frame", "2 frames".
std::string counted(int64_t count, const std::string& one, const std::string& many);
std::string counted(int64_t count, const std::string& one);
// Of a mesh whose triangles count among its tets: "2560 tets", "32 triangles", or "elements" of both kinds.
std::string elements_text(int64_t tets, int64_t triangles);

}  // namespace sinew::cli
