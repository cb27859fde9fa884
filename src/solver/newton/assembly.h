// The matrix of Newton's method, M/h^2 + K(x) and damping, as a sparse lower triangle. Its unknowns are 3 slot + axis.
//
// The pattern depends on the mesh only: rows and columns of held vertices (and of padding) become those of the
// identity, so that one symbolic factorization serves a model while pins come and go.
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
  // To be called next: makes rows and columns of held vertices those of the identity, and replaces blocks K of vertices
  // that glide by P K P + s N (model/glide.h), with s of the size of K. A free right-hand side then has a free
  // solution.
  void hold(std::span<const uint8_t> held, std::span<const Glide> glides);
  // To be called next: raises the diagonal a_cc of free unknowns by share * (a_cc + mean of a_cc). 0 restores it.
  void regularize(double share);

  const SparseSymmetric& matrix() const { return matrix_; }
  size_t memory_bytes() const;

 private:
  // Elements of one block, few enough for their stiffness to fit into the cache.
  struct Chunk {
    int32_t block;
    int32_t first_tet, last_tet;
    int64_t first_entry, last_entry;
  };

  void build_pattern(const Model& model);
  bool has_block(int32_t a, int32_t b) const;
  void add_contacts();
  void build_gather(const Model& model, ThreadPool& pool);
  int32_t block_at(int32_t a, int32_t b) const;
  double* first_entry(int32_t block, int column);
  void add_block(int32_t block, const Mat3d& k);
  void constrain(std::span<const Glide> glides);
  void add_ties(const StepProblem& problem, std::span<const Vec3d> x, Tangent tangent);
  void add_grabs(const StepProblem& problem);
  void gather(const Chunk& chunk, ThreadPool& pool);
  int64_t stiffness_of(const Chunk& chunk, const StepProblem& problem, std::span<const Vec3d> x, Tangent tangent,
                       ThreadPool& pool);

  SparseSymmetric matrix_;
  VertexPattern blocks_;  // the 3x3 blocks
  std::vector<Chunk> chunks_;
  // The targets of a chunk's element blocks: (block of the matrix) * 2^32 + (tet in the chunk) * 10 + (block of the
  // tet), ascending within a chunk. Sums are taken in this order.
  std::vector<uint64_t> entries_;
  std::vector<int32_t> tie_blocks_;      // block of the matrix for each tie and each pair of its ends i >= j
  std::vector<SlotPair> contact_pairs_;  // in the pattern beyond those of tets and ties
  std::vector<Contact> contacts_;
  bool begins_ = true;            // a step, none of whose contacts were taken yet
  std::vector<Mat3d> buffer_;     // element blocks of one chunk, by tet and block
  std::vector<double> diagonal_;  // as `hold` wrote it
  std::vector<uint8_t> held_;
  std::vector<int32_t> glide_of_;  // by slot, -1: none; empty: no vertex glides
};

// y = A x.
void multiply(const SparseSymmetric& a, std::span<const double> x, std::span<double> y);
// y = |A| x, the entries' absolute values.
void multiply_absolute(const SparseSymmetric& a, std::span<const double> x, std::span<double> y);

}  // namespace sinew
