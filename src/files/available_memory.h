// The memory still available on this machine, so that a task that is too large is rejected instead of killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace sinew {

// [bytes] Available without swapping, within the limits of the process and of its control groups; nullopt if the system
// does not report it.
std::optional<int64_t> available_memory();

// From the content of /proc/meminfo: the line MemAvailable.
std::optional<int64_t> available_in_meminfo(std::string_view meminfo);

// Available within the process's limits on address space and data, as set by `ulimit -v` and batch systems: `status` is
// the content of /proc/self/status. Nullopt without a limit.
std::optional<int64_t> available_in_limits(std::string_view status);

// The minimum available in the control groups of a process, as set by containers and batch systems: `groups` is the
// mount point /sys/fs/cgroup and `self` the content of /proc/self/cgroup. A group's inactive file cache counts as free.
// Versions 1 and 2; nullopt without a limit.
std::optional<int64_t> available_in_groups(const std::filesystem::path& groups, std::string_view self);

}  // namespace sinew
