// A symmetric matrix of 3x3 blocks stored by full rows. It takes twice the memory of the lower triangle, but in
// products each row belongs to one thread: they run in parallel, with the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "math/vec.h"
#include "solver/linear_solver.h"
#include "solver/newton/block_operator.h"

namespace sinew {

class BlockRows final : public BlockOperator {
 public:
  // Reads the pattern. Unknowns are 3 row + axis; every column and row consists of whole blocks.
  void analyze(const SparseSymmetric& a);
  // Reads the values of a matrix with that pattern.
  void read(const SparseSymmetric& a, ThreadPool& pool);

  int64_t size() const override { return begin_.empty() ? 0 : static_cast<int64_t>(begin_.size()) - 1; }
  Sym3<double> diagonal_block(int64_t row) const override;
  void times(std::span<const double> x, std::span<double> y, ThreadPool& pool) const override;

  // Row `row` of A x; `x` by unknown.
  Vec3d times(int64_t row, std::span<const double> x) const {
    Vec3d sum{};
    for (int64_t k = begin_[row]; k < begin_[row + 1]; ++k) {
      const double* b = &value_[9 * k];
      const double* v = &x[3 * int64_t{column_[k]}];
      sum.x += b[0] * v[0] + b[1] * v[1] + b[2] * v[2];
      sum.y += b[3] * v[0] + b[4] * v[1] + b[5] * v[2];
      sum.z += b[6] * v[0] + b[7] * v[1] + b[8] * v[2];
    }
    return sum;
  }

  size_t memory_bytes() const {
    return begin_.size() * sizeof(int64_t) + (column_.size() + rank_.size()) * sizeof(int32_t) +
           value_.size() * sizeof(double);
  }

 private:
  std::vector<int64_t> begin_;   // the blocks of a row, by ascending column
  std::vector<int32_t> column_;  // of each block
  std::vector<int32_t> rank_;    // of the block, or of its transpose, in its column of the lower triangle
  std::vector<int64_t> diagonal_;
  Buffer<double> value_;  // of each block, by rows
};

}  // namespace sinew
