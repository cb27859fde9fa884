// The content of a mesh file, before tetrahedra or a surface are taken from it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/scanner.h"
#include "mesh/mesh_group.h"
#include "mesh/straight_edges.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct MeshData {
  std::vector<Vec3d> vertices;
  std::vector<Tet> tets;
  std::vector<int32_t> regions;           // per tet, or empty
  std::vector<Middles> middles;           // per tet, or fewer: tets beyond them are linear, as those of no_middles
  std::vector<Triangle> triangles;        // of a surface, or stored along with tets
  std::vector<int32_t> triangle_regions;  // per triangle, or empty
  std::vector<MeshGroup> groups;          // named groups of the file
  // Kinds of skipped elements, in the plural, and their number: reported if nothing useful is left.
  std::vector<std::pair<std::string, int64_t>> others;

  void count_other(std::string_view kind, int64_t count = 1);
  void add_tet(const Tet& corners, const Middles& of_edges, int32_t region);
};

inline constexpr Middles no_middles{no_middle, no_middle, no_middle, no_middle, no_middle, no_middle};
// The order in which a format has the middles of a tet, as indices of edge_ends; all have the corners before them.
using MiddleOrder = std::array<size_t, 6>;
inline Middles middles_from(const int32_t* in_file, const MiddleOrder& order) {
  Middles middles;
  for (size_t k = 0; k < 6; ++k) middles[order[k]] = in_file[k];
  return middles;
}

// Takes the tetrahedra, or the surface; if there are none, an Error that lists what there is instead.
// `groups`, if there, receives those of the file, and `warnings` what the user should know.
Result<TetMesh> take_tets(MeshData data, std::string_view name, std::vector<MeshGroup>* groups = nullptr,
                          std::vector<std::string>* warnings = nullptr, TetEdges edges = TetEdges::straight);
Result<SurfaceMesh> take_surface(MeshData data, std::string_view name);

// Drops labels that are all zero: some formats cannot omit the label.
void drop_zero_regions(std::vector<int32_t>& regions);

// Adds a polygon as a fan of triangles around its first corner.
void add_polygon(std::span<const int32_t> corners, std::vector<Triangle>& triangles);

// Reads finite x y z, or the index of one of `count` vertices numbered from `first`. On failure returns false and stays
// before the fault, which the second function of each pair reports.
bool read_point(Scanner& scanner, Vec3d& point);
Error point_error(Scanner& scanner, int64_t vertex);
bool read_index(Scanner& scanner, int64_t first, size_t count, int32_t& index);
Error index_error(Scanner& scanner, const char* element, int64_t element_id, int64_t first, size_t count);

// The same errors for numbers that are not text.
Error bad_coordinate(const std::string& where, int64_t vertex, double value);
Error bad_index(const std::string& where, const char* element, int64_t element_id, int64_t index, int64_t first,
                size_t count);

}  // namespace sinew
