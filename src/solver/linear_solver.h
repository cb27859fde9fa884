// The interface of solvers of the sparse symmetric systems of Newton's method. The core depends on no library, so the
// implementation comes from above (room linear/).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// The lower triangle of a symmetric matrix in compressed columns: rows ascending within a column, diagonal first.
struct SparseSymmetric {
  int64_t size = 0;
  std::vector<int64_t> column_begin;  // size + 1
  std::vector<int32_t> row;
  std::vector<double> value;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual const char* name() const = 0;
  // Symbolic analysis of the pattern, used by all later factorizations.
  virtual bool analyze(const SparseSymmetric& a) = 0;
  // Numerical factorization; false if the matrix is not positive definite, or if memory runs out.
  virtual bool factorize(const SparseSymmetric& a) = 0;
  virtual bool solve(std::span<const double> b, std::span<double> x) = 0;
};

// Makes a linear solver by name, or the best available for "auto"; null if it was not built in.
using LinearSolverFactory = std::unique_ptr<LinearSolver> (*)(std::string_view name);

}  // namespace sinew
