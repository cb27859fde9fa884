// Quotes words of commands that the user may copy into a shell.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/format.h"

namespace sinew {

// The word quoted for a POSIX shell: unchanged if it has no special characters, else in single quotes; with control
// characters as $'...', which bash, zsh and POSIX.1-2024 understand.
inline std::string shell_word(std::string_view word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:=+,@%-").find(c) != std::string_view::npos;
  };
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  const bool ansi = std::any_of(word.begin(), word.end(), control);
  std::string quoted = ansi ? "$'" : "'";
  for (const char c : word) {
    if (ansi && control(c))
      quoted += format("\\%03o", static_cast<unsigned char>(c));
    else if (ansi && (c == '\'' || c == '\\'))
      quoted += std::string("\\") + c;
    else if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + '\'';
}

// The same for a file or folder, which must not look like an option: "./-x".
inline std::string shell_path(std::string_view path) {
  return shell_word(path.starts_with('-') ? "./" + std::string(path) : std::string(path));
}

}  // namespace sinew
