// A block in the layout for sweeps by constraint: batches of W tets of one colour, which share no vertex.
//   corners  batches x 4 x W
//   frames   batches x 7 or 10 x W: from the first corner, aligned for isotropic materials, full for others
//   stiffness_factors  batches x W, or empty: 1 everywhere. Never empty for triangles, so that sweeps without factors
//                      need not distinguish them from tets; nor on a grid
// Lanes without a tet have volume 0 and four times the padding slot of their lane, so that nothing else is written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/model.h"

namespace sinew {

template <class Real>
struct ConstraintStream {
  ElasticBlock block;
  int lanes = 1;
  std::vector<int32_t> color_begin;  // batches of colour c: [color_begin[c], color_begin[c+1]); or empty
  Buffer<int32_t> corners;
  Buffer<Real> frames;
  Buffer<Real> stiffness_factors;

  int32_t batch_count() const { return static_cast<int32_t>(corners.size() / (4 * static_cast<size_t>(lanes))); }
  size_t memory_bytes() const {
    return corners.size() * sizeof(int32_t) + (frames.size() + stiffness_factors.size()) * sizeof(Real);
  }
};

// What sweeps read of it.
template <class Real>
struct ConstraintStreamView {
  const int32_t* corners = nullptr;
  const Real* frames = nullptr;
  const Real* stiffness_factors = nullptr;  // null: 1 everywhere
  int corner_count = 4;
  bool plane = false;
};
template <class Real>
ConstraintStreamView<Real> view_of(const ConstraintStream<Real>& s) {
  return {s.corners.data(), s.frames.data(), s.stiffness_factors.empty() ? nullptr : s.stiffness_factors.data(),
          traits_of(s.block.element).corners, s.block.plane()};
}

// The coloring is that of all tets of the model. `spare_slot` is the first of `lanes` slots that no element uses, at
// the end of the iterate. Within a colour, tets keep their order.
template <class Real>
ConstraintStream<Real> build_constraint_stream(const Model& model, const ElasticBlock& block, const Coloring& coloring,
                                               int32_t spare_slot, int lanes, ThreadPool& pool);
// The frames of tets of a block, one after the other.
template <class Real>
Buffer<Real> frames_of_tets(const Model& model, const ElasticBlock& block, std::span<const int32_t> tets,
                            ThreadPool& pool);
int numbers_in_frame(const ElasticBlock& block);

}  // namespace sinew
