// A tree of boxes over items that have boxes (triangles, parts of a shape). A node has up to four children, whose boxes
// are stored in lanes, so that a query tests all four at once; a leaf has up to four items.
//
// Built top-down: a range of items is cut at the minimum of the surface-area heuristic (MacDonald and Booth 1990;
// binned as by Wald 2007, "On fast construction of SAH-based bounding volume hierarchies"). Boxes are kept in single
// precision, relative to the root's and rounded outwards: half the memory, and no item is missed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "math/bounds.h"
#include "math/lane.h"

namespace sinew {

class BoxTree {
 public:
  static constexpr int width = 4;
  static constexpr int32_t none = -1;
  // The most children that can be open while a query descends the tree and adds the children of a node together.
  static constexpr int most_open = 256;
  using Lanes = Lane<float, width>;

  struct Node {
    Lanes low[3], high[3];               // of the children's boxes, in units of the tree
    std::array<int32_t, width> child{};  // a node, or ~(a leaf); the first `children` of them
    int32_t children = 0;
  };
  using Leaf = std::array<int32_t, width>;  // items; `none` after the last

  // The tree does not depend on the number of threads. At least one item; boxes must be finite.
  explicit BoxTree(std::span<const Bounds> items, ThreadPool& pool = ThreadPool::caller());

  // Node 0 is the root; children come after their parents.
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Leaf> leaves() const { return leaves_; }
  const Bounds& bounds() const { return bounds_; }

  // A query point in units of the tree, and its distance to the children of a node.
  class Place {
   public:
    Place(const BoxTree& tree, Vec3d x) : scale_squared_(tree.scale_ * tree.scale_) {
      const Vec3d u = tree.scale_ * (x - tree.centre_);
      // More than all rounding errors, of the point and of the differences.
      const double slack = 4e-7 * std::max({std::abs(u.x), std::abs(u.y), std::abs(u.z)});
      const double at[3] = {u.x, u.y, u.z};
      for (int axis = 0; axis < 3; ++axis) {
        low_[axis] = static_cast<float>(at[axis] - slack);
        high_[axis] = static_cast<float>(at[axis] + slack);
      }
    }
    // For each child a lower bound of the squared distance to its box, in units of the tree.
    SINEW_INLINE Lanes squares(const Node& node) const {
      Lanes sum{};
      for (int axis = 0; axis < 3; ++axis) {
        const Lanes out = max(max(node.low[axis] - high_[axis], low_[axis] - node.high[axis]), Lanes{});
        sum += out * out;
      }
      return sum;
    }
    // A squared distance [m^2] in these units: if squares() exceeds it, everything in the box is farther away.
    float limit(double square) const { return static_cast<float>(square * scale_squared_ * (1 + 1e-6)); }

   private:
    friend class BoxTree;
    double scale_squared_;
    float low_[3], high_[3];
  };

  // Calls visit(leaf) for the leaves within the limit, near ones first; visit returns the limit from then on. Limits
  // are as from place.limit().
  template <class Visit>
  void visit_near(const Place& place, float limit, const Visit& visit) const {
    struct Open {
      int32_t child;
      float square;
    };
    std::array<Open, most_open> open;  // the nearest last
    open[0] = {0, 0};
    for (int count = 1; count > 0;) {
      const Open at = open[--count];
      if (at.square > limit) continue;
      if (at.child < 0) {
        limit = visit(~at.child);
        continue;
      }
      const Node& node = nodes_[at.child];
      const Lanes squares = place.squares(node);
      const int first = count;
      for (int k = 0; k < node.children; ++k) {
        const Open child{node.child[k], squares[k]};
        if (child.square > limit) continue;
        int to = count++;
        for (; to > first && open[to - 1].square < child.square; --to) open[to] = open[to - 1];
        open[to] = child;
      }
    }
  }

  // Calls visit(leaf) for the leaves whose boxes may overlap this one, in no particular order.
  template <class Visit>
  void visit_overlapping(const Bounds& box, const Visit& visit) const {
    // Rounding, as for a point.
    const Place lowest(*this, box.low), highest(*this, box.high);
    std::array<int32_t, most_open> open;
    open[0] = 0;
    for (int count = 1; count > 0;) {
      const int32_t at = open[--count];
      if (at < 0) {
        visit(~at);
        continue;
      }
      const Node& node = nodes_[at];
      Lanes gap{};
      for (int axis = 0; axis < 3; ++axis)
        gap = max(gap, max(node.low[axis] - highest.high_[axis], lowest.low_[axis] - node.high[axis]));
      for (int k = 0; k < node.children; ++k)
        if (!(gap[k] > 0)) open[count++] = node.child[k];
    }
  }

 private:
  friend class BoxTreeBuilder;
  Vec3d centre_;
  double scale_;  // [1/m]
  Bounds bounds_;
  Buffer<Node> nodes_;
  std::vector<Leaf> leaves_;
};

}  // namespace sinew
