#include "record/file_name.h"

#include <cctype>

namespace sinew {

std::string file_name(const std::string& name, std::set<std::string>& taken) {
  std::string base;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
    base += plain ? c : '_';
  }
  if (base.empty() || base.front() == '.') base = "_" + base;
  if (base.size() > 100) base.resize(100);
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  std::string unique = base;
  for (int k = 2; !taken.insert(lower(unique)).second; ++k) unique = base + "_" + std::to_string(k);
  return unique;
}

}  // namespace sinew
