// What conjugate gradients need to know of a symmetric matrix of 3x3 blocks, and vectors by its unknowns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "exec/thread_pool.h"
#include "math/vec.h"

namespace sinew {

// The three numbers of a row, of a vector by unknown.
inline Vec3d row_of(std::span<const double> v, int64_t row) {
  const auto i = static_cast<size_t>(3 * row);
  return {v[i], v[i + 1], v[i + 2]};
}
inline void put_row(Vec3d v, std::span<double> out, int64_t row) {
  const auto i = static_cast<size_t>(3 * row);
  out[i] = v.x;
  out[i + 1] = v.y;
  out[i + 2] = v.z;
}

class BlockOperator {
 public:
  virtual ~BlockOperator() = default;
  virtual int64_t size() const = 0;  // of rows, of three unknowns each
  // y = A x
  virtual void times(std::span<const double> x, std::span<double> y, ThreadPool& pool) const = 0;
  virtual Sym3<double> diagonal_block(int64_t row) const = 0;
};

}  // namespace sinew
