// Reads a whole file into memory: every parser here works on bytes, so that it can be tested and fuzzed without files.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace sinew {

// Errors: missing, a folder, a device, not readable, changed while being read.
Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace sinew
