// Parts of a mesh that are named in its file: physical groups of Gmsh.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

struct MeshGroup {
  std::string name;
  int dimension = 3;       // of its elements: 0 points, 1 curves, 2 surfaces, 3 volumes
  int32_t label = 0;       // its number in the file, among groups of its dimension
  bool is_region = false;  // whether the label is that of a region of the mesh
  int64_t elements = 0;
  std::vector<int32_t> vertices;  // of its elements, ascending, each once
};

}  // namespace sinew
