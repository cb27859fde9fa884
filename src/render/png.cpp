#include "render/png.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>

#include "base/format.h"
#include "files/atomic_file.h"
#include "io/deflate.h"

#ifdef SINEW_HAS_ZLIB
namespace {
// Replaces stb's compressor, whose files are 1.5 times as large. As stb requires: returns memory that stb frees, or
// null.
unsigned char* deflated(const unsigned char* data, int count, int* size, int level) {
  std::string bytes;
  sinew::append_deflated(bytes, {reinterpret_cast<const char*>(data), static_cast<size_t>(count)}, level);
  auto* copy = static_cast<unsigned char*>(std::malloc(bytes.size()));
  if (copy) std::copy(bytes.begin(), bytes.end(), copy);
  *size = static_cast<int>(bytes.size());
  return copy;
}
}  // namespace
#define STBIW_ZLIB_COMPRESS deflated
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace sinew {
Result<std::string> encode_png(int width, int height, std::span<const uint8_t> rgb) {
  if (width <= 0 || height <= 0 || rgb.size() != 3 * static_cast<size_t>(width) * static_cast<size_t>(height))
    return Error{"picture", format("of %d x %d has %zu bytes", width, height, rgb.size()), ""};
  stbi_write_png_compression_level = 6;
  stbi_write_force_png_filter = -1;
  int size = 0;
  unsigned char* bytes = stbi_write_png_to_mem(rgb.data(), 3 * width, width, height, 3, &size);
  if (!bytes) return Error{"picture", "out of memory for its compressed form", ""};
  std::string file(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  STBIW_FREE(bytes);
  return file;
}

Status write_png(const std::string& path, const Image& image) {
  const Result<std::string> file = encode_png(image.width, image.height, image.rgb);
  if (!file) return Error{path, "the " + file.error().where + " " + file.error().what, file.error().remedy};
  return write_file_atomically(path, *file);
}

}  // namespace sinew
