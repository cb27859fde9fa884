// What conjugate gradients need to know of a symmetric matrix of 3x3 blocks.
#pragma once

#include <cstdint>
#include <span>

#include "exec/thread_pool.h"
#include "math/vec.h"

namespace sinew {

class BlockOperator {
 public:
  virtual ~BlockOperator() = default;
  virtual int64_t size() const = 0;  // of rows, of three unknowns each
  // y = A x
  virtual void times(std::span<const double> x, std::span<double> y, ThreadPool& pool) const = 0;
  virtual Sym3<double> diagonal_block(int64_t row) const = 0;
};

}  // namespace sinew
