// File suffixes, and suggestions for unknown ones.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

// ".obj" for "Bunny.OBJ"; empty if there is none.
std::string suffix_of(const std::filesystem::path& path);

// The candidate that differs from `word` by the fewest letters, or empty if all differ by more than half.
std::string_view nearest_suffix(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace sinew
