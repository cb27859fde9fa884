// Rows of a picture, handed to whichever thread is free: they differ much in cost. Whoever computes a row, its result
// is the same.
#pragma once

#include <atomic>

#include "exec/thread_pool.h"

namespace sinew {

// Calls body(row) for every row in [0, rows).
template <class Body>
void parallel_rows(ThreadPool& pool, int rows, const Body& body) {
  std::atomic<int> next{0};
  pool.run([&](int) {
    for (int row = next++; row < rows; row = next++) body(row);
  });
}

}  // namespace sinew
