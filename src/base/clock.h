// Wall-clock time, for what is reported.
#pragma once

#include <chrono>

namespace sinew {

using Clock = std::chrono::steady_clock;

inline double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace sinew
