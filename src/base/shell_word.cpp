#include <algorithm>

#include "base/format.h"
#include "sinew/text.h"

namespace sinew {

std::string shell_word(std::string_view word) {
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

std::string shell_path(std::string_view path) {
  return shell_word(path.starts_with('-') ? "./" + std::string(path) : std::string(path));
}

}  // namespace sinew
