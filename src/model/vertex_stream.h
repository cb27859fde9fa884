// A block in the layout for sweeps by vertex: for each batch of W consecutive slots, rows of W lanes, one vertex per
// lane. Other vertices are indices in the batch's cluster (model/clusters.h), of 16 bits, or slots, of 32 (cuda/).
//
//   frames   row k holds the k-th tet at each vertex: its other three corners and its rest frame seen from the vertex
//            (element/tet_frame.h). For any material.
//              corners  rows x 3 x W        numbers  rows x number_count x W
//   links    row k holds the k-th entry of the vertex's link strip (link_strip.h). For Neo-Hookean, which needs of each
//            tet only the opposite face: with p, q, r the window relative to the vertex and n = (q-p) x (r-p),
//              f += k r + w (p.n - c) n,   H += k 1 + w n n^T,   w = lh/(36 V),  c = 6 V gamma (signed like the
//              window),
//            and k = - mu sum_e V g_i.g_r once per neighbour: the deviatoric force is a constant Laplacian. A tet's
//            stiffness factor multiplies its share of k and its w.
//            A third of the memory of the frames, and more than twice their speed.
//              corners  rows x W            numbers  rows x 3 x W: k, w, w c; the sign of w is the next entry's "keep"
//              laplacian  lanes: the sum of k
//   packed   the same in eight bytes per entry, in single precision and in a unit for each vertex. The first word of 32
//            bits, read as a signed integer, is k; its lower half is the neighbour, so that k has an error of at most
//            2^-15 of the vertex's largest. The second is w, whose lowest bit is the sign of c. For all, w |c| =
//            volume_stiffness.
//              packed   rows x (W words, the bits of W w)      units, laplacian    lanes
//
// Lanes that run out of rows continue with entries without effect (volume 0, k = w = 0). Sums over the tets have the
// same order for every W.
//
// For a GPU, whose threads wait long for each row, a team of lanes side by side can share a vertex: each has some of
// its rows, and its share of the laplacian. Parts of a strip but the first begin with the two neighbours in the window.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/model.h"

namespace sinew {

enum class VertexLayout { frames, links, packed };

template <class Real, class CornerType = uint16_t>
struct VertexStream {
  using Corner = CornerType;
  ElasticBlock block;
  VertexLayout layout = VertexLayout::frames;
  int lanes = 1;
  int team = 1;                    // lanes that share a vertex
  std::vector<int32_t> row_begin;  // batches + 1
  Buffer<Corner> corners;
  Buffer<Real> numbers;
  Buffer<uint32_t> packed;
  Buffer<Real> laplacian;     // of links, by lane: the sum of k [N/m]
  Buffer<Real> units;         // of packed links, by lane [N/m]
  Real volume_stiffness = 0;  // lh gamma / 6 [Pa]

  // Packed links that were rescaled, as they were built.
  struct Built {
    Lame lame;
    Buffer<Real> laplacian, units;
  };
  std::optional<Built> built;

  size_t memory_bytes() const {
    const size_t copies = built ? 2 : 1;
    return row_begin.size() * sizeof(int32_t) + corners.size() * sizeof(Corner) + packed.size() * sizeof(uint32_t) +
           (numbers.size() + copies * (laplacian.size() + units.size())) * sizeof(Real);
  }
};

// What sweeps read of it.
template <class Real, class Corner = uint16_t>
struct VertexStreamView {
  ElasticBlock block;
  VertexLayout layout = VertexLayout::frames;
  bool plane = false;  // of triangles
  const int32_t* row_begin = nullptr;
  const Corner* corners = nullptr;
  const Real* numbers = nullptr;
  const uint32_t* packed = nullptr;
  const Real* laplacian = nullptr;
  const Real* units = nullptr;
  Real volume_stiffness = 0;
};
template <class Real, class Corner>
VertexStreamView<Real, Corner> view_of(const VertexStream<Real, Corner>& s) {
  return {s.block,          s.layout,        s.block.plane(),    s.row_begin.data(), s.corners.data(),
          s.numbers.data(), s.packed.data(), s.laplacian.data(), s.units.data(),     s.volume_stiffness};
}

// Whether the block can be stored as links; of quadratic tets (quadratic_stream.h) those without stiffness factors that
// differ.
bool has_links(const ElasticBlock& block);

// Isotropic materials are stored in aligned frames (7 numbers), others in full ones (10); volumes are multiplied by the
// tet's stiffness factor. `packed` becomes `links` in double precision, with indices of 32 bits, if factors differ
// within a block, if tets are so small that packed numbers would leave the range of floats, or for teams. `team`
// divides `lanes`.
template <class Real, class Corner = uint16_t>
VertexStream<Real, Corner> build_vertex_stream(const Model& model, const ElasticBlock& block,
                                               const Incidence& incidence, VertexLayout layout, int lanes,
                                               ThreadPool& pool, const ProgressListener& progress = {}, int team = 1);

// Whether `rescale` can give the stream the stiffness and damping of `block`, which differs from its own in nothing
// else. Frames hold neither: any. Packed links: those of which both Lame parameters have changed by the same factor.
template <class Real, class Corner>
bool can_rescale(const VertexStream<Real, Corner>& stream, const ElasticBlock& block);
// Frames are then bit for bit those built for `block`. Packed links have the weights for which they were built in other
// units, so that they differ from those built anew in how weights are rounded; rescaled back they are as they were.
template <class Real, class Corner>
void rescale(VertexStream<Real, Corner>& stream, const ElasticBlock& block, ThreadPool& pool);

}  // namespace sinew
