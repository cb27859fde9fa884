// Gliding vertices (model/glide.h) in the layout for sweeps by vertex: a list for each batch of its lanes that glide,
// which is mostly empty.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/glide.h"

namespace sinew {

template <class Real>
struct VertexGlide {
  Sym3<Real> fixed;
  int32_t lane;
};
// What kernels read, also on GPUs.
template <class Real>
struct VertexGlidesView {
  const int32_t* begin = nullptr;
  const VertexGlide<Real>* items = nullptr;

  SINEW_INLINE bool has(int64_t batch) const { return begin[batch] < begin[batch + 1]; }
};

template <class Real>
struct VertexGlides {
  using Item = VertexGlide<Real>;
  std::vector<int32_t> begin;  // items of batch b: [begin[b], begin[b + 1])
  std::vector<Item> items;

  VertexGlidesView<Real> view() const { return {begin.data(), items.data()}; }
  size_t memory_bytes() const { return begin.capacity() * sizeof(int32_t) + items.capacity() * sizeof(Item); }

  // Builds the lists from glides by ascending slot.
  void build(std::span<const Glide> glides, int32_t slots, int lanes) {
    items.clear();
    begin.assign(glides.empty() ? 0 : static_cast<size_t>(slots / lanes) + 1, 0);
    for (const Glide& g : glides) {
      const Sym3<double>& n = g.fixed;
      items.push_back({{static_cast<Real>(n.xx), static_cast<Real>(n.xy), static_cast<Real>(n.xz),
                        static_cast<Real>(n.yy), static_cast<Real>(n.yz), static_cast<Real>(n.zz)},
                       g.slot % lanes});
      ++begin[static_cast<size_t>(g.slot / lanes) + 1];
    }
    for (size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
  }
};

}  // namespace sinew
