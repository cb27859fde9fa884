// Tasks of which some may run at once. Each has a rank and neighbours, with which it shares data: of two neighbours the
// one of lower rank runs first. A task begins as soon as those are done that it must wait for, whatever else is left of
// their rank; so threads do not wait for each other between ranks, and since neighbours run in one order, results do
// not depend on the threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "exec/thread_pool.h"

namespace sinew {

// Neighbours of task k: items[begin[k] .. begin[k + 1]). Of different rank, and each in the other's list.
struct TaskNeighbours {
  std::span<const int32_t> begin, items;

  int32_t tasks() const { return static_cast<int32_t>(begin.size()) - 1; }
  std::span<const int32_t> of(int32_t task) const {
    return items.subspan(static_cast<size_t>(begin[task]), static_cast<size_t>(begin[task + 1] - begin[task]));
  }
};

class OrderedTasks {
 public:
  // Calls run(thread, task) once for each task, with thread = 0 .. pool.size()-1; rank[k] is that of task k. Not
  // reentrant; `run` must not throw.
  template <class Run>
  void run(ThreadPool& pool, const TaskNeighbours& neighbours, std::span<const int32_t> rank, const Run& run) {
    begin(neighbours, rank);
    // Each thread that comes works until no task is left; one that comes late, or never, keeps nothing from the others.
    pool.parallel_for(pool.size(), 1, [&](int thread, int64_t, int64_t) {
      for (int32_t task = take(); task >= 0; task = take()) {
        run(thread, task);
        finish(neighbours, rank, task);
      }
    });
  }

 private:
  void begin(const TaskNeighbours& neighbours, std::span<const int32_t> rank);
  // -1: none is left.
  int32_t take();
  void finish(const TaskNeighbours& neighbours, std::span<const int32_t> rank, int32_t task);
  void add(int32_t task);

  int32_t count_ = 0, room_ = 0;
  std::unique_ptr<std::atomic<int32_t>[]> waits_for_;  // by task: how many that are not done
  std::unique_ptr<std::atomic<int32_t>[]> ready_;      // in the order in which they became so; -1: not yet
  alignas(64) std::atomic<int32_t> taken_{0};          // of those ready
  alignas(64) std::atomic<int32_t> added_{0};          // to those ready
  alignas(64) std::atomic<uint32_t> changes_{0};       // to what can be taken
};

}  // namespace sinew
