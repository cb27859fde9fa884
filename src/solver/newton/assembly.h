// The matrix of Newton's method, M/h^2 + K(x) and damping, by slot (block_matrix.h). The pattern depends on the mesh
// only. Vertices that are embedded in a grid have no inertia in it: that is the nodes' (grid_assembly.h).
//
// Ties (element/tie.h) contribute s_i s_j phi''(C), in the projected matrix without its negative part, which fibres and
// compressed springs have. Grabs (model/grab.h) contribute k' s_i s_j 1: their vertices share an element.
//
// Contacts (contact/contact.h) contribute s_i s_j (phi'' n n^T + friction), for which the pattern grows within a step.
//
// Damping by the rate of strain adds its blocks (element/strain_rate.h), which are constant in a step and positive
// semi-definite. Damping by own blocks adds (k_d/h) K_ii.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact.h"
#include "exec/thread_pool.h"
#include "model/model.h"
#include "model/step_problem.h"
#include "solver/element_tangent.h"
#include "solver/linear_solver.h"
#include "solver/newton/block_matrix.h"
#include "solver/vertex_pattern.h"

namespace sinew {

class Assembly {
 public:
  // Builds the pattern. Takes time linear in the size of the mesh.
  void prepare(const Model& model, ThreadPool& pool);

  // To be called before the contacts of a step.
  void begin_step() { begins_ = true; }
  // Makes room in the pattern for these contacts, which `assemble` adds from now on; true if it had to grow. Contacts
  // of an earlier step keep their room while they are fewer than half of it.
  bool take_contacts(const Model& model, std::span<const Contact> contacts, ThreadPool& pool);

  // Writes the matrix at x as if no vertex were held; returns the number of elements that the projection changed. The
  // bits do not depend on the number of threads.
  int64_t assemble(const StepProblem& problem, std::span<const Vec3d> x, Tangent tangent, ThreadPool& pool);
  BlockMatrix& block_matrix() { return matrix_; }
  const BlockMatrix& block_matrix() const { return matrix_; }
  const SparseSymmetric& matrix() const { return matrix_.matrix(); }
  size_t memory_bytes() const;

 private:
  // Elements of one block, few enough for their stiffness to fit into the cache.
  struct Chunk {
    int32_t block;
    int32_t first_tet, last_tet;
    int64_t first_entry, last_entry;
  };

  void add_contacts();
  void build_gather(const Model& model, ThreadPool& pool);
  void add_ties(const StepProblem& problem, std::span<const Vec3d> x, Tangent tangent);
  void add_grabs(const StepProblem& problem);
  void gather(const Chunk& chunk, ThreadPool& pool);
  int64_t stiffness_of(const Chunk& chunk, const StepProblem& problem, std::span<const Vec3d> x, Tangent tangent,
                       ThreadPool& pool);

  BlockMatrix matrix_;
  std::vector<Chunk> chunks_;
  // The targets of a chunk's element blocks: (block of the matrix) * 2^32 + (the element's block in the buffer),
  // ascending within a chunk. Sums are taken in this order.
  std::vector<uint64_t> entries_;
  std::vector<int32_t> tie_blocks_;      // block of the matrix for each tie and each pair of its ends i >= j
  std::vector<SlotPair> contact_pairs_;  // in the pattern beyond those of tets and ties
  std::vector<Contact> contacts_;
  bool begins_ = true;         // a step, none of whose contacts were taken yet
  std::vector<Mat3d> buffer_;  // element blocks of one chunk, by tet and block
};

}  // namespace sinew
