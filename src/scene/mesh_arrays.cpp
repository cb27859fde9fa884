// Meshes in memory (sinew/scene.h).
#include <cmath>

#include "base/format.h"
#include "mesh/tet_mesh.h"
#include "scene/check.h"
#include "sinew/scene.h"

namespace sinew {
namespace {

std::vector<double> flat(std::span<const Real3> points) {
  std::vector<double> numbers;
  numbers.reserve(3 * points.size());
  for (const Real3& p : points) numbers.insert(numbers.end(), p.begin(), p.end());
  return numbers;
}
template <size_t corners>
std::vector<int64_t> flat(std::span<const std::array<int32_t, corners>> elements) {
  std::vector<int64_t> indices;
  indices.reserve(corners * elements.size());
  for (const auto& element : elements) indices.insert(indices.end(), element.begin(), element.end());
  return indices;
}

}  // namespace

MeshArrays mesh_arrays(std::span<const Real3> vertices, std::span<const std::array<int32_t, 4>> tets) {
  MeshArrays mesh;
  mesh.vertices = flat(vertices);
  mesh.tets = flat(tets);
  return mesh;
}
MeshArrays mesh_arrays(std::span<const Real3> vertices, std::span<const std::array<int32_t, 3>> triangles) {
  MeshArrays mesh;
  mesh.vertices = flat(vertices);
  mesh.triangles = flat(triangles);
  return mesh;
}
MeshArrays mesh_arrays(std::span<const Real3> vertices, std::span<const std::array<int32_t, 2>> edges) {
  MeshArrays mesh;
  mesh.vertices = flat(vertices);
  mesh.edges = flat(edges);
  return mesh;
}
MeshArrays mesh_arrays(const FilledSolid& solid) {
  return mesh_arrays(solid.vertices, std::span<const std::array<int32_t, 4>>(solid.tets));
}

void check_mesh_arrays(const MeshArrays& mesh, const std::string& path, Faults& faults) {
  const size_t count = mesh.vertices.size() / 3;
  if (mesh.vertices.empty() || mesh.vertices.size() % 3 != 0)
    faults.add(path + ".vertices", format(": %zu numbers", mesh.vertices.size()), "give three for each vertex");
  for (size_t k = 0; k < mesh.vertices.size(); ++k) {
    if (std::isfinite(mesh.vertices[k])) continue;
    faults.add(format("%s.vertices.%zu", path.c_str(), k), ": is not finite", "correct it");
    break;
  }
  const auto elements = [&](const char* name, const std::vector<int64_t>& indices, size_t corners) {
    if (indices.size() % corners != 0)
      faults.add(path + "." + name, format(": %zu numbers", indices.size()),
                 format("give %zu vertices for each of the %s", corners, name));
    for (size_t k = 0; k < indices.size(); ++k) {
      if (indices[k] >= 0 && static_cast<size_t>(indices[k]) < count) continue;
      faults.add(format("%s.%s.%zu", path.c_str(), name, k),
                 format(" = %lld: the mesh has %zu vertices", static_cast<long long>(indices[k]), count),
                 "vertices are numbered from 0");
      break;
    }
  };
  elements("tets", mesh.tets, 4);
  elements("triangles", mesh.triangles, 3);
  elements("edges", mesh.edges, 2);
  for (size_t k = 0; k + 1 < mesh.edges.size(); k += 2) {
    if (mesh.edges[k] != mesh.edges[k + 1]) continue;
    faults.add(format("%s.edges.%zu", path.c_str(), k), ": the edge begins and ends at the same vertex",
               "leave it out");
    break;
  }
  if (!mesh.tets.empty() + !mesh.triangles.empty() + !mesh.edges.empty() != 1)
    faults.add(path, ": must have tets, triangles or edges, and only one of them", "");
  for (size_t k = 0; k < mesh.triangles.size(); ++k) {
    const auto v = static_cast<size_t>(mesh.triangles[k]);
    if (v >= count || mesh.vertices[3 * v + 2] == mesh.vertices[3 * static_cast<size_t>(mesh.triangles[0]) + 2])
      continue;
    faults.add(format("%s.triangles.%zu", path.c_str(), k), ": its vertex lies outside the plane of the first",
               "give all vertices the same z");
    break;
  }
}

}  // namespace sinew
