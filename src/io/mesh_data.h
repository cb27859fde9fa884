// What a mesh file holds, before it is asked for tetrahedra or for a surface.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/scanner.h"
#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct MeshData {
  std::vector<Vec3d> vertices;
  std::vector<Tet> tets;
  std::vector<int32_t> regions;           // per tet, or empty
  std::vector<Triangle> triangles;        // of a surface, or those that a tet mesh carries along
  std::vector<int32_t> triangle_regions;  // per triangle, or empty
  std::vector<MeshGroup> groups;          // those that the file names
  // Kinds of elements that were passed over, in the plural, and how many: told when nothing of use is left.
  std::vector<std::pair<std::string, int64_t>> others;

  void count_other(std::string_view kind, int64_t count = 1);
};

// The tetrahedra, or the surface, of what was read; an Error that lists what there is instead.
Result<TetMesh> take_tets(MeshData data, std::string_view name);
Result<SurfaceMesh> take_surface(MeshData data, std::string_view name);

// Labels that are all zero are what formats write that cannot leave the label out.
void drop_zero_regions(std::vector<int32_t>& regions);

// A polygon as a fan of triangles around its first corner.
void add_polygon(std::span<const int32_t> corners, std::vector<Triangle>& triangles);

// x y z, finite; or the index of one of `count` vertices that are numbered from `first`. False stays before what is
// wrong, and the second function of each pair says what that is.
bool read_point(Scanner& scanner, Vec3d& point);
Error point_error(Scanner& scanner, int64_t vertex);
bool read_index(Scanner& scanner, int64_t first, size_t count, int32_t& index);
Error index_error(Scanner& scanner, const char* element, int64_t element_id, int64_t first, size_t count);

// The same faults where the numbers are not text.
Error bad_coordinate(const std::string& where, int64_t vertex, double value);
Error bad_index(const std::string& where, const char* element, int64_t element_id, int64_t index, int64_t first,
                size_t count);

}  // namespace sinew
