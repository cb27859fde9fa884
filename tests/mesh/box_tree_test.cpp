// Source: the definition of a tree of boxes: each item once, within the boxes above it, none nearer than its box.
#include "mesh/box_tree.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

std::vector<Bounds> random_boxes(int count, double offset) {
  Random random(7);
  std::vector<Bounds> boxes(count);
  for (Bounds& box : boxes) {
    const Vec3d x = random.vector() + Vec3d{offset, 0, 0};
    for (int k = 0; k < 3; ++k) box.add(x + 0.05 * random.vector());
  }
  return boxes;
}

double distance_squared(const Bounds& box, Vec3d x) {
  const auto out = [](double low, double at, double high) { return std::max({low - at, 0.0, at - high}); };
  const Vec3d d{out(box.low.x, x.x, box.high.x), out(box.low.y, x.y, box.high.y), out(box.low.z, x.z, box.high.z)};
  return dot(d, d);
}

// Visits the items under a child with the minimum of the squares along the path.
template <class Visit>
void descend(const BoxTree& tree, const BoxTree::Place& place, int32_t child, float least, const Visit& visit) {
  if (child < 0) {
    for (const int32_t item : tree.leaves()[~child])
      if (item != BoxTree::none) visit(item, least);
    return;
  }
  const BoxTree::Node& node = tree.nodes()[child];
  const BoxTree::Lanes squares = place.squares(node);
  for (int k = 0; k < node.children; ++k) descend(tree, place, node.child[k], std::max(least, squares[k]), visit);
}

// Also far from the origin, where few digits of single precision remain.
TEST(BoxTree, HoldsEachItemOnceAndNeverFartherThanItIs) {
  for (const double offset : {0.0, 1e6}) {
    const std::vector<Bounds> boxes = random_boxes(5000, offset);
    const BoxTree tree(boxes);
    Random random(3);
    for (int trial = 0; trial < 20; ++trial) {
      const Vec3d x = 2.0 * random.vector() + Vec3d{offset, 0, 0};
      const BoxTree::Place place(tree, x);
      std::vector<int> met(boxes.size(), 0);
      int pruned = 0;
      descend(tree, place, 0, 0, [&](int32_t item, float square) {
        ++met[item];
        const double exact = distance_squared(boxes[item], x);
        EXPECT_LE(square, place.limit(exact)) << item;
        pruned += square > place.limit(0.25 * exact);
      });
      EXPECT_EQ(std::count(met.begin(), met.end(), 1), 5000);
      EXPECT_GT(pruned, 4000);  // and nearly as far
    }
  }
}

// Equal boxes cannot be separated, and boxes in geometric progression cause the most uneven cuts: the depth must stay
// within the capacity of a query.
TEST(BoxTree, StaysWithinTheRoomOfAQuery) {
  std::vector<Bounds> boxes(3000);
  for (size_t i = 0; i < boxes.size(); ++i) {
    const double x = i < 1000 ? 1 : std::ldexp(1.0, -static_cast<int>(i % 1000));
    boxes[i].add({x, 0, 0});
    boxes[i].add({1.5 * x, x, x});
  }
  const BoxTree tree(boxes);
  std::vector<int> open(tree.nodes().size(), 0);  // the number open in a query when it reaches a node
  size_t items = 0;
  for (size_t n = 0; n < tree.nodes().size(); ++n) {
    const BoxTree::Node& node = tree.nodes()[n];
    EXPECT_LE(open[n] + node.children, BoxTree::most_open);
    for (int k = 0; k < node.children; ++k) {
      if (node.child[k] < 0) {
        items += BoxTree::width -
                 std::count(tree.leaves()[~node.child[k]].begin(), tree.leaves()[~node.child[k]].end(), BoxTree::none);
        continue;
      }
      ASSERT_GT(static_cast<size_t>(node.child[k]), n);  // children come after their parents
      open[node.child[k]] = open[n] + node.children - 1;
    }
  }
  EXPECT_EQ(items, boxes.size());
}

TEST(BoxTree, SameBitsForAnyNumberOfThreads) {
  const std::vector<Bounds> boxes = random_boxes(50000, 0);
  const BoxTree one(boxes);
  for (const int threads : {2, 3, 4}) {
    ThreadPool pool(threads);
    const BoxTree many(boxes, pool);
    ASSERT_EQ(one.nodes().size(), many.nodes().size());
    EXPECT_EQ(std::memcmp(one.nodes().data(), many.nodes().data(), one.nodes().size_bytes()), 0);
    EXPECT_TRUE(std::equal(one.leaves().begin(), one.leaves().end(), many.leaves().begin(), many.leaves().end()));
  }
}

}  // namespace
}  // namespace sinew
