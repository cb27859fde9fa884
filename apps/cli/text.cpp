#include "text.h"

#include <cstdarg>
#include <cstdio>

namespace sinew::cli {

std::string format(const char* pattern, ...) {
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  std::string text(static_cast<size_t>(std::vsnprintf(nullptr, 0, pattern, arguments)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  va_end(arguments);
  return text;
}

std::string counted(int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}
std::string counted(int64_t count, const std::string& one) {
  return counted(count, one, one + "s");
}

std::string elements_text(int64_t tets, int64_t triangles) {
  return counted(tets, triangles == 0 ? "tet" : triangles == tets ? "triangle" : "element");
}

}  // namespace sinew::cli
