// Checks, before long work, that its output folder can be written to.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace sinew {

// Leaves nothing behind: missing folders are created as a test, and removed again. Errors: a file is in the way, no
// permission, a file system that is read-only or full.
Status check_writable(const std::filesystem::path& folder);

}  // namespace sinew
