// ThreadPool::for_each for longer work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/thread_pool.h"

namespace sinew {

// Calls body(i) for i in [0, count), for work of some hundred nanoseconds each.
template <class Body>
void for_all(ThreadPool& pool, int64_t count, const Body& body) {
  constexpr int64_t grain = 512;
  pool.parallel_for(count, grain, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) body(static_cast<size_t>(i));
  });
}

}  // namespace sinew
