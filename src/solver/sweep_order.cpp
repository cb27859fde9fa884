#include "solver/sweep_order.h"

namespace sinew {
namespace {

// A hash of 64 bits: the output function of SplitMix64 (Steele, Lea & Flood 2014).
uint64_t scrambled(uint64_t n) {
  n += 0x9e3779b97f4a7c15;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
  n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
  return n ^ (n >> 31);
}

}  // namespace

// Fisher and Yates' shuffle by hashes of the numbers of step, sweep and list.
std::vector<int32_t> SweepOrder::permutation(int32_t count, int32_t list) const {
  const uint64_t seed = scrambled(scrambled(scrambled(static_cast<uint64_t>(step_)) + static_cast<uint64_t>(sweep_)) +
                                  static_cast<uint64_t>(list));
  std::vector<int32_t> order(static_cast<size_t>(count));
  for (int32_t k = 0; k < count; ++k) {
    const auto n = static_cast<uint64_t>(k);
    const auto at = static_cast<size_t>(scrambled(seed + n) % (n + 1));
    order[n] = order[at];
    order[at] = k;
  }
  return order;
}

}  // namespace sinew
