// Rows of a picture, given to the next free thread, since their cost varies widely. The result of a row does not depend
// on the thread.
#pragma once

#include "exec/thread_pool.h"

namespace sinew {

// Calls body(row) for every row in [0, rows).
template <class Body>
void parallel_rows(ThreadPool& pool, int rows, const Body& body) {
  pool.parallel_for(rows, 1, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) body(static_cast<int>(row));
  });
}

}  // namespace sinew
