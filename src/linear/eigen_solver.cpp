// Eigen's simplicial Cholesky factorization L L^T with minimum-degree ordering: one thread, no dense kernels. It is
// header-only, and the fallback in builds without CHOLMOD.
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>

#include "linear/backends.h"

namespace sinew {
namespace {

// 64-bit indices: a factor of a large mesh has more than 2^31 entries.
using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int64_t>;

class EigenSolver : public LinearSolver {
 public:
  const char* name() const override { return "eigen"; }

  bool analyze(const SparseSymmetric& a) override {
    row_.assign(a.row.begin(), a.row.end());
    factor_.analyzePattern(view(a));
    factored_ = false;
    return true;
  }

  // L L^T, not L D L^T: it fails if the matrix is not positive definite.
  bool factorize(const SparseSymmetric& a) override {
    factor_.factorize(view(a));
    factored_ = factor_.info() == Eigen::Success;
    return factored_;
  }

  bool solve(std::span<const double> b, std::span<double> x) override {
    if (!factored_) return false;
    const auto size = static_cast<Eigen::Index>(b.size());
    Eigen::Map<Eigen::VectorXd>(x.data(), size) = factor_.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), size));
    return true;
  }

 private:
  Eigen::Map<const Matrix> view(const SparseSymmetric& a) const {
    return {a.size,      a.size,        static_cast<Eigen::Index>(a.value.size()), a.column_begin.data(),
            row_.data(), a.value.data()};
  }

  std::vector<int64_t> row_;
  Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int64_t>> factor_;
  bool factored_ = false;
};

}  // namespace

std::unique_ptr<LinearSolver> make_eigen_solver() {
  return std::make_unique<EigenSolver>();
}

}  // namespace sinew
