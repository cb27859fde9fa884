// The least-squares problem of Anderson acceleration: a thin QR factorization of a few long columns, which are added
// and removed oldest first (Walker & Ni 2011, section 4). Sums have a fixed order: the same bits for any number of
// threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"

namespace sinew {

// a.b over [0, count), summed in double precision over eight interleaved parts.
template <class Real>
double dot_piece(const Real* a, const Real* b, int64_t count) {
  double part[8] = {};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int k = 0; k < 8; ++k) part[k] += static_cast<double>(a[i + k]) * b[i + k];
  }
  for (int k = 0; i < count; ++i, ++k) part[k] += static_cast<double>(a[i]) * b[i];
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

// At most `most` columns of equal length: column j is the sum over i <= j of basis i times r[i][j].
template <class Real, int most>
class ColumnWindow {
 public:
  using Coefficients = std::array<double, most>;

  int size() const { return size_; }
  void clear() { size_ = 0; }

  // Adds a column as the newest; false if it is zero. The window must not be full.
  bool add(const Buffer<Real>& column, ThreadPool& pool) {
    Buffer<Real>& q = basis_[size_];
    q = column;
    auto& r = r_[size_];
    r = {};
    // Gram-Schmidt, twice: once would leave the basis far from orthogonal if columns nearly depend on each other.
    for (int pass = 0; pass < 2 && size_ > 0; ++pass) {
      const Coefficients c = project(q, pool);
      for (int i = 0; i < size_; ++i) r[i] += c[i];
      subtract(std::span(basis_.data(), size_), c, q, pool);
    }
    const double length = norm(q, pool);
    if (!(length > 0) || !std::isfinite(length)) return false;
    r[size_] = length;
    const Real scale = static_cast<Real>(1 / length);
    pool.for_each(static_cast<int64_t>(q.size()), [&](size_t i) { q[i] *= scale; });
    ++size_;
    return true;
  }

  // Without its first column the triangle has a subdiagonal, which rotations of neighbouring rows remove.
  void drop_oldest(ThreadPool& pool) {
    for (int j = 0; j + 1 < size_; ++j) r_[j] = r_[j + 1];
    --size_;
    Coefficients cosine{}, sine{};
    for (int k = 0; k < size_; ++k) {
      const double length = std::hypot(r_[k][k], r_[k][k + 1]);
      cosine[k] = length > 0 ? r_[k][k] / length : 1;
      sine[k] = length > 0 ? r_[k][k + 1] / length : 0;
      for (int j = k; j < size_; ++j) {
        const double upper = r_[j][k], lower = r_[j][k + 1];
        r_[j][k] = cosine[k] * upper + sine[k] * lower;
        r_[j][k + 1] = cosine[k] * lower - sine[k] * upper;
      }
    }
    pool.for_each(static_cast<int64_t>(basis_[0].size()), [&](size_t i) {
      for (int k = 0; k < size_; ++k) {
        const double upper = basis_[k][i], lower = basis_[k + 1][i];
        basis_[k][i] = static_cast<Real>(cosine[k] * upper + sine[k] * lower);
        basis_[k + 1][i] = static_cast<Real>(cosine[k] * lower - sine[k] * upper);
      }
    });
  }

  // Smallest over largest entry of the diagonal of R.
  double diagonal_ratio() const {
    double smallest = r_[0][0], largest = r_[0][0];
    for (int k = 1; k < size_; ++k) {
      smallest = std::min(smallest, std::abs(r_[k][k]));
      largest = std::max(largest, std::abs(r_[k][k]));
    }
    return smallest / largest;
  }

  // argmin over c of |right - sum c_j column_j|
  Coefficients solve(const Buffer<Real>& right, ThreadPool& pool) const {
    Coefficients c = project(right, pool);
    for (int i = size_ - 1; i >= 0; --i) {
      for (int j = i + 1; j < size_; ++j) c[i] -= r_[j][i] * c[j];
      c[i] /= r_[i][i];
    }
    return c;
  }

  static double norm(const Buffer<Real>& v, ThreadPool& pool) {
    const std::span<const Buffer<Real>> itself(&v, 1);
    return std::sqrt(products(itself, v, pool)[0]);
  }

  // v -= sum c_j column_j
  static void subtract(std::span<const Buffer<Real>> columns, const Coefficients& c, Buffer<Real>& v,
                       ThreadPool& pool) {
    pool.parallel_for(static_cast<int64_t>(v.size()), reduction_chunk, [&](int64_t first, int64_t last) {
      for (int64_t piece = first; piece < last; piece += reduction_chunk) {  // stays in the cache
        const int64_t end = std::min(last, piece + reduction_chunk);
        for (size_t j = 0; j < columns.size(); ++j) {
          const Real share = static_cast<Real>(c[j]);
          for (int64_t i = piece; i < end; ++i) v[i] -= share * columns[j][i];
        }
      }
    });
  }

 private:
  Coefficients project(const Buffer<Real>& v, ThreadPool& pool) const {
    return products(std::span(basis_.data(), size_), v, pool);
  }

  // column_j . v
  static Coefficients products(std::span<const Buffer<Real>> columns, const Buffer<Real>& v, ThreadPool& pool) {
    const auto count = static_cast<int64_t>(v.size());
    std::vector<Coefficients> partial((v.size() + reduction_chunk - 1) / reduction_chunk);
    pool.parallel_for(static_cast<int64_t>(partial.size()), 4, [&](int64_t first, int64_t last) {
      for (int64_t c = first; c < last; ++c) {
        const int64_t begin = c * reduction_chunk, length = std::min(count - begin, reduction_chunk);
        for (size_t j = 0; j < columns.size(); ++j)
          partial[c][j] = dot_piece(columns[j].data() + begin, v.data() + begin, length);
      }
    });
    Coefficients sum{};
    for (const Coefficients& p : partial) {
      for (size_t j = 0; j < columns.size(); ++j) sum[j] += p[j];
    }
    return sum;
  }

  std::array<Buffer<Real>, most> basis_;
  std::array<Coefficients, most> r_{};  // r_[j][i], i <= j
  int size_ = 0;
};

}  // namespace sinew
