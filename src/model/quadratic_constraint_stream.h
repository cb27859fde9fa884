// A block of quadratic tetrahedra in the layout for sweeps by constraint: batches of W tets of one colour, which share
// no node.
//   nodes    batches x 10 x W: corners, then middles
//   numbers  batches x 10 x W: the gradients of L1, L2, L3 [1/m], and the volume [m^3] times the stiffness factor
// Lanes without a tet have volume 0, no gradients and ten times the padding slot of their lane, so that nothing else is
// written.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "mesh/coloring.h"
#include "model/model.h"

namespace sinew {

template <class Real>
struct QuadraticConstraintStream {
  static constexpr int number_count = 10;
  ElasticBlock block;
  PointMaterial points;  // of the block
  int lanes = 1;
  std::vector<int32_t> color_begin;  // batches of colour c: [color_begin[c], color_begin[c+1])
  Buffer<int32_t> nodes;
  Buffer<Real> numbers;

  int32_t batch_count() const { return color_begin.back(); }
  size_t memory_bytes() const { return nodes.size() * sizeof(int32_t) + numbers.size() * sizeof(Real); }
};

// As build_constraint_stream. Tets that share a middle share the corners at its ends: a colouring by corners serves.
template <class Real>
QuadraticConstraintStream<Real> build_quadratic_constraint_stream(const Model& model, const ElasticBlock& block,
                                                                  const Coloring& coloring, int32_t spare_slot,
                                                                  int lanes, ThreadPool& pool);

}  // namespace sinew
