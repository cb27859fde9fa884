// Ties as a sweep by vertices reads them. Each vertex of a tie is an *end* of it. Vertices of one colour go in packs of
// W, one lane a vertex, and a row of a pack is an end of each of its vertices, all of one kind of tie. Packs are made
// of vertices with about as many ends (sliced ELLPACK with sorting: Kreutzer et al. 2014, SELL-C-sigma), so that few
// lanes of a row are empty. Vertices are named as in vertex_stream.h: as the batch's cluster counts them, or by slots.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/buffer.h"
#include "model/model.h"

namespace sinew {

// What kernels read, also on GPUs.
template <class Real, class Corner = uint16_t>
struct VertexTiesView {
  struct Rows {
    TieKind kind{};
    int others = 0;
    bool damped = false;
    const int32_t* begin = nullptr;
    const Corner* corners = nullptr;
    const Real *weights = nullptr, *numbers = nullptr;
    const int32_t* muscle = nullptr;  // null: none of the kind's own
  };
  Rows rows[tie_kind_count] = {};
  int kinds = 0;  // that there are
  const Corner* own = nullptr;
  const int32_t* place = nullptr;
  const uint8_t* any = nullptr;

  SINEW_INLINE bool has(int64_t batch) const { return any[batch] != 0; }
};

template <class Real, class Corner = uint16_t>
struct VertexTies {
  using View = VertexTiesView<Real, Corner>;
  struct Rows {
    TieKind kind{};
    int others = 0;              // vertices of a tie beside the end's own; those that a tie lacks weigh nothing
    bool damped = false;         // any of the ties is
    std::vector<int32_t> begin;  // rows of pack p: [begin[p], begin[p + 1])
    Buffer<Corner> corners;      // rows x others x W: the other vertices
    Buffer<Real> weights;        // rows x others x W: their s [-]; that of the end's own vertex is minus their sum
    Buffer<Real> numbers;        // rows x numbers that the kind uses x W (element/tie_law.h)
    Buffer<int32_t> muscle;      // rows x W, of muscles; else empty
  };
  std::vector<int32_t> pack_begin;  // packs of each colour: [pack_begin[c], pack_begin[c + 1])
  Buffer<Corner> own;               // packs x W: the vertices of the batches that have any ties, each once
  std::vector<int32_t> place;       // of each slot of these batches, pack x W + lane
  std::vector<uint8_t> any;         // of each batch: whether a vertex of it has a tie
  std::vector<Rows> rows;           // of each kind that there is

  bool empty() const { return rows.empty(); }
  size_t memory_bytes() const;
};

template <class Real, class Corner = uint16_t>
VertexTies<Real, Corner> build_vertex_ties(const Model& model, int lanes);

template <class Real, class Corner>
VertexTiesView<Real, Corner> view_of(const VertexTies<Real, Corner>& ties) {
  VertexTiesView<Real, Corner> view;
  for (const auto& r : ties.rows)
    view.rows[view.kinds++] = {
        r.kind,           r.others,         r.damped,         r.begin.data(),
        r.corners.data(), r.weights.data(), r.numbers.data(), r.muscle.empty() ? nullptr : r.muscle.data()};
  view.own = ties.own.data();
  view.place = ties.place.data();
  view.any = ties.any.data();
  return view;
}

extern template struct VertexTies<float>;
extern template struct VertexTies<double>;
extern template struct VertexTies<float, uint32_t>;
extern template struct VertexTies<double, uint32_t>;

}  // namespace sinew
