// Waiting for other threads: for some microseconds in a loop, then asleep.
#pragma once

#include <atomic>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif defined(__EMSCRIPTEN_PTHREADS__)
#include <emscripten/threading.h>

#include <limits>
#endif

namespace sinew {

// About 50 us.
#if defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr int spins_before_sleep = 40000;  // which has no instruction to pause
#else
inline constexpr int spins_before_sleep = 4000;
#endif

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#endif
}

// Sleeps while `value` equals `old`, and wakes those who do. Emscripten's standard library would look again every 8 ms.
template <class T>
void sleep_while(const std::atomic<T>& value, T old) {
#if defined(__EMSCRIPTEN_PTHREADS__)
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  emscripten_futex_wait(const_cast<std::atomic<T>*>(&value), static_cast<uint32_t>(old), no_limit);
#else
  value.wait(old, std::memory_order_acquire);
#endif
}
template <class T>
void wake_all(std::atomic<T>& value) {
#if defined(__EMSCRIPTEN_PTHREADS__)
  emscripten_futex_wake(&value, std::numeric_limits<int>::max());
#else
  value.notify_all();
#endif
}

// Waits while `value` equals `old`.
template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  for (int k = 0; k < spins_before_sleep; ++k) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  sleep_while(value, old);
}

}  // namespace sinew
