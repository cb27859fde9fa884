#include "io/deflate.h"

#include "base/assert.h"

#ifdef SINEW_HAS_ZLIB
#include <zlib.h>
#endif

namespace sinew {

#ifdef SINEW_HAS_ZLIB

bool can_deflate() {
  return true;
}

void append_deflated(std::string& target, std::string_view bytes, int level) {
  const size_t before = target.size();
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  target.resize(before + size);
  [[maybe_unused]] const int result =
      compress2(reinterpret_cast<Bytef*>(target.data() + before), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), level);
  SINEW_ASSERT(result == Z_OK);
  target.resize(before + size);
}

#else

bool can_deflate() {
  return false;
}
void append_deflated(std::string&, std::string_view, int) {
  SINEW_ASSERT(false);
}

#endif

}  // namespace sinew
