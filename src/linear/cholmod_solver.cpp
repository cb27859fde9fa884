// Supernodal sparse Cholesky factorization by CHOLMOD (Chen, Davis, Hager & Rajamanickam 2008): dense kernels on
// groups of columns, fill reduced by nested dissection (METIS) or minimum degree (AMD), whichever needs less work.
#if defined(SINEW_HAS_CHOLMOD)

#include <cholmod.h>

#include <algorithm>

#include "linear/backends.h"
#include "linear/one_thread.h"

namespace sinew {
namespace {

static_assert(sizeof(SuiteSparse_long) == sizeof(int64_t));

class CholmodSolver : public LinearSolver {
 public:
  CholmodSolver() {
    cholmod_l_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
    common_.quick_return_if_not_posdef = 1;
    common_.final_ll = 1;  // L L^T also on small matrices: L D L^T would not notice a negative pivot
  }
  ~CholmodSolver() override {
    release();
    cholmod_l_finish(&common_);
  }
  CholmodSolver(const CholmodSolver&) = delete;
  CholmodSolver& operator=(const CholmodSolver&) = delete;

  const char* name() const override { return "cholmod"; }

  bool analyze(const SparseSymmetric& a) override {
    release();
    row_.assign(a.row.begin(), a.row.end());
    cholmod_sparse matrix = view(a);
    factor_ = cholmod_l_analyze(&matrix, &common_);
    return factor_ != nullptr;
  }

  bool factorize(const SparseSymmetric& a) override {
    factored_ = false;
    if (!factor_) return false;
    const OneThread one_thread;
    cholmod_sparse matrix = view(a);
    factored_ =
        cholmod_l_factorize(&matrix, factor_, &common_) && common_.status == CHOLMOD_OK && factor_->minor == factor_->n;
    return factored_;
  }

  bool solve(std::span<const double> b, std::span<double> x) override {
    if (!factored_) return false;
    const OneThread one_thread;
    cholmod_dense right = {};
    right.nrow = right.d = right.nzmax = b.size();
    right.ncol = 1;
    right.x = const_cast<double*>(b.data());  // only read
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    // The workspace is reused between solves.
    if (!cholmod_l_solve2(CHOLMOD_A, factor_, &right, nullptr, &solution_, nullptr, &work_y_, &work_e_, &common_)) {
      return false;
    }
    const double* solution = static_cast<const double*>(solution_->x);
    std::copy(solution, solution + x.size(), x.begin());
    return true;
  }

 private:
  // The caller's matrix as a CHOLMOD matrix, without copying. Indices are 64-bit: a factor may have more than 2^31
  // entries.
  cholmod_sparse view(const SparseSymmetric& a) {
    cholmod_sparse matrix = {};
    matrix.nrow = matrix.ncol = static_cast<size_t>(a.size);
    matrix.nzmax = a.value.size();
    matrix.p = const_cast<int64_t*>(a.column_begin.data());
    matrix.i = row_.data();
    matrix.x = const_cast<double*>(a.value.data());
    matrix.stype = -1;  // lower triangle
    matrix.itype = CHOLMOD_LONG;
    matrix.xtype = CHOLMOD_REAL;
    matrix.dtype = CHOLMOD_DOUBLE;
    matrix.sorted = 1;
    matrix.packed = 1;
    return matrix;
  }

  void release() {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_free_dense(&solution_, &common_);
    cholmod_l_free_dense(&work_y_, &common_);
    cholmod_l_free_dense(&work_e_, &common_);
    factored_ = false;
  }

  cholmod_common common_;
  std::vector<int64_t> row_;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
  bool factored_ = false;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod_solver() {
  return std::make_unique<CholmodSolver>();
}

}  // namespace sinew

#endif
