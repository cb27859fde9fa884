// For each vertex on a grid, those it shares an element with, itself included, and their blocks in a matrix of the
// vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/grid_embedding.h"
#include "solver/vertex_pattern.h"

namespace sinew {

class VertexNeighbours {
 public:
  struct Neighbour {
    int32_t row;  // of the embedding
    int32_t block;
    bool transposed;
  };

  // Does nothing if it was called before: elements stay what they are.
  void find(const GridEmbedding& embedding, const VertexPattern& pattern);
  std::span<const Neighbour> of(int32_t row) const {
    const auto r = static_cast<size_t>(row);
    return std::span(neighbours_).subspan(first_[r], first_[r + 1] - first_[r]);
  }
  size_t memory_bytes() const {
    return first_.capacity() * sizeof(size_t) + neighbours_.capacity() * sizeof(Neighbour);
  }

 private:
  std::vector<size_t> first_;  // by row
  std::vector<Neighbour> neighbours_;
};

}  // namespace sinew
