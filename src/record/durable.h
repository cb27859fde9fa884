// What has to outlast a loss of power.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace sinew {

// Waits until a file's content, or a folder's list of files, is on the disk. Errors: the disk is full or faulty. File
// systems that cannot do it for folders are believed.
Status bring_to_disk(const std::filesystem::path& path);

}  // namespace sinew
