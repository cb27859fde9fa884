// Which vertices share a tet: the pattern of every matrix that an elastic energy has.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace sinew {

// The lower triangle by columns; the entries of slot s are [begin[s], begin[s + 1]), rows ascending, the diagonal
// first.
struct VertexPattern {
  std::vector<int32_t> begin;        // slots + 1
  std::vector<int32_t> row, column;  // of each entry
};

// Linear in the size of the mesh.
VertexPattern vertex_pattern(const Model& model);

}  // namespace sinew
