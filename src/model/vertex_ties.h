// Ties as a sweep by vertices reads them: of each batch a list of its lanes' ends, which is mostly empty. Other
// vertices are named as the batch's cluster counts them, as in vertex_stream.h.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace sinew {

template <class Real>
struct VertexTies {
  // One vertex of one tie; the others are others[first_other .. last_other).
  struct End {
    TieLaw<Real> law;
    Real weight;  // s of this vertex [-]
    int32_t lane;
    int32_t first_other, last_other;
  };
  struct Other {
    Real weight;
    uint16_t corner;
  };

  std::vector<int32_t> begin;  // ends of batch b: [begin[b], begin[b + 1]), by lane, then by tie
  std::vector<End> ends;
  std::vector<Other> others;

  bool has(int64_t batch) const { return begin[batch] < begin[batch + 1]; }
  size_t memory_bytes() const {
    return begin.capacity() * sizeof(int32_t) + ends.capacity() * sizeof(End) + others.capacity() * sizeof(Other);
  }
};

template <class Real>
VertexTies<Real> build_vertex_ties(const Model& model, int lanes);

}  // namespace sinew
