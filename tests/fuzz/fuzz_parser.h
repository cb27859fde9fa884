// A fuzz target for one in-memory reader. What it may not do: crash, read out of bounds, hang, take memory out of
// proportion to its input, or hand out a mesh that breaks its promises.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/mesh_data.h"

namespace sinew {

inline void require(bool kept) {
  if (!kept) std::abort();
}

template <class Index>
void require_in_range(const Index& corners, size_t count) {
  for (const int32_t v : corners) require(v >= 0 && static_cast<size_t>(v) < count);
}

inline void require_promises(const Result<MeshData>& data) {
  if (!data) return require(!data.error().message().empty());
  for (const Vec3d& x : data->vertices) require(std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z));
  for (const auto& tet : data->tets) require_in_range(tet, data->vertices.size());
  for (const auto& triangle : data->triangles) require_in_range(triangle, data->vertices.size());
  require(data->middles.size() <= data->tets.size());
  for (const auto& middles : data->middles)
    if (middles != no_middles) require_in_range(middles, data->vertices.size());
  require(data->regions.empty() || data->regions.size() == data->tets.size());
}

}  // namespace sinew

#define SINEW_FUZZ_READER(parse)                                             \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {  \
    const std::string_view bytes(reinterpret_cast<const char*>(data), size); \
    sinew::require_promises(sinew::parse(bytes, "fuzz"));                    \
    return 0;                                                                \
  }
