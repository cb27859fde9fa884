// A block as a sweep by vertices reads it. For each batch of W consecutive slots, row k holds the k-th tet at each of
// the W vertices: the slots of its other three corners and its rest frame seen from the vertex (element/tet.h).
// Lanes that run out of tets repeat a frame with volume 0.
//   corners  rows x 3 x W      frames  rows x number_count x W
// Incidences follow the order of Model::tets, so a vertex sums its elements in the same order for every W.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/model.h"

namespace sinew {

template <class Real>
struct VertexStream {
  ElasticBlock block;
  int lanes = 1;
  std::vector<int32_t> row_begin;  // batches + 1
  Buffer<int32_t> corners;
  Buffer<Real> frames;

  size_t memory_bytes() const {
    return row_begin.size() * sizeof(int32_t) + corners.size() * sizeof(int32_t) + frames.size() * sizeof(Real);
  }
};

// Isotropic materials are streamed in aligned frames (7 numbers), others in full ones (10).
template <class Real>
VertexStream<Real> build_vertex_stream(const Model& model, const ElasticBlock& block, const Incidence& incidence,
                                       int lanes, ThreadPool& pool);

}  // namespace sinew
