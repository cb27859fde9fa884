// The matrix of Newton's method for bodies on a grid (grid_assembly.h) as a product, for conjugate gradients:
//   A x = M/h^2 x + W^T (K (W x)),
// with the stiffness K of the vertices, which has far fewer blocks than A. Unknowns are by slot, then by node; rows of
// held ones are those of the identity, and of those that glide only free parts count (block_matrix.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/step_problem.h"
#include "solver/newton/block_matrix.h"
#include "solver/newton/block_operator.h"
#include "solver/newton/block_rows.h"
#include "solver/newton/vertex_neighbours.h"

namespace sinew {

class GridOperator final : public BlockOperator {
 public:
  // `of_vertices` gives the pattern of K, which is that of every step until it is renewed. The problem must outlive the
  // step.
  void begin_step(const StepProblem& problem, const SparseSymmetric& of_vertices);
  void renew(const SparseSymmetric& of_vertices) {
    neighbours_.forget();
    rows_.analyze(of_vertices);
  }
  void assemble(const BlockMatrix& of_vertices, std::span<const Glide> glides, ThreadPool& pool);
  // As BlockMatrix::regularize does.
  void regularize(double share);

  int64_t size() const override { return static_cast<int64_t>(diagonal_.size()); }
  void times(std::span<const double> x, std::span<double> y, ThreadPool& pool) const override;
  Sym3<double> diagonal_block(int64_t row) const override;
  // y = |A| |x|, or rather M/h^2 |x| + W^T |K| W |x|, which is no less.
  void times_absolute(const SparseSymmetric& of_vertices, std::span<const double> x, std::span<double> y,
                      ThreadPool& pool) const;
  size_t memory_bytes() const;

 private:
  void carry(std::span<const double> x, ThreadPool& pool, std::span<double> of_slots) const;
  Vec3d gathered(int32_t node, std::span<const double> of_slots) const;
  Sym3<double> block_of(int32_t node, const BlockMatrix& of_vertices, std::span<double> weight_of) const;
  Vec3d free_part(int64_t row, Vec3d v) const;

  const StepProblem* problem_ = nullptr;
  VertexNeighbours neighbours_;
  BlockRows rows_;                          // K
  std::vector<Sym3<double>> diagonal_;      // blocks of A
  std::vector<Vec3d> added_;                // to the diagonal of A, by `regularize`
  std::vector<const Glide*> glide_;         // by row; null: none
  mutable std::vector<double> at_, force_;  // W x and K W x
};

}  // namespace sinew
