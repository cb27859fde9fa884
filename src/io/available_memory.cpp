#include "io/available_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

namespace sinew {
namespace {

// Files of /proc and /sys have no size: they are read to their end.
std::string content_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<int64_t> number_at(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<int64_t> available_in_meminfo(std::string_view meminfo) {
  constexpr std::string_view key = "MemAvailable:";
  const size_t at = meminfo.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const std::optional<int64_t> kilobytes = number_at(meminfo.substr(at + key.size()));
  if (!kilobytes) return std::nullopt;
  return 1024 * *kilobytes;
}

std::optional<int64_t> available_memory() {
  std::optional<int64_t> available = available_in_meminfo(content_of("/proc/meminfo"));
  // Version 2 of control groups; "max", which is no number, means no limit.
  const std::optional<int64_t> limit = number_at(content_of("/sys/fs/cgroup/memory.max"));
  const std::optional<int64_t> used = number_at(content_of("/sys/fs/cgroup/memory.current"));
  if (limit && used) available = std::min(available.value_or(*limit), *limit - *used);
  return available;
}

}  // namespace sinew
