#include "fuzz/fuzz_parser.h"
#include "io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto array = sinew::parse_npy(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (array)
    sinew::require(array->as_doubles().size() == array->size());
  else
    sinew::require(!array.error().message().empty());
  return 0;
}
