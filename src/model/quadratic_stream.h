// A block of quadratic tetrahedra in the layout for sweeps by vertex, like VertexStream: for each batch of W
// consecutive slots rows of W lanes, one vertex per lane.
//   frames  row k holds the k-th tet at each vertex, in an even order in which the vertex is the first corner, or the
//           middle of the first edge. For any material.
//             nodes     rows x 9 x W: the middle of the first edge, or if the vertex is that the first corner; then
//                       x1 x2 x3 m02 m03 m12 m13 m23
//             numbers   rows x 10 x W: the gradients G1 G2 G3 of L1, L2, L3 [1/m], and the volume [m^3] times the
//                       stiffness factor, negative where the vertex is a middle
//   links   row k holds the k-th entry of the vertex's strip (quadratic_strip.h): first the rows of corners, then those
//           of middles. For Neo-Hookean, which needs no rest frame: mu |F|^2/2 is a constant Laplacian, and J and its
//           derivatives come from the current nodes and the volume alone.
//             nodes     rows x 4 x W
//             numbers   rows x 5 x W: -K_ij of the four nodes [N/m], and link_unit/(6 V) [1/m^3], whose lowest bit says
//                       that the entry is odd, and whose sign that the next one keeps
//             laplacian lanes: the sum of -K_ij
//   elements  rows x W: which multiplier is the tet's, or the one after all tets where there is no tet; none where the
//             bulk stiffness is not split
//   first_visits  rows, as long as there are elements: bit k says that in lane k the tet's first vertex is seen in the
//                 order of a forward sweep
// Numbers are 0 in lanes that have run out of tets, or that have none.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "model/model.h"
#include "model/vertex_stream.h"

namespace sinew {

inline constexpr int other_nodes = most_nodes - 1;
inline constexpr int quadratic_frame_numbers = 10, quadratic_link_nodes = 4, quadratic_link_numbers = 5;
// (4/sqrt(5))^3: columns of F are computed over 4/sqrt(5).
inline constexpr double link_unit = 5.7243340223994626;

template <class Real, class NodeType = uint16_t>
struct QuadraticStream {
  using Node = NodeType;
  ElasticBlock block;
  PointMaterial points;                        // of the block
  VertexLayout layout = VertexLayout::frames;  // or links
  int lanes = 1;
  std::vector<int32_t> row_begin;     // batches + 1
  std::vector<int32_t> middle_begin;  // of links, by batch: the first row of middles
  Buffer<Node> nodes;                 // in the batch's cluster (model/clusters.h); of 32 bits: slots
  Buffer<int32_t> elements;
  Buffer<uint32_t> first_visits;
  Buffer<Real> numbers, laplacian;

  size_t memory_bytes() const {
    return (row_begin.size() + middle_begin.size() + elements.size() + first_visits.size()) * sizeof(int32_t) +
           nodes.size() * sizeof(Node) + (numbers.size() + laplacian.size()) * sizeof(Real);
  }
};

// Calls each(k, block) of the k-th block of quadratic tets.
template <class Each>
void for_each_quadratic_block(const Model& model, const Each& each) {
  size_t k = 0;
  for (const ElasticBlock& block : model.blocks)
    if (block.quadratic()) each(k++, block);
}

// Links only of blocks that have them (vertex_stream.h), without stiffness factors that differ.
template <class Real, class Node = uint16_t>
QuadraticStream<Real, Node> build_quadratic_stream(const Model& model, const ElasticBlock& block, VertexLayout layout,
                                                   int lanes, ThreadPool& pool);

// The fastest that it can have; or frames.
VertexLayout quadratic_layout(const Model& model, const ElasticBlock& block, bool frames_only);

// Whether `rescale` can give the stream the stiffness and damping of `block`, which differs from its own in nothing
// else: frames hold neither. What has come to be split needs a list of elements.
inline bool can_rescale_quadratic(VertexLayout layout, bool has_elements, const ElasticBlock& own,
                                  const ElasticBlock& block) {
  if (!has_elements && PointMaterial::of(block).mean_lambda > 0) return false;
  return layout == VertexLayout::frames || own.material.lame.mu == block.material.lame.mu;
}
template <class Real, class Node>
bool can_rescale(const QuadraticStream<Real, Node>& stream, const ElasticBlock& block) {
  return can_rescale_quadratic(stream.layout, !stream.elements.empty(), stream.block, block);
}
template <class Real, class Node>
void rescale(QuadraticStream<Real, Node>& stream, const ElasticBlock& block) {
  stream.block = block;
  stream.points = PointMaterial::of(block);
}

}  // namespace sinew
