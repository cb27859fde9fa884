#include "exec/thread_pool.h"

#include <algorithm>
#include <system_error>

#include "exec/wait.h"

namespace sinew {
namespace {

// Chunks in a thread's share: how finely threads of unequal speed can divide a loop.
constexpr int64_t most_chunks = 16;

constexpr uint64_t packed(uint32_t number, int64_t first, int64_t last) {
  return uint64_t{number} << 32 | static_cast<uint64_t>(first) << 16 | static_cast<uint64_t>(last);
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = static_cast<int>(std::thread::hardware_concurrency());
  shares_ = std::make_unique<Share[]>(static_cast<size_t>(std::max(threads, 1)));
  try {
    for (int k = 1; k < threads; ++k) workers_.emplace_back([this, k] { work(k); });
  } catch (const std::system_error&) {
    // No more threads, for lack of memory or by a limit: fewer give the same result.
  }
}

ThreadPool::~ThreadPool() {
  stop_.store(true, std::memory_order_relaxed);
  number_.fetch_add(1, std::memory_order_release);
  wake_all(number_);
  for (std::thread& worker : workers_) worker.join();
}

ThreadPool& ThreadPool::caller() {
  static ThreadPool pool(1);
  return pool;
}

void ThreadPool::work(int thread) {
  uint32_t seen = 0;
  for (;;) {
    wait_while(number_, seen);
    seen = number_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    help(thread, seen);
  }
}

// The owner works through its share from the front, others from the back, until they meet.
bool ThreadPool::take(int share, bool own, uint32_t number, int64_t& chunk) {
  std::atomic<uint64_t>& chunks = shares_[static_cast<size_t>(share)].chunks;
  uint64_t now = chunks.load(std::memory_order_acquire);
  for (;;) {
    const auto first = static_cast<int64_t>(now >> 16 & 0xffff), last = static_cast<int64_t>(now & 0xffff);
    if (static_cast<uint32_t>(now >> 32) != number || first == last) return false;
    chunk = own ? first : last - 1;
    const uint64_t left = own ? packed(number, first + 1, last) : packed(number, first, last - 1);
    if (chunks.compare_exchange_weak(now, left, std::memory_order_acq_rel, std::memory_order_acquire)) return true;
  }
}

// Takes chunks of the loop until none is left. The loop does not change while a taken chunk is unfinished.
void ThreadPool::help(int thread, uint32_t number) {
  for (int k = 0; k < size(); ++k) {
    const int share = (thread + k) % size();
    int64_t chunk = 0;
    while (take(share, k == 0, number, chunk)) {
      const int64_t first = chunk * loop_.chunk;
      loop_.call(loop_.body, thread, first, std::min(first + loop_.chunk, loop_.count));
      if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1 && thread != 0) wake_all(unfinished_);
    }
  }
}

void ThreadPool::run(Loop loop) {
  if (workers_.empty() || loop.count <= loop.chunk) return loop.call(loop.body, 0, 0, loop.count);
  const int64_t grains = (loop.count + loop.chunk - 1) / loop.chunk;
  const int64_t most = std::min<int64_t>(most_chunks * size(), 0xffff);
  loop.chunk *= (grains + most - 1) / most;
  const int64_t chunks = (loop.count + loop.chunk - 1) / loop.chunk;
  loop_ = loop;
  unfinished_.store(static_cast<int>(chunks), std::memory_order_relaxed);
  const uint32_t number = number_.load(std::memory_order_relaxed) + 1;
  for (int t = 0; t < size(); ++t) {
    const int64_t first = share_begin(0, chunks, t, size()), last = share_begin(0, chunks, t + 1, size());
    shares_[static_cast<size_t>(t)].chunks.store(packed(number, first, last), std::memory_order_release);
  }
  number_.store(number, std::memory_order_release);
  wake_all(number_);
  help(0, number);
  for (int left = unfinished_.load(std::memory_order_acquire); left > 0;
       left = unfinished_.load(std::memory_order_acquire))
    wait_while(unfinished_, left);
}

}  // namespace sinew
