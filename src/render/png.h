// PNG files.
#pragma once

#include <string>

#include "base/result.h"
#include "render/image.h"

namespace sinew {

// The file appears whole or not at all.
Status write_png(const std::string& path, const Image& image);

}  // namespace sinew
