// Can a folder be written to? Asked before long work whose results are to go there.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace sinew {

// Leaves nothing behind: folders that are not there yet are made to see whether they can be, and removed again.
// Errors: a file is in the way, no permission, a file system that is read-only or full.
Status check_writable(const std::filesystem::path& folder);

}  // namespace sinew
