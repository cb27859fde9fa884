// How much memory this machine can still give, so that a scene too large for it is refused instead of killed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// [bytes] What the system says is available without swapping, within the limit of the control group that the process
// runs in; nothing where the system does not say.
std::optional<int64_t> available_memory();

// The same from the content of /proc/meminfo: its line MemAvailable.
std::optional<int64_t> available_in_meminfo(std::string_view meminfo);

}  // namespace sinew
