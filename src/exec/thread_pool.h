// Threads. One pool runs everything; what is worked on at the same time shares nothing, and sums are taken in a fixed
// order, so results have the same bits for any number of threads.
//
// A sweep passes through its colours with a barrier between them. `run` starts the threads once per sweep, and Barrier
// spins briefly and then sleeps: a barrier of 0.1 us when every thread has its core, and no spinning against each other
// when there are more threads than cores.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

class Barrier {
 public:
  explicit Barrier(int participants) : participants_(participants) {}
  void wait();

 private:
  const int participants_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<int> generation_{0};
};

class ThreadPool {
 public:
  // threads <= 0: one per core. Fewer than asked for where the system has no more to give.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // The calling thread alone, for any number of callers at once.
  static ThreadPool& caller();

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls job(thread) for thread = 0 .. size()-1, one call on each thread, and waits for all. Not reentrant.
  void run(const std::function<void(int)>& job);

  // Calls body(first, last) on consecutive ranges that cover [0, count); ranges are multiples of `grain`.
  void parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body);

  // Calls body(i) for i in [0, count), for work of a few nanoseconds each.
  template <class Body>
  void for_each(int64_t count, const Body& body) {
    constexpr int64_t grain = 16384;  // the least that is worth waking a thread for
    parallel_for(count, grain, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) body(static_cast<size_t>(i));
    });
  }

 private:
  void work(int thread);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::atomic<int64_t> generation_{0};
  std::atomic<int> running_{0};
  const std::function<void(int)>* job_ = nullptr;
  bool stop_ = false;
};

// The share of thread `thread` of `threads` in [first, last): first + count * thread / threads.
inline int64_t share_begin(int64_t first, int64_t last, int thread, int threads) {
  return first + (last - first) * thread / threads;
}

// Sums are taken over chunks of this many items, then over the chunks in order: the same bits for any thread count.
inline constexpr int64_t reduction_chunk = 4096;

// sum over i in [0, count) of term(i), in a fixed order. Partial must have a default (zero) value and operator+=.
template <class Partial, class Term>
Partial ordered_sum(ThreadPool& pool, int64_t count, Term&& term) {
  const int64_t chunks = (count + reduction_chunk - 1) / reduction_chunk;
  std::vector<Partial> partial(static_cast<size_t>(chunks));
  // Four chunks are the least that is worth waking a thread for.
  pool.parallel_for(chunks, 4, [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      Partial sum{};
      const int64_t end = (c + 1) * reduction_chunk < count ? (c + 1) * reduction_chunk : count;
      for (int64_t i = c * reduction_chunk; i < end; ++i) sum += term(i);
      partial[static_cast<size_t>(c)] = sum;
    }
  });
  Partial total{};
  for (const Partial& p : partial) total += p;
  return total;
}

}  // namespace sinew
