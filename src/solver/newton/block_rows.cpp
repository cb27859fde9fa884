#include "solver/newton/block_rows.h"

#include <algorithm>

namespace sinew {
namespace {

int64_t blocks_in_column(const SparseSymmetric& a, int64_t column) {
  return (a.column_begin[3 * column + 1] - a.column_begin[3 * column]) / 3;
}
int32_t block_row(const SparseSymmetric& a, int64_t column, int64_t rank) {
  return a.row[a.column_begin[3 * column] + 3 * rank] / 3;
}

// Entry (i, j) of a block of the lower triangle. Of a diagonal block only i >= j is stored.
double entry(const SparseSymmetric& a, int64_t column, int64_t rank, int i, int j) {
  if (rank == 0) return a.value[a.column_begin[3 * column + std::min(i, j)] + std::abs(i - j)];
  return a.value[a.column_begin[3 * column + j] + 3 * rank - j + i];
}

}  // namespace

void BlockRows::analyze(const SparseSymmetric& a) {
  const int64_t rows = a.size / 3;
  begin_.assign(static_cast<size_t>(rows) + 1, 0);
  for (int64_t c = 0; c < rows; ++c) {
    for (int64_t k = 0; k < blocks_in_column(a, c); ++k) {
      ++begin_[block_row(a, c, k) + 1];
      if (k > 0) ++begin_[c + 1];
    }
  }
  for (int64_t r = 0; r < rows; ++r) begin_[r + 1] += begin_[r];
  column_.resize(static_cast<size_t>(begin_[rows]));
  rank_.resize(column_.size());
  value_.assign(9 * column_.size(), 0);
  diagonal_.resize(static_cast<size_t>(rows));

  // Columns are visited in ascending order, so a row first gets its blocks below the diagonal from the columns before,
  // then those of its own column.
  std::vector<int64_t> next(begin_.begin(), begin_.end() - 1);
  const auto put = [&](int64_t row, int64_t column, int64_t rank) {
    column_[next[row]] = static_cast<int32_t>(column);
    rank_[next[row]++] = static_cast<int32_t>(rank);
  };
  for (int64_t c = 0; c < rows; ++c) {
    diagonal_[c] = next[c];
    put(c, c, 0);
    for (int64_t k = 1; k < blocks_in_column(a, c); ++k) {
      const int32_t r = block_row(a, c, k);
      put(c, r, k);
      put(r, c, k);
    }
  }
}

void BlockRows::read(const SparseSymmetric& a, ThreadPool& pool) {
  pool.parallel_for(size(), 256, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      for (int64_t k = begin_[row]; k < begin_[row + 1]; ++k) {
        const bool mirrored = column_[k] > row;
        const int64_t column = mirrored ? row : column_[k];
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j)
            value_[9 * k + 3 * i + j] = mirrored ? entry(a, column, rank_[k], j, i) : entry(a, column, rank_[k], i, j);
        }
      }
    }
  });
}

void BlockRows::times(std::span<const double> x, std::span<double> y, ThreadPool& pool) const {
  pool.parallel_for(size(), 512, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      put_row(times(row, x), y, row);
    }
  });
}

Sym3<double> BlockRows::diagonal_block(int64_t row) const {
  const double* b = &value_[9 * diagonal_[row]];
  return {b[0], b[1], b[2], b[4], b[5], b[8]};
}

}  // namespace sinew
