// How much memory this machine can still give, so that what is too large for it is refused instead of killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace sinew {

// [bytes] What the system says is available without swapping, within the limits of the process and of the control
// groups that it runs in; nothing where the system does not say.
std::optional<int64_t> available_memory();

// The same from the content of /proc/meminfo: its line MemAvailable.
std::optional<int64_t> available_in_meminfo(std::string_view meminfo);

// What the limits of this process on its addresses and data leave, as `ulimit -v` and batch systems set them: `status`
// is the content of /proc/self/status. Nothing where there is no limit.
std::optional<int64_t> available_in_limits(std::string_view status);

// The least that is left in the control groups of a process, as containers and batch systems set them: `groups` is
// mounted at /sys/fs/cgroup and `self` the content of /proc/self/cgroup. What a group has of files in memory that are
// not in use counts as free. Versions 1 and 2; nothing where there is no limit.
std::optional<int64_t> available_in_groups(const std::filesystem::path& groups, std::string_view self);

}  // namespace sinew
