#include "files/available_memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Files of /proc and /sys have no size: read to the end.
std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<int64_t> number_at(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc()) return std::nullopt;
  return number;
}

std::optional<int64_t> number_after(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return number_at(text.substr(at + key.size()));
}

struct Names {
  const char *limit, *used, *idle_files;
};
constexpr Names version_2{"memory.max", "memory.current", "\ninactive_file "};
constexpr Names version_1{"memory.limit_in_bytes", "memory.usage_in_bytes", "\ntotal_inactive_file "};

// The memory left in one group; "max", which is not a number, means no limit, as do the huge numbers of version 1.
std::optional<int64_t> left_in(const fs::path& group, const Names& names) {
  const std::optional<int64_t> limit = number_at(content_of(group / names.limit));
  const std::optional<int64_t> used = number_at(content_of(group / names.used));
  if (!limit || !used || *limit > int64_t{1} << 60) return std::nullopt;
  const int64_t idle = number_after("\n" + content_of(group / "memory.stat"), names.idle_files).value_or(0);
  return std::max<int64_t>(0, *limit - std::max<int64_t>(0, *used - idle));
}

}  // namespace

std::optional<int64_t> available_in_meminfo(std::string_view meminfo) {
  const std::optional<int64_t> kilobytes = number_after(meminfo, "MemAvailable:");
  if (!kilobytes) return std::nullopt;
  return 1024 * *kilobytes;
}

std::optional<int64_t> available_in_groups(const fs::path& groups, std::string_view self) {
  std::optional<int64_t> least;
  // A line per hierarchy: "0::/a/b" in version 2, "9:memory:/a/b" in version 1.
  while (!self.empty()) {
    const size_t end = std::min(self.find('\n'), self.size());
    const std::string_view line = self.substr(0, end);
    self.remove_prefix(std::min(end + 1, self.size()));
    const size_t at = line.find(":/");
    if (at == std::string_view::npos) continue;
    const bool second = line.starts_with("0::"), first = line.substr(0, at).ends_with(":memory");
    if (!second && !first) continue;
    // The group and its parents. A container may see only its own, as the root.
    const fs::path root = second ? groups : groups / "memory";
    fs::path inner = fs::path(line.substr(at + 2));
    while (true) {
      if (const auto left = left_in(root / inner, second ? version_2 : version_1))
        least = std::min(least.value_or(*left), *left);
      if (inner.empty()) break;
      inner = inner.parent_path();
    }
  }
  return least;
}

std::optional<int64_t> available_in_limits(std::string_view status) {
  std::optional<int64_t> least;
  for (const auto& [resource, line] : {std::pair{RLIMIT_AS, "VmSize:"}, {RLIMIT_DATA, "VmData:"}}) {
    rlimit limit{};
    const std::optional<int64_t> kilobytes = number_after(status, line);
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur > rlim_t{1} << 60 || !kilobytes) continue;
    const int64_t left = std::max<int64_t>(0, static_cast<int64_t>(limit.rlim_cur) - 1024 * *kilobytes);
    least = std::min(least.value_or(left), left);
  }
  return least;
}

std::optional<int64_t> available_memory() {
  std::optional<int64_t> least;
  for (const std::optional<int64_t>& available :
       {available_in_meminfo(content_of("/proc/meminfo")), available_in_limits(content_of("/proc/self/status")),
        available_in_groups("/sys/fs/cgroup", content_of("/proc/self/cgroup"))})
    if (available) least = std::min(least.value_or(*available), *available);
  return least;
}

}  // namespace sinew
