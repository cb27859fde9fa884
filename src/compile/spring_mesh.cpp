#include "compile/spring_mesh.h"

#include <cmath>

#include "mesh/generators.h"
#include "scene/places.h"

namespace sinew {
namespace {

SpringMesh springs_of(const MeshChain& chain) {
  SpringMesh mesh;
  mesh.damping = chain.damping;
  const Vec3d along = to_vec(chain.direction);
  const Vec3d step = (chain.spacing / std::sqrt(dot(along, along))) * along;
  for (int k = 0; k <= chain.links; ++k) {
    mesh.points.push_back(to_vec(chain.origin) + static_cast<double>(k) * step);
    mesh.masses.push_back(chain.point_mass);
  }
  if (chain.end_mass) mesh.masses.back() = *chain.end_mass;
  for (int k = 0; k < chain.links; ++k) {
    const bool far = k >= chain.links / 2;
    mesh.springs.push_back({k, k + 1, far ? chain.far_stiffness.value_or(chain.stiffness) : chain.stiffness});
  }
  return mesh;
}

// make_grid numbers points as the scene does.
SpringMesh springs_of(const MeshGrid& grid) {
  const int columns = grid.columns, rows = grid.rows;
  SurfaceMesh surface = *make_grid({.cells = {columns - 1, rows - 1},
                                    .size = {grid.spacing * (columns - 1), grid.spacing * (rows - 1)},
                                    .origin = to_vec(grid.origin)});
  SpringMesh mesh;
  mesh.damping = grid.damping;
  mesh.points = std::move(surface.vertices);
  mesh.triangles = std::move(surface.triangles);
  mesh.masses.assign(mesh.points.size(), grid.mass / static_cast<double>(mesh.points.size()));
  const auto at = [&](int i, int j) { return i + columns * j; };
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      if (i + 1 < columns) mesh.springs.push_back({at(i, j), at(i + 1, j), grid.stiffness});
      if (j + 1 < rows) mesh.springs.push_back({at(i, j), at(i, j + 1), grid.stiffness});
      if (i + 1 == columns || j + 1 == rows || grid.shear_stiffness == 0) continue;
      mesh.springs.push_back({at(i, j), at(i + 1, j + 1), grid.shear_stiffness});
      mesh.springs.push_back({at(i + 1, j), at(i, j + 1), grid.shear_stiffness});
    }
  }
  return mesh;
}

SpringMesh springs_of(const MeshArrays& given) {
  SpringMesh mesh;
  mesh.damping = given.damping;
  for (size_t k = 0; k + 2 < given.vertices.size(); k += 3)
    mesh.points.push_back({given.vertices[k], given.vertices[k + 1], given.vertices[k + 2]});
  mesh.masses.assign(mesh.points.size(), given.mass / static_cast<double>(mesh.points.size()));
  for (size_t k = 0; k + 1 < given.edges.size(); k += 2)
    mesh.springs.push_back(
        {static_cast<int32_t>(given.edges[k]), static_cast<int32_t>(given.edges[k + 1]), given.stiffness});
  return mesh;
}

}  // namespace

SpringMesh make_springs(const SceneMesh& mesh) {
  if (const auto* chain = std::get_if<MeshChain>(&mesh)) return springs_of(*chain);
  if (const auto* given = std::get_if<MeshArrays>(&mesh)) return springs_of(*given);
  return springs_of(std::get<MeshGrid>(mesh));
}

double point_count(const SceneMesh& mesh) {
  if (const auto* chain = std::get_if<MeshChain>(&mesh)) return 1.0 + chain->links;
  if (const auto* grid = std::get_if<MeshGrid>(&mesh)) return static_cast<double>(grid->columns) * grid->rows;
  if (const auto* given = std::get_if<MeshArrays>(&mesh)) return static_cast<double>(given->vertices.size() / 3);
  return 0;
}

double spring_count(const SceneMesh& mesh) {
  if (const auto* chain = std::get_if<MeshChain>(&mesh)) return chain->links;
  if (const auto* given = std::get_if<MeshArrays>(&mesh)) return static_cast<double>(given->edges.size() / 2);
  const auto* grid = std::get_if<MeshGrid>(&mesh);
  if (!grid) return 0;
  const double columns = grid->columns, rows = grid->rows, cells = (columns - 1) * (rows - 1);
  return (columns - 1) * rows + columns * (rows - 1) + (grid->shear_stiffness > 0 ? 2 * cells : 0);
}

}  // namespace sinew
