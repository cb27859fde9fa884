#include "grid/grid_coloring.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sinew {
namespace {

// The colours at each node, as bits.
class ColorsAtNodes {
 public:
  explicit ColorsAtNodes(int32_t nodes) : nodes_(static_cast<size_t>(nodes)), bits_(nodes_ * words_, 0) {}

  void collect(int32_t node, std::vector<uint64_t>& all) const {
    all.resize(words_, 0);
    for (size_t w = 0; w < words_; ++w) all[w] |= bits_[static_cast<size_t>(node) * words_ + w];
  }
  bool has(int32_t node, int32_t color) const {
    const auto word = static_cast<size_t>(color / 64);
    return word < words_ && (bits_[static_cast<size_t>(node) * words_ + word] >> (color % 64) & 1) != 0;
  }
  void add(int32_t node, int32_t color) {
    const auto word = static_cast<size_t>(color / 64);
    if (word >= words_) widen(std::bit_ceil(word + 1));
    bits_[static_cast<size_t>(node) * words_ + word] |= uint64_t{1} << (color % 64);
  }

 private:
  void widen(size_t words) {
    std::vector<uint64_t> wide(nodes_ * words, 0);
    for (size_t n = 0; n < nodes_; ++n) std::copy_n(&bits_[n * words_], words_, &wide[n * words]);
    bits_ = std::move(wide);
    words_ = words;
  }

  size_t nodes_, words_ = 2;
  std::vector<uint64_t> bits_;
};

int32_t lowest_free(const std::vector<uint64_t>& taken) {
  int32_t color = 0;
  for (const uint64_t word : taken) {
    if (word != ~uint64_t{0}) return color + std::countr_one(word);
    color += 64;
  }
  return color;
}

}  // namespace

Coloring color_on_grid(const TetPatches& patches, const GridEmbedding& embedding, std::span<const int32_t> before) {
  Coloring coloring;
  const auto count = static_cast<size_t>(patches.count());
  coloring.color.assign(count, 0);
  ColorsAtNodes at(embedding.node_count());
  std::vector<int32_t> nodes;
  // By node: the last patch that had it, and the last with a column from it on.
  std::vector<int32_t> seen_by(static_cast<size_t>(embedding.node_count()), -1), begun_by(seen_by);
  std::vector<uint64_t> taken;
  for (int32_t p = 0; p < patches.count(); ++p) {
    nodes.clear();
    for (const int32_t s : patches.slots(p))
      for (const int32_t first : embedding.columns(embedding.row_of(s))) {
        if (std::exchange(begun_by[static_cast<size_t>(first)], p) == p) continue;
        for (int32_t n = first; n < first + 3; ++n) {
          int32_t& seen = seen_by[static_cast<size_t>(n)];
          if (seen == p) continue;
          seen = p;
          nodes.push_back(n);
        }
      }
    const auto is_free = [&](int32_t color) {
      return std::none_of(nodes.begin(), nodes.end(), [&](int32_t n) { return at.has(n, color); });
    };
    int32_t color = before.size() == count ? before[static_cast<size_t>(p)] : -1;
    if (color < 0 || !is_free(color)) {
      taken.clear();
      for (const int32_t n : nodes) at.collect(n, taken);
      color = lowest_free(taken);
    }
    for (const int32_t n : nodes) at.add(n, color);
    coloring.color[static_cast<size_t>(p)] = color;
    coloring.count = std::max(coloring.count, color + 1);
  }
  return coloring;
}

}  // namespace sinew
