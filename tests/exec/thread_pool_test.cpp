// Source: the promises of exec/thread_pool.h: every item once, by index; sums bit-identical for any thread count.
#include "exec/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <numeric>
#include <vector>

#include "exec/buffer.h"

namespace sinew {
namespace {

class Threads : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, Threads, testing::Values(1, 2, 3, 4, 7));

// As many chunks as threads: each waits for the others.
TEST_P(Threads, WorkAtTheSameTime) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.size(), GetParam());
  for (int round = 1; round <= 200; ++round) {
    std::atomic<int> there{0};
    pool.parallel_for(pool.size(), 1, [&](int64_t, int64_t) {
      ++there;
      while (there < pool.size()) std::this_thread::yield();
    });
  }
}

TEST_P(Threads, AreToldApart) {
  ThreadPool pool(GetParam());
  std::vector<std::atomic<int>> working(pool.size());
  std::atomic<int> faults{0};
  for (int round = 0; round < 200; ++round) {
    pool.parallel_for(1000, 1, [&](int thread, int64_t, int64_t) {
      faults += thread < 0 || thread >= pool.size() || working[thread]++ != 0;
      --working[thread];
    });
  }
  EXPECT_EQ(faults, 0);
}

// In a separate process, with memory for only a few stacks.
TEST(ThreadPoolDeathTest, MakesDoWithTheThreadsThatThereAre) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer ends a process whose threads get no memory";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto in_little_memory = [] {
    unsigned long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t room = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (512u << 20);
    const rlimit limit{room, room};
    ::setrlimit(RLIMIT_AS, &limit);
    ThreadPool pool(10000);
    std::atomic<int> calls{0};
    pool.parallel_for(100000, 1, [&](int64_t first, int64_t last) { calls += static_cast<int>(last - first); });
    std::_Exit(pool.size() < 10000 && calls == 100000 ? 0 : 1);
  };
  EXPECT_EXIT(in_little_memory(), testing::ExitedWithCode(0), "");
}

TEST_P(Threads, WakeUp) {
  ThreadPool pool(GetParam());
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<int> there{0};
    pool.parallel_for(pool.size(), 1, [&](int64_t, int64_t) {
      ++there;
      while (there < pool.size()) std::this_thread::yield();
    });
  }
}

TEST_P(Threads, ParallelForCoversEveryIndexOnceInWholeGrains) {
  ThreadPool pool(GetParam());
  for (const int64_t count : {0, 1, 5, 64, 65, 1000, 4097}) {
    for (const int64_t grain : {1, 7, 64, 5000}) {
      std::vector<int> visits(static_cast<size_t>(count));
      pool.parallel_for(count, grain, [&](int64_t first, int64_t last) {
        EXPECT_LT(first, last);
        EXPECT_EQ(first % grain, 0);
        EXPECT_TRUE(last % grain == 0 || last == count);
        for (int64_t i = first; i < last; ++i) ++visits[i];
      });
      EXPECT_EQ(visits, std::vector<int>(static_cast<size_t>(count), 1)) << count << " by " << grain;
    }
  }
}

// A loop may read what any thread wrote in the previous loop, however short the loops are.
TEST_P(Threads, FinishALoopBeforeTheNext) {
  ThreadPool pool(GetParam());
  std::vector<int> loop_of(64);
  std::atomic<int> faults{0};
  for (int loop = 1; loop <= 20000; ++loop) {
    pool.parallel_for(64, 1, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) {
        faults += loop_of[static_cast<size_t>(k)] != loop - 1;
        loop_of[static_cast<size_t>(k)] = loop;
      }
    });
    for (const int l : loop_of) faults += l != loop;
  }
  EXPECT_EQ(faults, 0);
}

TEST(ThreadPool, SharesCoverARangeInOrder) {
  for (const int threads : {1, 2, 3, 16}) {
    int64_t next = 5;
    for (int t = 0; t < threads; ++t) {
      EXPECT_EQ(share_begin(5, 42, t, threads), next);
      next = share_begin(5, 42, t + 1, threads);
      EXPECT_LE(next - share_begin(5, 42, t, threads), 37 / threads + 1);
    }
    EXPECT_EQ(next, 42);
  }
}

// Terms of 1e-8 .. 1e8 with both signs: any other order of additions would change the last bits.
double term(int64_t i) {
  return std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 17) - 8);
}

TEST(OrderedSumSameBits, ForAnyNumberOfThreads) {
  constexpr int64_t count = 100001;  // several chunks, the last one short
  double expected = 0;
  for (const int threads : {1, 2, 3, 4, 8}) {
    ThreadPool pool(threads);
    const double sum = ordered_sum<double>(pool, count, [](int64_t i) { return term(i); });
    if (threads == 1) expected = sum;
    EXPECT_EQ(sum, expected) << threads;
  }
  long double exact = 0;
  for (int64_t i = 0; i < count; ++i) exact += term(i);
  EXPECT_NEAR(expected, static_cast<double>(exact), 1e-16 * 1e8 * 300);
}

TEST(OrderedSumSameBits, OfNothingIsZero) {
  ThreadPool pool(2);
  EXPECT_EQ(ordered_sum<double>(pool, 0, [](int64_t) { return 1; }), 0);
}

TEST(Buffer, IsAlignedForEveryLaneWidth) {
  for (const size_t count : {1, 3, 1000, 3000000}) {
    Buffer<float> buffer(count);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    EXPECT_EQ(buffer[count - 1], 0);
  }
}

}  // namespace
}  // namespace sinew
