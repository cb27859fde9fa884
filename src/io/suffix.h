// File suffixes, and what a person may have meant by one that is not known.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

// ".obj" of "Bunny.OBJ"; empty where there is none.
std::string suffix_of(const std::filesystem::path& path);

// The candidate that differs from `word` by the fewest letters, or empty where all differ by more than half.
std::string_view nearest_suffix(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace sinew
