// Reads and writes mesh files; the suffix, in either case, selects the format:
//   tets       .node/.ele (TetGen; either, or their common name), .mesh (Medit), .msh (Gmsh 2.2, 4.1), .vtk, .vtu, .t
//   surfaces   .obj .ply .stl .off, and the triangles of .mesh .msh .vtk .vtu
// Errors name the file, the line or byte, what was found and what to do; nothing is printed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/mesh_group.h"
#include "mesh/straight_edges.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// Vertices and tets in the file's order, indices in range, coordinates finite. Orientation, degenerate tets and the
// like are as in the file: see mesh/repair.h.
// Tets of ten nodes come with their corners only, and straight edges (mesh/straight_edges.h), unless `edges` says so.
// `groups`, if there, receives the groups that the file names; those that label tets are regions. `warnings` receives
// a sentence if edges were curved.
Result<TetMesh> read_tet_mesh(const std::filesystem::path& path, ThreadPool& pool = ThreadPool::caller(),
                              std::vector<MeshGroup>* groups = nullptr, std::vector<std::string>* warnings = nullptr,
                              TetEdges edges = TetEdges::straight);
// Polygons are cut into triangles. `regions`, if given, receives the label of each triangle, or nothing if there are
// none; then groups that label triangles are regions.
Result<SurfaceMesh> read_surface(const std::filesystem::path& path, ThreadPool& pool = ThreadPool::caller(),
                                 std::vector<MeshGroup>* groups = nullptr, std::vector<int32_t>* regions = nullptr);

// Tets, or else a surface: a file without tets may hold one. Of the two errors, that about the content rather than the
// suffix.
struct AnyMesh {
  std::optional<TetMesh> tets;
  SurfaceMesh surface;  // without tets
};
Result<AnyMesh> read_any_mesh(const std::filesystem::path& path, ThreadPool& pool = ThreadPool::caller(),
                              std::vector<MeshGroup>* groups = nullptr, std::vector<std::string>* warnings = nullptr,
                              TetEdges edges = TetEdges::straight);

// Files appear whole or not at all (files/atomic_file.h). Tets: .node/.ele, .mesh, .msh (2.2, text), .vtk (text), .vtu.
Status write_tet_mesh(const std::filesystem::path& path, const TetMesh& mesh);
// Checks, before long work, whether the file can be written. Leaves nothing behind, and removes what a killed writer
// left of this file. Errors: a suffix that is not a tet format, a folder or a link of that name, a companion (.ele of
// .node) without it, a missing folder, no permission.
Status check_tet_mesh_output(const std::filesystem::path& path);
// Surfaces: .obj, .ply (binary).
Status write_surface(const std::filesystem::path& path, const SurfaceMesh& mesh);

}  // namespace sinew
