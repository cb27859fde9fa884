// VTK's cells, common to its legacy and its XML files (VTK User's Guide, "File formats"; vtkCellType.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/mesh_data.h"

namespace sinew {

inline constexpr int kVtkLine = 3, kVtkTriangle = 5, kVtkPolygon = 7, kVtkTet = 10, kVtkQuadraticTet = 24;

// Of edges 01 12 02 03 13 23.
inline constexpr MiddleOrder kVtkMiddles{0, 3, 1, 2, 4, 5};

// Adds the points of one cell as a tet or as triangles; counts other kinds.
//   cell      its number in the file, for messages
//   first     the index of the file's point 0 (files in pieces count anew in each); `count` points follow
//   region    its label, used for tets
Status add_vtk_cell(int64_t type, std::span<const int64_t> points, int64_t cell, int64_t first, int64_t count,
                    int32_t region, const std::string& where, MeshData& data);

// Cell data by these names are labels; the first one present is used.
inline constexpr std::array<std::string_view, 7> kRegionNames = {
    "region", "regions", "material", "MaterialIds", "medit:ref", "gmsh:physical", "CellEntityIds"};
// The index of a name among them, or their number.
size_t region_rank(std::string_view name);

}  // namespace sinew
