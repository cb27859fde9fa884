// What a thread of a GPU reads of its links, several rows at once, because it waits long for each; and ahead, while the
// vertices before its own still move.
#pragma once

#include "math/lane.h"
#include "model/vertex_stream.h"
#include "solver/sweep.h"

namespace sinew::vertex_kernel {

// Rows after the last are without effect.
template <class Real, int at_once>
struct LinksAhead {
  static constexpr int count = at_once;
  int32_t row = 0, last = 0;
  uint32_t own = 0;
  uint32_t neighbour[at_once];
  Real k[at_once], w[at_once], w_c[at_once];
  Real laplacian = 0;

  template <int W>
  static SINEW_INLINE LinksAhead of(const VertexStreamView<Real, uint32_t>& stream, const Batch<Real, W>& batch) {
    LinksAhead links;
    links.row = stream.row_begin[batch.number];
    links.last = stream.row_begin[batch.number + 1];
    links.own = static_cast<uint32_t>(batch.slot());
    links.laplacian = stream.laplacian[batch.first_lane()];
    links.read(stream, batch);
    return links;
  }
  // Reads the rows from `row` on.
  template <int W>
  SINEW_INLINE void read(const VertexStreamView<Real, uint32_t>& stream, const Batch<Real, W>& batch) {
    const uint32_t* corners = stream.corners + static_cast<int64_t>(row) * W + batch.lane;
    const Real* numbers = stream.numbers + static_cast<int64_t>(row) * 3 * W + batch.lane;
    for (int n = 0; n < at_once; ++n) {
      const bool some = row + n < last;
      neighbour[n] = some ? read_once(corners + n * W) : own;
      k[n] = some ? read_once(numbers + n * 3 * W) : Real{};
      w[n] = some ? read_once(numbers + n * 3 * W + W) : Real{};
      w_c[n] = some ? read_once(numbers + n * 3 * W + 2 * W) : Real{};
    }
  }

 private:
  // So that in the caches positions stay rather than links.
  template <class Item>
  static SINEW_INLINE Item read_once(const Item* item) {
#if defined(__CUDA_ARCH__)
    return __ldcs(item);
#else
    return *item;
#endif
  }
};

}  // namespace sinew::vertex_kernel
