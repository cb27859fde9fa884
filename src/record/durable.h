// Data that must survive a power failure.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace sinew {

// Waits until a file's content, or a folder's list of files, is on the disk. Errors: the disk is full or faulty. File
// systems that do not support it for folders are trusted.
Status bring_to_disk(const std::filesystem::path& path);

}  // namespace sinew
