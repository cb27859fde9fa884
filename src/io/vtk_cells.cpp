#include "io/vtk_cells.h"

#include <algorithm>
#include <vector>

#include "base/format.h"

namespace sinew {

namespace {

constexpr int kStrip = 6, kPixel = 8, kQuad = 9;

const char* name_of_kind(int64_t type) {
  switch (type) {
    case 0:
      return "empty cells";
    case 1:
    case 2:
      return "points";
    case 3:
    case 4:
    case 21:
    case 35:
      return "lines";
    case 11:
      return "voxels";
    case 12:
    case 25:
    case 29:
    case 33:
    case 72:
      return "hexahedra";
    case 13:
    case 26:
    case 31:
    case 32:
    case 73:
      return "wedges";
    case 14:
    case 27:
    case 37:
    case 74:
      return "pyramids";
    case 22:
    case 34:
    case 69:
      return "curved triangles";
    case 23:
    case 28:
    case 30:
    case 70:
      return "curved quadrangles";
    case 71:
    case 78:
      return "higher-order tetrahedra";
    case 42:
      return "polyhedra";
    default:
      return "cells of other types";
  }
}

}  // namespace

Status add_vtk_cell(int64_t type, std::span<const int64_t> points, int64_t cell, int64_t first, int64_t count,
                    int32_t region, const std::string& where, MeshData& data) {
  const bool is_quadratic = type == kVtkQuadraticTet;
  const bool is_tet = type == kVtkTet || is_quadratic;
  const bool is_face = type >= kVtkTriangle && type <= kQuad;
  if (!is_tet && !is_face) {
    data.count_other(name_of_kind(type));
    return {};
  }
  const size_t fewest = is_quadratic ? 10 : is_tet || type == kQuad || type == kPixel ? 4 : 3;
  const bool exact = is_tet || type == kVtkTriangle || type == kQuad || type == kPixel;
  if (exact ? points.size() != fewest : points.size() < fewest)
    return Error{where,
                 format("cell %lld of type %lld has %zu points", static_cast<long long>(cell),
                        static_cast<long long>(type), points.size()),
                 "the file is damaged"};
  std::array<int32_t, 10> few;
  std::vector<int32_t> many;
  int32_t* corners = few.data();
  if (points.size() > few.size()) {
    many.resize(points.size());
    corners = many.data();
  }
  for (size_t k = 0; k < points.size(); ++k) {
    if (points[k] < 0 || points[k] >= count)
      return bad_index(where, "cell", cell, points[k], 0, static_cast<size_t>(count));
    corners[k] = static_cast<int32_t>(first + points[k]);
  }

  if (is_tet) {
    data.add_tet({corners[0], corners[1], corners[2], corners[3]},
                 is_quadratic ? middles_from(corners + 4, kVtkMiddles) : no_middles, region);
  } else if (type == kStrip) {
    // Every second triangle of a strip has the opposite orientation.
    for (size_t k = 2; k < points.size(); ++k)
      data.triangles.push_back(k % 2 == 0 ? Triangle{corners[k - 2], corners[k - 1], corners[k]}
                                          : Triangle{corners[k - 1], corners[k - 2], corners[k]});
  } else {
    if (type == kPixel) std::swap(corners[2], corners[3]);
    add_polygon({corners, points.size()}, data.triangles);
  }
  return {};
}

size_t region_rank(std::string_view name) {
  return static_cast<size_t>(std::find(kRegionNames.begin(), kRegionNames.end(), name) - kRegionNames.begin());
}

}  // namespace sinew
