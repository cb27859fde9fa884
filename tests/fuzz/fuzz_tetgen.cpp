#include "fuzz/fuzz_parser.h"
#include "io/tetgen.h"

// One input for two files: the second starts behind the first '%'.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t cut = bytes.find('%');
  const std::string_view ele = cut == std::string_view::npos ? std::string_view{} : bytes.substr(cut + 1);
  sinew::require_promises(sinew::parse_tetgen(bytes.substr(0, cut), "fuzz.node", ele, "fuzz.ele"));
  return 0;
}
