// A block as a sweep by vertices reads it: for each batch of W consecutive slots, rows of W lanes, one lane a vertex.
//
//   frames   row k holds the k-th tet at each vertex: the slots of its other three corners and its rest frame seen from
//            the vertex (element/tet.h). For any material.
//              corners  rows x 3 x W        numbers  rows x number_count x W
//   links    row k holds the k-th entry of the vertex's link strip (link_strip.h). For Neo-Hookean, where of a tet only
//            the opposite face matters: with p, q, r the window relative to the vertex and n = (q-p) x (r-p),
//              f += k r + w (p.n - c) n,   H += k 1 + w n n^T,   w = lh/(36 V),  c = 6 V gamma (signed like the
//              window),
//            and k = - mu sum_e V g_i.g_r once per neighbour: the deviatoric force is a constant Laplacian.
//            A third of the memory of the frames, and more than twice their speed.
//              corners  rows x W            numbers  rows x 3 x W: k, c, w; the lowest bit of c is the strip's "keep"
//
// Lanes that run out of rows repeat what has no effect (volume 0). Sums run over the tets in the same order for every
// W.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/model.h"

namespace sinew {

enum class VertexLayout { frames, links };

template <class Real>
struct VertexStream {
  ElasticBlock block;
  VertexLayout layout = VertexLayout::frames;
  int lanes = 1;
  std::vector<int32_t> row_begin;  // batches + 1
  Buffer<int32_t> corners;
  Buffer<Real> numbers;

  size_t memory_bytes() const {
    return row_begin.size() * sizeof(int32_t) + corners.size() * sizeof(int32_t) + numbers.size() * sizeof(Real);
  }
};

// Can the block be streamed as links?
bool has_links(const ElasticBlock& block);

// Isotropic materials are streamed in aligned frames (7 numbers), others in full ones (10).
template <class Real>
VertexStream<Real> build_vertex_stream(const Model& model, const ElasticBlock& block, const Incidence& incidence,
                                       VertexLayout layout, int lanes, ThreadPool& pool);

}  // namespace sinew
