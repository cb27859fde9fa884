// The mesh of the readers' round-trip tests: two tets with a common face, coordinates that are hard to write in
// decimal.
#pragma once

#include <gtest/gtest.h>

#include <type_traits>

#include "exec/thread_pool.h"
#include "io/mesh_data.h"
#include "mesh/tet_mesh.h"

namespace sinew {

inline TetMesh two_tets() {
  TetMesh mesh;
  mesh.vertices = {{0.1, -1.0 / 3, 1e-300}, {1, 0, 0}, {0, 1e7 + 0.7, 0}, {0, 0, 123456789.123456789}, {1, 1, 1}};
  mesh.tets = {{0, 1, 2, 3}, {1, 4, 2, 3}};
  mesh.regions = {7, -2};
  return mesh;
}

inline void expect_same(const TetMesh& mesh, const TetMesh& expected) {
  ASSERT_EQ(mesh.vertices.size(), expected.vertices.size());
  for (size_t v = 0; v < expected.vertices.size(); ++v) {
    EXPECT_EQ(mesh.vertices[v].x, expected.vertices[v].x) << v;
    EXPECT_EQ(mesh.vertices[v].y, expected.vertices[v].y) << v;
    EXPECT_EQ(mesh.vertices[v].z, expected.vertices[v].z) << v;
  }
  EXPECT_EQ(mesh.tets, expected.tets);
  EXPECT_EQ(mesh.regions, expected.regions);
}

// A corner of the unit cube, as in most handwritten fixtures.
inline void expect_corner_tet(const Result<MeshData>& data, const std::vector<int32_t>& regions = {}) {
  ASSERT_TRUE(data.ok()) << data.error().message();
  TetMesh corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}, regions, {}};
  expect_same({data->vertices, data->tets, data->regions, {}}, corner);
}

// By one thread, for readers that use several.
template <class Parse>
Result<MeshData> parsed_by(Parse parse, std::string_view bytes, std::string_view name) {
  if constexpr (std::is_invocable_v<Parse, std::string_view, std::string_view>)
    return parse(bytes, name);
  else
    return parse(bytes, name, ThreadPool::caller());
}

// A reader's message on bytes, as a tet mesh.
template <class Parse>
std::string tet_fault(Parse parse, const std::string& bytes, const char* name) {
  Result<MeshData> data = parsed_by(parse, bytes, name);
  if (!data) return data.error().message();
  const Result<TetMesh> mesh = take_tets(std::move(*data), name);
  return mesh ? "read" : mesh.error().message();
}
template <class Parse>
std::string surface_fault(Parse parse, const std::string& bytes, const char* name) {
  Result<MeshData> data = parsed_by(parse, bytes, name);
  if (!data) return data.error().message();
  const Result<SurfaceMesh> mesh = take_surface(std::move(*data), name);
  return mesh ? "read" : mesh.error().message();
}

// Every prefix of a file is rejected or read, without a crash.
template <class Parse>
void expect_all_prefixes_survive(Parse parse, const std::string& bytes) {
  for (size_t n = 0; n < bytes.size(); ++n) {
    const std::string prefix = bytes.substr(0, n);
    const Result<MeshData> data = parsed_by(parse, prefix, "prefix");
    EXPECT_TRUE(data.ok() || !data.error().what.empty());
  }
}

}  // namespace sinew
