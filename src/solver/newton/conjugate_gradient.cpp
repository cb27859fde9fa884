#include "solver/newton/conjugate_gradient.h"

#include <algorithm>
#include <cmath>

#include "math/solve.h"

namespace sinew {
namespace {

// Below this share of |b| the recursively updated residual is no longer that of x.
constexpr double round_off = 1e-15;

// The summands of ordered_sum.
struct Sums {
  double first = 0, second = 0;
  void operator+=(Sums o) {
    first += o.first;
    second += o.second;
  }
};

}  // namespace

bool ConjugateGradient::analyze(const SparseSymmetric& a) {
  rows_.analyze(a);
  return true;
}

bool ConjugateGradient::factorize(const SparseSymmetric& a) {
  rows_.read(a, pool_);
  return factorize(rows_);
}

bool ConjugateGradient::factorize(const BlockOperator& a) {
  a_ = &a;
  inverse_.resize(static_cast<size_t>(a.size()));
  for (auto* v : {&residual_, &preconditioned_, &direction_, &image_}) v->resize(static_cast<size_t>(3 * a.size()));
  const double failures =
      ordered_sum<Sums>(pool_, a.size(), [&](int64_t row) {
        const Sym3<double> block = a.diagonal_block(row), adjoint = adjugate(block);
        const double det = determinant(block, adjoint);
        inverse_[row] = preconditioner_ == Preconditioner::none ? Sym3<double>{1, 0, 0, 1, 0, 1} : (1 / det) * adjoint;
        // Counts blocks that are not positive definite, by their leading minors.
        return Sums{block.xx > 0 && adjoint.zz > 0 && det > 0 ? 0.0 : 1.0, 0};
      }).first;
  return failures == 0;
}

bool ConjugateGradient::solve(std::span<const double> b, std::span<double> x) {
  // x = 0, r = b, z = p = M^-1 b; b.z and b.b
  Sums sums = ordered_sum<Sums>(pool_, a_->size(), [&](int64_t row) {
    const Vec3d r = row_of(b, row), z = inverse_[row] * r;
    put_row({}, x, row);
    put_row(r, residual_, row);
    put_row(z, direction_, row);
    return Sums{dot(r, z), dot(r, r)};
  });
  double slope = sums.first;
  const double end = std::max(tolerance_, round_off) * std::sqrt(sums.second);
  const int64_t most = most_ > 0 ? most_ : static_cast<int64_t>(b.size());

  for (iterations_ = 0; iterations_ < most && std::sqrt(sums.second) > end; ++iterations_) {
    a_->times(direction_, image_, pool_);
    const double curvature = ordered_sum<Sums>(pool_, a_->size(), [&](int64_t row) {
                               return Sums{dot(row_of(direction_, row), row_of(image_, row)), 0};
                             }).first;
    if (!(curvature > 0)) return false;

    const double step = slope / curvature;
    sums = ordered_sum<Sums>(pool_, a_->size(), [&](int64_t row) {
      put_row(row_of(x, row) + step * row_of(direction_, row), x, row);
      const Vec3d r = row_of(residual_, row) - step * row_of(image_, row), z = inverse_[row] * r;
      put_row(r, residual_, row);
      put_row(z, preconditioned_, row);
      return Sums{dot(r, z), dot(r, r)};
    });
    const double share = sums.first / slope;
    slope = sums.first;
    pool_.for_each(static_cast<int64_t>(b.size()),
                   [&](size_t i) { direction_[i] = preconditioned_[i] + share * direction_[i]; });
  }
  return std::isfinite(slope);
}

}  // namespace sinew
