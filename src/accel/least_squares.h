// The least-squares problem of Anderson acceleration: a thin QR factorization of a few long columns, which are added
// and removed oldest first (Walker & Ni 2011, section 4). Sums have a fixed order: the same bits for any number of
// threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "accel/columns.h"

namespace sinew {

// At most `most` columns of equal length: column j is the sum over i <= j of basis i times r[i][j]. What it does with
// columns is in accel/columns.h, or for those on a device in cuda/device_columns.h.
template <class Column, int most>
class ColumnWindow {
 public:
  using Coefficients = std::array<double, most>;

  int size() const { return size_; }
  void clear() { size_ = 0; }

  // Adds a column as the newest; false if it is zero. The window must not be full.
  bool add(const Column& column, ThreadPool& pool) {
    Column& q = basis_[size_];
    q = column;
    auto& r = r_[size_];
    r = {};
    // Gram-Schmidt, twice: once would leave the basis far from orthogonal if columns nearly depend on each other.
    for (int pass = 0; pass < 2 && size_ > 0; ++pass) {
      const Coefficients c = project(q, pool);
      for (int i = 0; i < size_; ++i) r[i] += c[i];
      subtract(held(), std::span(c.data(), static_cast<size_t>(size_)), q, pool);
    }
    const double length = norm(q, pool);
    if (!(length > 0) || !std::isfinite(length)) return false;
    r[size_] = length;
    multiply(q, 1 / length, pool);
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
    turn(std::span(basis_.data(), static_cast<size_t>(size_) + 1), cosine, sine, pool);
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
  Coefficients solve(const Column& right, ThreadPool& pool) const {
    Coefficients c = project(right, pool);
    for (int i = size_ - 1; i >= 0; --i) {
      for (int j = i + 1; j < size_; ++j) c[i] -= r_[j][i] * c[j];
      c[i] /= r_[i][i];
    }
    return c;
  }

  static double norm(const Column& v, ThreadPool& pool) {
    double square = 0;
    products(std::span<const Column>(&v, 1), v, std::span(&square, 1), pool);
    return std::sqrt(square);
  }

 private:
  std::span<const Column> held() const { return {basis_.data(), static_cast<size_t>(size_)}; }
  Coefficients project(const Column& v, ThreadPool& pool) const {
    Coefficients c{};
    products(held(), v, std::span(c.data(), static_cast<size_t>(size_)), pool);
    return c;
  }

  std::array<Column, most> basis_;
  std::array<Coefficients, most> r_{};  // r_[j][i], i <= j
  int size_ = 0;
};

}  // namespace sinew
