// Source: the promises of exec/ordered_tasks.h: each task once, after its neighbours of lower rank, by no more threads
// than the pool has.
#include "exec/ordered_tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sinew {
namespace {

struct Graph {
  std::vector<int32_t> begin{0}, items, rank;

  TaskNeighbours neighbours() const { return {begin, items}; }
};

// Each task has a rank of its own, in random order, and is joined to others at random.
Graph random_graph(int tasks, double joined, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<int32_t>> lists(tasks);
  Graph graph;
  for (int32_t a = 0; a < tasks; ++a) {
    graph.rank.push_back(a);
    for (int32_t b = 0; b < a; ++b) {
      if (std::uniform_real_distribution<>(0, 1)(random) >= joined) continue;
      lists[a].push_back(b);
      lists[b].push_back(a);
    }
  }
  std::shuffle(graph.rank.begin(), graph.rank.end(), random);
  for (const std::vector<int32_t>& list : lists) {
    graph.items.insert(graph.items.end(), list.begin(), list.end());
    graph.begin.push_back(static_cast<int32_t>(graph.items.size()));
  }
  return graph;
}

class OrderedTasksOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, OrderedTasksOf, testing::Values(1, 2, 3, 7));

TEST_P(OrderedTasksOf, RunOnceAfterTheirNeighboursOfLowerRank) {
  ThreadPool pool(GetParam());
  OrderedTasks tasks;
  for (const double joined : {0.0, 0.05, 0.3, 1.0}) {
    for (const int count : {60, 1, 200, 17}) {
      const Graph graph = random_graph(count, joined, static_cast<unsigned>(count));
      for (int round = 0; round < 20; ++round) {
        std::vector<std::atomic<int>> runs(count), working(pool.size());
        std::atomic<int> faults{0};
        tasks.run(pool, graph.neighbours(), graph.rank, [&](int thread, int32_t task) {
          faults += working[thread]++ != 0;
          for (const int32_t other : graph.neighbours().of(task))
            faults += runs[other] != (graph.rank[other] < graph.rank[task] ? 2 : 0);
          ++runs[task];  // has begun
          ++runs[task];  // is done
          --working[thread];
        });
        EXPECT_EQ(faults, 0);
        EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](const auto& n) { return n == 2; }));
      }
    }
  }
}

// Two chains that never meet: while the first task of one waits for the last of the other, that chain goes on, rank by
// rank, which threads that wait for each other after each rank could not do.
TEST(OrderedTasks, WaitForNoOtherTask) {
  ThreadPool pool(2);
  constexpr int32_t length = 50;
  Graph graph;
  for (int32_t k = 0; k < 2 * length; ++k) {
    const int32_t place = k % length;
    if (place > 0) graph.items.push_back(k - 1);
    if (place + 1 < length) graph.items.push_back(k + 1);
    graph.begin.push_back(static_cast<int32_t>(graph.items.size()));
    graph.rank.push_back(place);
  }
  std::atomic<bool> other_is_done{false};
  OrderedTasks().run(pool, graph.neighbours(), graph.rank, [&](int, int32_t task) {
    if (task == 0)
      while (!other_is_done) std::this_thread::yield();
    if (task == 2 * length - 1) other_is_done = true;
  });
  EXPECT_TRUE(other_is_done);
}

}  // namespace
}  // namespace sinew
