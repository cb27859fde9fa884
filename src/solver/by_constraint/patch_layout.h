// The layout of the patches of a block for sweeps (grid/tet_patches.h, embedded_kernel.h). Patches of one colour weigh
// on no common node. W of them make a group, whose batches have a tet of each: the largest patches first, so that lanes
// which run out are the last ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "grid/tet_patches.h"
#include "model/constraint_stream.h"
#include "model/step_problem.h"
#include "solver/grid_nodes.h"

namespace sinew {

struct PatchGroup {
  int32_t first_place, place_count;
  int32_t first_batch, last_batch;
  int64_t first_mobility;  // of its edges
  bool glides;             // any of its nodes may
};

template <class Real>
struct PatchLayout {
  // Patches are counted by their places in the order of groups. Corners are patch_vertices * place + the number in the
  // patch; those of lanes without a tet are all the same.
  ConstraintStream<Real> stream;
  std::vector<PatchGroup> groups;
  std::vector<int32_t> color_begin;  // groups of colour c: [color_begin[c], color_begin[c+1])
  std::vector<int32_t> patch;        // by place, as these
  std::vector<int32_t> tet_count, vertex_count;
  std::vector<uint64_t> order;            // of patches (patch_layout.cpp)
  Buffer<Real> frames;                    // of all tets in the order of TetPatches, of which the stream's are copies
  Buffer<EmbeddedVertex<Real>> vertices;  // patch_vertices each
  // [1/kg] M_jk = sum_i w_ij w_ik / m_i of vertices j and k: rows of patch_vertices numbers, one for each j; where
  // nodes glide six of them, the entries of a symmetric matrix.
  Buffer<Real> mobility;
  std::vector<int64_t> first_mobility;  // by place
  // The same of the edges of tets (embedded_edges.h): batches x 6 x W, or where nodes glide x 36 x W.
  Buffer<Real> edge_mobility;
  const Vec4<Real>* fixed = nullptr;  // three rows of each node: the projector onto directions it cannot move in

  size_t memory_bytes() const {
    return stream.memory_bytes() + vertices.size() * sizeof(EmbeddedVertex<Real>) +
           (mobility.size() + edge_mobility.size() + frames.size()) * sizeof(Real) +
           patch.size() * (3 * sizeof(int32_t) + 2 * sizeof(int64_t)) + groups.size() * sizeof(PatchGroup);
  }
};

// What nodes can do.
struct NodeFreedom {
  std::span<const double> inverse_mass;   // [1/kg] 0: held or empty
  std::span<const Sym3<double>> fixed;    // the projectors, or empty: none glides
  std::span<const uint8_t> near_gliding;  // by row of the embedding: whether a node around it glides
};

// Of block number `block`; without `fixed`. `out` is that of the last step, or empty: what stays is not made anew, and
// its memory serves again, as fresh pages cost more than what is written to them.
template <class Real>
void build_patch_layout(const StepProblem& problem, size_t block, const NodeFreedom& nodes, int lanes, ThreadPool& pool,
                        PatchLayout<Real>& out);

}  // namespace sinew
