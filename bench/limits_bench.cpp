// The limits of the machine: memory bandwidth, and multiply-add throughput in registers. The sweeps are compared with
// them.
#include "exec/buffer.h"
#include "exec/instruction_set.h"
#include "math/lane.h"
#include "register.h"

namespace sinew::bench {
namespace {

// 256 MB, more than any cache holds.
constexpr int64_t numbers = int64_t{1} << 26;

void read_memory(benchmark::State& state, int threads) {
  ThreadPool& pool = pool_of(threads);
  static const Buffer<float> data(numbers, 1);
  std::atomic<int64_t> wrong{0};
  for (auto _ : state) {
    pool.parallel_for(numbers / 32, 4096, [&](int64_t first, int64_t last) {
      using Row = Lane<float, 4>;
      Row sums[8] = {};
      for (int64_t k = first; k < last; ++k) {
        for (int r = 0; r < 8; ++r) sums[r] = max(sums[r], load<Row>(data.data() + 32 * k + 4 * r));
      }
      for (const Row& sum : sums) wrong += sum[0] != 1;
    });
  }
  if (wrong != 0) state.SkipWithError("read something else than was written");
  state.counters["GB/s"] =
      benchmark::Counter(1e-9 * numbers * sizeof(float), benchmark::Counter::kIsIterationInvariantRate);
}

// More independent chains of multiply-adds than the pipelines hold.
constexpr int chains = 12, links = 1 << 14;
template <class T>
SINEW_INLINE float multiply_and_add() {
  T a[chains];
  for (int k = 0; k < chains; ++k) a[k] = splat<T>(k);
  const T factor = splat<T>(0.999), term = splat<T>(0.001);
  for (int n = 0; n < links; ++n) {
    for (int k = 0; k < chains; ++k) a[k] = a[k] * factor + term;
  }
  float sum = 0;
  for (const T& chain : a) sum += chain[0];
  return sum;
}
float multiply_and_add_4() {
  return multiply_and_add<Lane<float, 4>>();
}
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) float multiply_and_add_8() {
  return multiply_and_add<Lane<float, 8>>();
}
__attribute__((target("avx512f"))) float multiply_and_add_16() {
  return multiply_and_add<Lane<float, 16>>();
}
#endif

void arithmetic(benchmark::State& state, int lanes, float (*body)(), int threads) {
  ThreadPool& pool = pool_of(threads);
  for (auto _ : state) {
    pool.parallel_for(threads, 1, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) benchmark::DoNotOptimize(body());
    });
  }
  state.counters["GFLOP/s"] =
      benchmark::Counter(2e-9 * chains * links * lanes * threads, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void register_limits() {
  for (const int threads : {1, 2}) {
    const std::string end = "/-/threads:" + std::to_string(threads);
    add("machine/memory/read" + end, [=](benchmark::State& state) { read_memory(state, threads); });
    const auto lanes = [&](int count, float (*body)()) {
      if (!has_float_lanes(count)) return;
      add("machine/arithmetic/" + std::to_string(count) + "-lanes" + end,
          [=](benchmark::State& state) { arithmetic(state, count, body, threads); });
    };
    lanes(4, multiply_and_add_4);
#if defined(__x86_64__)
    lanes(8, multiply_and_add_8);
    lanes(16, multiply_and_add_16);
#endif
  }
}

}  // namespace sinew::bench
