// A block as a sweep by vertices reads it: for each batch of W consecutive slots, rows of W lanes, one lane a vertex.
// Other vertices are named as the batch's cluster counts them (model/clusters.h), by 16 bits.
//
//   frames   row k holds the k-th tet at each vertex: its other three corners and its rest frame seen from the vertex
//            (element/tet.h). For any material.
//              corners  rows x 3 x W        numbers  rows x number_count x W
//   links    row k holds the k-th entry of the vertex's link strip (link_strip.h). For Neo-Hookean, where of a tet only
//            the opposite face matters: with p, q, r the window relative to the vertex and n = (q-p) x (r-p),
//              f += k r + w (p.n - c) n,   H += k 1 + w n n^T,   w = lh/(36 V),  c = 6 V gamma (signed like the
//              window),
//            and k = - mu sum_e V g_i.g_r once per neighbour: the deviatoric force is a constant Laplacian. A tet's
//            stiffness factor multiplies its share of k and its w.
//            A third of the memory of the frames, and more than twice their speed.
//              corners  rows x W            numbers  rows x 3 x W: k, w, w c; the sign of w is the next entry's "keep"
//              laplacian  slots: the sum of k
//   packed   the same in eight bytes an entry, in single precision, in a unit of the vertex. A word of 32 bits, read as
//            a signed integer, is k; its lower half is the neighbour, so that k is off by at most 2^-15 of the vertex's
//            largest. Then w, whose lowest bit is the sign of c. w |c| = volume_stiffness for all.
//              packed   rows x (W words, the bits of W w)      units, laplacian    slots
//
// Lanes that run out of rows repeat what has no effect (volume 0, k = w = 0). Sums run over the tets in the same order
// for every W.
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/model.h"

namespace sinew {

enum class VertexLayout { frames, links, packed };

template <class Real>
struct VertexStream {
  ElasticBlock block;
  VertexLayout layout = VertexLayout::frames;
  int lanes = 1;
  std::vector<int32_t> row_begin;  // batches + 1
  Buffer<uint16_t> corners;
  Buffer<Real> numbers;
  Buffer<uint32_t> packed;
  Buffer<Real> laplacian;     // of links, by slot: the sum of k [N/m]
  Buffer<Real> units;         // of packed links, by slot [N/m]
  Real volume_stiffness = 0;  // lh gamma / 6 [Pa]

  size_t memory_bytes() const {
    return row_begin.size() * sizeof(int32_t) + corners.size() * sizeof(uint16_t) + packed.size() * sizeof(uint32_t) +
           (numbers.size() + laplacian.size() + units.size()) * sizeof(Real);
  }
};

// Can the block be streamed as links?
bool has_links(const ElasticBlock& block);

// Isotropic materials are streamed in aligned frames (7 numbers), others in full ones (10); their volume is multiplied
// by the tet's stiffness factor. Where these factors differ within a block, or tets are so small that packed numbers
// would leave the range of floats, packed becomes links; so it does in double precision.
template <class Real>
VertexStream<Real> build_vertex_stream(const Model& model, const ElasticBlock& block, const Incidence& incidence,
                                       VertexLayout layout, int lanes, ThreadPool& pool,
                                       const ProgressListener& progress = {});

}  // namespace sinew
