#include "mesh/space_filling.h"

#include <algorithm>

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

// Least significant digit radix sort, eleven bits a pass: stable and linear.
void radix_sort(std::vector<Key>& keys) {
  std::vector<Key> other(keys.size());
  constexpr int bits = 11, buckets = 1 << bits;
  for (int shift = 0; shift < 63; shift += bits) {
    std::vector<size_t> begin(buckets + 1, 0);
    for (const Key& k : keys) ++begin[((k.code >> shift) & (buckets - 1)) + 1];
    for (int b = 0; b < buckets; ++b) begin[b + 1] += begin[b];
    for (const Key& k : keys) other[begin[(k.code >> shift) & (buckets - 1)]++] = k;
    keys.swap(other);
  }
}

}  // namespace

std::vector<int32_t> space_filling_order(const std::vector<Vec3d>& points) {
  std::vector<int32_t> order(points.size());
  if (points.empty()) return order;
  Vec3d low = points[0], high = points[0];
  for (const Vec3d& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  const double scale = extent > 0 ? double((1 << 21) - 1) / extent : 0;
  std::vector<Key> keys(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3d p = points[i];
    keys[i] = {spread(static_cast<uint64_t>((p.x - low.x) * scale)) |
                   spread(static_cast<uint64_t>((p.y - low.y) * scale)) << 1 |
                   spread(static_cast<uint64_t>((p.z - low.z) * scale)) << 2,
               static_cast<int32_t>(i)};
  }
  radix_sort(keys);
  for (size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].index;
  return order;
}

}  // namespace sinew
