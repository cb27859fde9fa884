#include "mesh/box_tree.h"

#include <limits>
#include <numeric>

#include "base/assert.h"

namespace sinew {
namespace {

// Fewer for few items.
constexpr int most_bins = 16, few_bins = 8;
constexpr int32_t few = 32;
// Beyond this depth ranges are halved, so that at most 31 levels follow.
constexpr int deepest_uneven = 48;

// A box in units of the tree, x, y, z and padding; initially empty.
struct Box {
  BoxTree::Lanes low = splat<BoxTree::Lanes>(Bounds::infinity);
  BoxTree::Lanes high = splat<BoxTree::Lanes>(-Bounds::infinity);

  SINEW_INLINE void merge(const Box& b) {
    low = min(low, b.low);
    high = max(high, b.high);
  }
  SINEW_INLINE void add(BoxTree::Lanes p) {
    low = min(low, p);
    high = max(high, p);
  }
  SINEW_INLINE BoxTree::Lanes twice_middle() const { return low + high; }
  SINEW_INLINE float half_area() const {
    const BoxTree::Lanes e = high - low;
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  }
};

// Items order[first .. last).
struct Part {
  int32_t first, last;
  int depth;
  Box box;
  int32_t size() const { return last - first; }
};

}  // namespace

class BoxTreeBuilder {
 public:
  BoxTreeBuilder(BoxTree& tree, std::span<const Bounds> items, ThreadPool& pool)
      : tree_(tree), items_(items.size()), order_(items.size()) {
    pool.for_each(static_cast<int64_t>(items.size()), [&](size_t i) { items_[i] = box_of(items[i]); });
    std::iota(order_.begin(), order_.end(), 0);
  }

  void build(ThreadPool& pool) {
    const auto count = static_cast<int32_t>(order_.size());
    // This thread builds the top of the tree, down to parts of a size that does not depend on the number of threads.
    const int32_t alone = std::max(count / 16, 2048);
    const Part root{0, count, 0, box_of(0, count)};
    std::vector<Piece> waiting;
    Piece top;
    grow(top, root, alone, &waiting);
    pool.parallel_for(static_cast<int64_t>(waiting.size()), 1, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) grow(waiting[k], waiting[k].part, 0, nullptr);
    });

    // Concatenate the pieces.
    tree_.nodes_ = std::move(top.nodes);
    tree_.leaves_ = std::move(top.leaves);
    for (const Piece& piece : waiting) {
      const auto nodes = static_cast<int32_t>(tree_.nodes_.size()), leaves = static_cast<int32_t>(tree_.leaves_.size());
      tree_.nodes_[piece.parent].child[piece.lane] = nodes;
      tree_.nodes_.insert(tree_.nodes_.end(), piece.nodes.begin(), piece.nodes.end());
      tree_.leaves_.insert(tree_.leaves_.end(), piece.leaves.begin(), piece.leaves.end());
      for (size_t n = nodes; n < tree_.nodes_.size(); ++n)
        for (int k = 0; k < tree_.nodes_[n].children; ++k) {
          int32_t& child = tree_.nodes_[n].child[k];
          child = child >= 0 ? child + nodes : child - leaves;
        }
    }
  }

 private:
  // A subtree with its own numbering, and its place in the tree.
  struct Piece {
    Part part{};
    int32_t parent = 0;
    int lane = 0;
    Buffer<BoxTree::Node> nodes;
    std::vector<BoxTree::Leaf> leaves;
  };

  // Builds the node of a part and all below; parts of at most `alone` items go to `waiting`.
  int32_t grow(Piece& piece, const Part& part, int32_t alone, std::vector<Piece>* waiting) {
    const auto at = static_cast<int32_t>(piece.nodes.size());
    piece.nodes.emplace_back();
    std::array<Part, BoxTree::width> parts{part};
    int count = 1;
    while (count < BoxTree::width) {
      // The largest that does not fit into a leaf.
      int largest = -1;
      for (int k = 0; k < count; ++k)
        if (parts[k].size() > BoxTree::width &&
            (largest < 0 || parts[k].box.half_area() > parts[largest].box.half_area()))
          largest = k;
      if (largest < 0) break;
      const auto [left, right] = halves(parts[largest]);
      parts[largest] = left;
      parts[count++] = right;
    }

    piece.nodes[at].children = count;
    for (int k = 0; k < BoxTree::width; ++k) set_box(piece.nodes[at], k, k < count ? parts[k].box : Box{});
    for (int k = 0; k < count; ++k) {
      int32_t child = 0;
      if (parts[k].size() <= BoxTree::width) {
        child = ~static_cast<int32_t>(piece.leaves.size());
        BoxTree::Leaf& leaf = piece.leaves.emplace_back();
        leaf.fill(BoxTree::none);
        std::copy(order_.begin() + parts[k].first, order_.begin() + parts[k].last, leaf.begin());
        std::sort(leaf.begin(), leaf.begin() + parts[k].size());
      } else if (parts[k].size() <= alone) {
        waiting->push_back({parts[k], at, k, {}, {}});
      } else {
        child = grow(piece, parts[k], alone, waiting);
      }
      piece.nodes[at].child[k] = child;
    }
    return at;
  }

  static void set_box(BoxTree::Node& node, int lane, const Box& box) {
    for (int axis = 0; axis < 3; ++axis) {
      node.low[axis][lane] = box.low[axis];
      node.high[axis][lane] = box.high[axis];
    }
  }

  // In units of the tree, enlarged by more than the rounding.
  Box box_of(const Bounds& bounds) const {
    constexpr double rounding = 2.5e-7;
    const Vec3d low = tree_.scale_ * (bounds.low - tree_.centre_), high = tree_.scale_ * (bounds.high - tree_.centre_);
    const auto lower = [&](double x) { return static_cast<float>(x - rounding); };
    const auto higher = [&](double x) { return static_cast<float>(x + rounding); };
    Box box;
    box.low = BoxTree::Lanes{lower(low.x), lower(low.y), lower(low.z), 0};
    box.high = BoxTree::Lanes{higher(high.x), higher(high.y), higher(high.z), 0};
    return box;
  }
  Box box_of(int32_t first, int32_t last) const {
    Box box;
    for (int32_t k = first; k < last; ++k) box.merge(items_[order_[k]]);
    return box;
  }

  // Cut across the longest side of the box of the items' middles.
  std::array<Part, 2> halves(const Part& part) {
    Box middles;
    for (int32_t k = part.first; k < part.last; ++k) middles.add(items_[order_[k]].twice_middle());
    const BoxTree::Lanes extent = middles.high - middles.low;
    const int axis = extent[0] >= extent[1] && extent[0] >= extent[2] ? 0 : extent[1] >= extent[2] ? 1 : 2;
    const float low = middles.low[axis], length = extent[axis];
    const auto at = [&](int32_t item) { return items_[item].low[axis] + items_[item].high[axis]; };

    if (part.depth < deepest_uneven && length > 0) {
      const int bins = part.size() < few ? few_bins : most_bins;
      const float per_length = static_cast<float>(bins) / length;
      const auto bin_of = [&](int32_t item) {
        return std::min(bins - 1, static_cast<int>((at(item) - low) * per_length));
      };
      std::array<Box, most_bins> boxes;
      std::array<int32_t, most_bins> counts{};
      for (int32_t k = part.first; k < part.last; ++k) {
        const int bin = bin_of(order_[k]);
        boxes[bin].merge(items_[order_[k]]);
        ++counts[bin];
      }
      // The cost of a cut: the probability that a query meets a side is proportional to its area.
      std::array<Box, most_bins> behind;  // boxes of the bins from k on
      std::array<float, most_bins> cost{};
      int32_t count = 0;
      for (int k = bins - 1; k > 0; --k) {
        behind[k] = boxes[k];
        if (k + 1 < bins) behind[k].merge(behind[k + 1]);
        count += counts[k];
        if (count > 0) cost[k] = behind[k].half_area() * static_cast<float>(count);
      }
      Box before, best_box;
      int best = 0;
      int32_t best_count = 0;
      float least = std::numeric_limits<float>::infinity();
      count = 0;
      for (int k = 1; k < bins; ++k) {
        before.merge(boxes[k - 1]);
        count += counts[k - 1];
        if (count == 0 || count == part.size()) continue;
        const float total = cost[k] + before.half_area() * static_cast<float>(count);
        if (!(total < least)) continue;
        least = total;
        best = k;
        best_box = before;
        best_count = count;
      }
      if (best > 0) {
        std::partition(order_.begin() + part.first, order_.begin() + part.last,
                       [&](int32_t item) { return bin_of(item) < best; });
        const int32_t middle = part.first + best_count;
        return {Part{part.first, middle, part.depth + 1, best_box},
                Part{middle, part.last, part.depth + 1, behind[best]}};
      }
    }
    const int32_t middle = part.first + part.size() / 2;
    std::nth_element(order_.begin() + part.first, order_.begin() + middle, order_.begin() + part.last,
                     [&](int32_t a, int32_t b) { return at(a) != at(b) ? at(a) < at(b) : a < b; });
    return {Part{part.first, middle, part.depth + 1, box_of(part.first, middle)},
            Part{middle, part.last, part.depth + 1, box_of(middle, part.last)}};
  }

  BoxTree& tree_;
  Buffer<Box> items_;
  std::vector<int32_t> order_;
};

BoxTree::BoxTree(std::span<const Bounds> items, ThreadPool& pool) {
  SINEW_ASSERT(!items.empty());
  for (const Bounds& item : items) bounds_.merge(item);
  centre_ = 0.5 * bounds_.low + 0.5 * bounds_.high;
  const Vec3d half = 0.5 * bounds_.high - 0.5 * bounds_.low;
  const double largest = std::max({half.x, half.y, half.z});
  scale_ = largest > 0 ? 1 / largest : 1;
  BoxTreeBuilder(*this, items, pool).build(pool);
}

}  // namespace sinew
