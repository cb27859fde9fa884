#include "exec/ordered_tasks.h"

#include "exec/wait.h"

namespace sinew {

void OrderedTasks::begin(const TaskNeighbours& neighbours, std::span<const int32_t> rank) {
  count_ = neighbours.tasks();
  if (room_ < count_) {
    room_ = count_;
    waits_for_ = std::make_unique<std::atomic<int32_t>[]>(static_cast<size_t>(room_));
    ready_ = std::make_unique<std::atomic<int32_t>[]>(static_cast<size_t>(room_));
  }
  taken_.store(0, std::memory_order_relaxed);
  added_.store(0, std::memory_order_relaxed);
  for (int32_t k = 0; k < count_; ++k) ready_[k].store(-1, std::memory_order_relaxed);
  for (int32_t k = 0; k < count_; ++k) {
    int32_t before = 0;
    for (const int32_t other : neighbours.of(k)) before += rank[other] < rank[k];
    waits_for_[k].store(before, std::memory_order_relaxed);
    if (before == 0) add(k);
  }
}

void OrderedTasks::add(int32_t task) {
  const int32_t at = added_.fetch_add(1, std::memory_order_relaxed);
  ready_[at].store(task, std::memory_order_release);
}

int32_t OrderedTasks::take() {
  for (;;) {
    const uint32_t seen = changes_.load(std::memory_order_acquire);
    int32_t at = taken_.load(std::memory_order_acquire);
    if (at == count_) return -1;
    const int32_t task = ready_[at].load(std::memory_order_acquire);
    if (task < 0) {
      wait_while(changes_, seen);
    } else if (taken_.compare_exchange_strong(at, at + 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
      // Who waits for a task that is not there learns that none is left.
      if (at + 1 == count_) {
        changes_.fetch_add(1, std::memory_order_release);
        wake_all(changes_);
      }
      return task;
    }
  }
}

void OrderedTasks::finish(const TaskNeighbours& neighbours, std::span<const int32_t> rank, int32_t task) {
  bool any = false;
  for (const int32_t other : neighbours.of(task)) {
    if (rank[other] < rank[task] || waits_for_[other].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
    add(other);
    any = true;
  }
  if (!any) return;
  changes_.fetch_add(1, std::memory_order_release);
  wake_all(changes_);
}

}  // namespace sinew
