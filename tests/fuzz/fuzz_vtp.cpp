#include "fuzz/fuzz_parser.h"
#include "io/vtp.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* const field : {"Points", "force [N]"}) {
    const auto vectors = sinew::read_vtp_vectors(bytes, "fuzz", field);
    if (!vectors) {
      sinew::require(!vectors.error().message().empty());
      continue;
    }
    for (const sinew::Vec3d& v : *vectors)
      sinew::require(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z));
  }
  return 0;
}
