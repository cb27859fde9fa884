// A whole file in memory: every reader here works on bytes, so that it can be tested and fuzzed without files.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace sinew {

// Errors: missing, a folder, a device, not readable, changed while it was read.
Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace sinew
