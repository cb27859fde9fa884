#include <cstring>
#include <span>

#include "fuzz/fuzz_parser.h"
#include "mesh/repair.h"
#include "mesh/summary.h"
#include "support/surface.h"

// Meshes out of raw bytes: repair, boundary, quality and summary have to take whatever a reader lets through.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  if (size < 2) return 0;
  TetMesh mesh;
  const size_t vertices = 1 + data[0] % 32;
  const bool labelled = data[0] & 64;
  const bool whole_doubles = data[0] & 128;
  size_t at = 1;
  const auto coordinate = [&] {
    double value = at < size ? data[at] % 8 : 0;
    if (whole_doubles && at + 8 <= size) std::memcpy(&value, data + at, 8);
    at += whole_doubles ? 8 : 1;
    return value;
  };
  for (size_t v = 0; v < vertices; ++v) {
    const double x = coordinate(), y = coordinate(), z = coordinate();
    mesh.vertices.push_back({x, y, z});
  }
  // A fourth corner of -1 makes a triangle.
  for (; at + 4 <= size; at += 4)
    mesh.tets.push_back({static_cast<int8_t>(data[at]), static_cast<int8_t>(data[at + 1]),
                         static_cast<int8_t>(data[at + 2]), static_cast<int8_t>(data[at + 3])});
  if (labelled) mesh.regions.assign(mesh.tets.size(), 3);

  const auto report = repair(mesh, {.drop_unreferenced = (data[0] & 32) != 0});
  if (!report) return 0;
  report->sentences();
  for (const Tet& tet : mesh.tets) require_in_range(std::span(tet.data(), corner_count(tet)), mesh.vertices.size());
  require(mesh.regions.empty() || mesh.regions.size() == mesh.tets.size());
  if (!report->plane) {  // bodies of two dimensions have no boundary of triangles
    summarize(mesh).rows();
    const auto boundary = extract_boundary(mesh);
    summarize(support::boundary_surface(mesh)).rows();
  }
  // A repaired mesh needs no further repair.
  require(!repair(mesh)->changed());
  return 0;
}
