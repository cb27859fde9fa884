// System errors in writing files, with a remedy.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace sinew {

// "out/stats.csv: cannot be written (No space left on device); free some space or ..."
Error file_error(const std::filesystem::path& path, const std::string& what, int error_number);

}  // namespace sinew
