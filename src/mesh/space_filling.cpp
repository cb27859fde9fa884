#include "mesh/space_filling.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

namespace sinew {
namespace {

// Spreads the low 21 bits of x to every third bit.
uint64_t spread(uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffffull;
  x = (x | x << 16) & 0x1f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  x = (x | x << 2) & 0x1249249249249249ull;
  return x;
}

struct Key {
  uint64_t code;
  int32_t index;
};

// Least-significant-digit radix sort, eleven bits per pass: stable and linear. Every thread sorts a share of the keys.
void radix_sort(std::vector<Key>& keys, ThreadPool& pool) {
  std::vector<Key> other(keys.size());
  constexpr int bits = 11, buckets = 1 << bits;
  const auto count = static_cast<int64_t>(keys.size()), shares = std::clamp<int64_t>(count >> 14, 1, pool.size());
  std::vector<std::array<size_t, buckets>> place(static_cast<size_t>(shares));
  for (int shift = 0; shift < 63; shift += bits) {
    const auto for_each_key = [&](const auto& visit) {
      pool.parallel_for(shares, 1, [&](int64_t first, int64_t last) {
        for (int64_t share = first; share < last; ++share) {
          const int64_t end = count * (share + 1) / shares;
          for (int64_t k = count * share / shares; k < end; ++k)
            visit(keys[k], place[share][(keys[k].code >> shift) & (buckets - 1)]);
        }
      });
    };
    for (std::array<size_t, buckets>& own : place) own.fill(0);
    for_each_key([](const Key&, size_t& number) { ++number; });
    size_t before = 0;
    for (int b = 0; b < buckets; ++b)
      for (std::array<size_t, buckets>& own : place) before += std::exchange(own[b], before);
    for_each_key([&](const Key& key, size_t& next) { other[next++] = key; });
    keys.swap(other);
  }
}

struct Extremes {
  Vec3d low, high;
};
Extremes extremes_of(const std::vector<Vec3d>& points, ThreadPool& pool) {
  Extremes all{points[0], points[0]};
  const auto widen = [](Extremes& bounds, Vec3d low, Vec3d high) {
    bounds.low = {std::min(bounds.low.x, low.x), std::min(bounds.low.y, low.y), std::min(bounds.low.z, low.z)};
    bounds.high = {std::max(bounds.high.x, high.x), std::max(bounds.high.y, high.y), std::max(bounds.high.z, high.z)};
  };
  std::mutex mutex;
  pool.parallel_for(static_cast<int64_t>(points.size()), 1 << 14, [&](int64_t first, int64_t last) {
    Extremes own{points[first], points[first]};
    for (int64_t k = first; k < last; ++k) widen(own, points[k], points[k]);
    std::lock_guard lock(mutex);
    widen(all, own.low, own.high);
  });
  return all;
}

}  // namespace

std::vector<int32_t> space_filling_order(const std::vector<Vec3d>& points, ThreadPool& pool) {
  std::vector<int32_t> order(points.size());
  if (points.empty()) return order;
  const Extremes all = extremes_of(points, pool);
  const Vec3d low = all.low, high = all.high;
  const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  const double scale = extent > 0 ? double((1 << 21) - 1) / extent : 0;
  const auto steps = [&](double x, double from) { return spread(static_cast<uint64_t>((x - from) * scale)); };
  std::vector<Key> keys(points.size());
  pool.for_each(static_cast<int64_t>(points.size()), [&](size_t i) {
    const Vec3d p = points[i];
    keys[i] = {steps(p.x, low.x) | steps(p.y, low.y) << 1 | steps(p.z, low.z) << 2, static_cast<int32_t>(i)};
  });
  radix_sort(keys, pool);
  pool.for_each(static_cast<int64_t>(keys.size()), [&](size_t i) { order[i] = keys[i].index; });
  return order;
}

}  // namespace sinew
