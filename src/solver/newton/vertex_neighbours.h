// For each vertex on a grid, those on it that it shares an element or a tie with, itself included, and their blocks in
// a matrix of the vertices; and the pairs of one vertex on the grid and one that is not.
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

  struct FreePair {
    int32_t slot;  // not on the grid
    int32_t row;   // of the embedding
    int32_t block;
    bool transposed;  // the block's row is that of `slot`
  };

  // Does nothing if it was called before and has not forgotten: elements stay what they are.
  void find(const GridEmbedding& embedding, const VertexPattern& pattern);
  void forget() { first_.clear(); }
  std::span<const Neighbour> of(int32_t row) const {
    const auto r = static_cast<size_t>(row);
    return std::span(neighbours_).subspan(first_[r], first_[r + 1] - first_[r]);
  }
  // By slot.
  std::span<const FreePair> free_pairs() const { return free_pairs_; }
  size_t memory_bytes() const {
    return free_pairs_.capacity() * sizeof(FreePair) + first_.capacity() * sizeof(size_t) +
           neighbours_.capacity() * sizeof(Neighbour);
  }

 private:
  std::vector<size_t> first_;  // by row
  std::vector<Neighbour> neighbours_;
  std::vector<FreePair> free_pairs_;
};

}  // namespace sinew
