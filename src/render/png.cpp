#include "render/png.h"

#include <cstdlib>
#include <span>

#include "base/format.h"
#include "io/atomic_file.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace sinew {
Status write_png(const std::string& path, const Image& image) {
  if (image.width <= 0 || image.height <= 0 || image.rgb.size() != 3 * static_cast<size_t>(image.width) * image.height)
    return Error{path, format("a picture of %d x %d has %zu bytes", image.width, image.height, image.rgb.size()), ""};
  stbi_write_png_compression_level = 6;
  stbi_write_force_png_filter = -1;
  int size = 0;
  unsigned char* bytes = stbi_write_png_to_mem(image.rgb.data(), 3 * image.width, image.width, image.height, 3, &size);
  if (!bytes) return Error{path, "out of memory for the compressed picture", ""};
  Status status = write_file_atomically(path, std::as_bytes(std::span(bytes, static_cast<size_t>(size))));
  STBIW_FREE(bytes);
  return status;
}

}  // namespace sinew
