#include "exec/thread_pool.h"

#include <algorithm>
#include <system_error>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace sinew {
namespace {

constexpr int spins_before_sleep = 4000;  // about 50 us

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#endif
}

}  // namespace

void Barrier::wait() {
  if (participants_ == 1) return;
  const int generation = generation_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == participants_ - 1) {
    arrived_.store(0, std::memory_order_relaxed);
    generation_.store(generation + 1, std::memory_order_release);
    generation_.notify_all();
    return;
  }
  for (int k = 0; generation_.load(std::memory_order_acquire) == generation; ++k) {
    if (k < spins_before_sleep) {
      relax();
    } else {
      generation_.wait(generation, std::memory_order_acquire);
    }
  }
}

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = static_cast<int>(std::thread::hardware_concurrency());
  try {
    for (int k = 1; k < threads; ++k) workers_.emplace_back([this, k] { work(k); });
  } catch (const std::system_error&) {
    // No more are to be had, for want of memory or by a limit: fewer come to the same result.
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    generation_.fetch_add(1, std::memory_order_release);
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

ThreadPool& ThreadPool::caller() {
  static ThreadPool pool(1);
  return pool;
}

void ThreadPool::work(int thread) {
  int64_t seen = 0;
  for (;;) {
    for (int k = 0; k < spins_before_sleep && generation_.load(std::memory_order_acquire) == seen; ++k) relax();
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
      seen = generation_.load(std::memory_order_relaxed);
      if (stop_) return;
    }
    (*job_)(thread);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      std::lock_guard lock(mutex_);
      done_.notify_one();
    }
  }
}

void ThreadPool::run(const std::function<void(int)>& job) {
  if (workers_.empty()) {
    job(0);
    return;
  }
  {
    std::lock_guard lock(mutex_);
    job_ = &job;
    running_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
  }
  start_.notify_all();
  job(0);
  for (int k = 0; k < spins_before_sleep && running_.load(std::memory_order_acquire) > 0; ++k) relax();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return running_.load(std::memory_order_acquire) == 0; });
}

void ThreadPool::parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
  const int64_t pieces = (count + grain - 1) / grain;
  if (pieces <= 1 || workers_.empty()) {
    if (count > 0) body(0, count);
    return;
  }
  run([&](int thread) {
    const int64_t first = share_begin(0, pieces, thread, size()) * grain;
    const int64_t last = std::min(share_begin(0, pieces, thread + 1, size()) * grain, count);
    if (first < last) body(first, last);
  });
}

}  // namespace sinew
