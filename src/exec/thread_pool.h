// Threads. One pool runs everything. Concurrent work shares no data, and sums are taken in a fixed order, so results
// are bit-identical for any number of threads.
//
// The calling thread leads: it offers a loop in chunks, works on them itself, and returns when all are done. Workers
// take chunks when they can. The leader waits for a worker only if that is in the middle of a chunk, so a worker whose
// core is busy with another process costs no more than its missing help. Waiting threads spin for some microseconds and
// then sleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace sinew {

class ThreadPool {
 public:
  // threads <= 0: one per core. The pool is smaller than requested if the system cannot provide more.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // A pool of the calling thread only; may be used by any number of threads at once.
  static ThreadPool& caller();

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(first, last), or body(thread, first, last) with thread = 0 .. size()-1, on ranges that cover [0, count)
  // and begin at multiples of `grain`, and waits for all. Each thread starts with its own share, the same one each
  // time, and then helps with the others. Not reentrant; the body must not throw.
  template <class Body>
  void parallel_for(int64_t count, int64_t grain, const Body& body) {
    const auto call = [](const void* b, int thread, int64_t first, int64_t last) {
      const Body& own = *static_cast<const Body*>(b);
      if constexpr (std::is_invocable_v<const Body&, int, int64_t, int64_t>) {
        own(thread, first, last);
      } else {
        own(first, last);
      }
    };
    if (count > 0) run({call, &body, count, grain});
  }

  // Calls body(i) for i in [0, count), for work of a few nanoseconds each.
  template <class Body>
  void for_each(int64_t count, const Body& body) {
    constexpr int64_t grain = 16384;  // the least work worth waking a thread for
    parallel_for(count, grain, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) body(static_cast<size_t>(i));
    });
  }

 private:
  struct Loop {
    void (*call)(const void* body, int thread, int64_t first, int64_t last) = nullptr;
    const void* body = nullptr;
    int64_t count = 0, chunk = 0;
  };
  // The chunks [first, last) that are not yet taken, in 16 bits each, below the number of their loop.
  struct alignas(64) Share {
    std::atomic<uint64_t> chunks{0};
  };

  // Calls through the pointer on one thread, too: a body is compiled once, not once for each way to call it.
  void run(Loop loop);
  void work(int thread);
  void help(int thread, uint32_t number);
  bool take(int share, bool own, uint32_t number, int64_t& chunk);

  std::vector<std::thread> workers_;
  std::unique_ptr<Share[]> shares_;
  Loop loop_;                                    // written while no chunk is left
  alignas(64) std::atomic<uint32_t> number_{0};  // of the current or last loop
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<int> unfinished_{0};  // chunks
};

// The share of thread `thread` of `threads` in [first, last): first + count * thread / threads.
inline int64_t share_begin(int64_t first, int64_t last, int thread, int threads) {
  return first + (last - first) * thread / threads;
}

// Sums are taken over chunks of this many items, then over the chunks in order: bit-identical for any thread count.
inline constexpr int64_t reduction_chunk = 4096;

// sum over i in [0, count) of term(i), in a fixed order. Partial{} must be zero, and have operator+=.
template <class Partial, class Term>
Partial ordered_sum(ThreadPool& pool, int64_t count, Term&& term) {
  const int64_t chunks = (count + reduction_chunk - 1) / reduction_chunk;
  std::vector<Partial> partial(static_cast<size_t>(chunks));
  // Waking a thread pays from four chunks on.
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
