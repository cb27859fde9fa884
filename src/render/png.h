// PNG files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "render/image.h"

namespace sinew {

// What such a file has. Errors: not 3 x width x height bytes, no memory.
Result<std::string> encode_png(int width, int height, std::span<const uint8_t> rgb);
// The file appears whole or not at all.
Status write_png(const std::string& path, const Image& image);

}  // namespace sinew
