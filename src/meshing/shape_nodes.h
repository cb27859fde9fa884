// A compiled shape: a tree of nodes, evaluated for two points at once.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "math/bounds.h"
#include "math/lane.h"
#include "math/rotation.h"
#include "mesh/box_tree.h"
#include "meshing/shape.h"
#include "meshing/smooth_minimum.h"

namespace sinew::shape_nodes {

// Points in lanes, as many as every processor supports.
using Pair = Lane<double, 2>;

// From the coordinates of a primitive to the world's: x -> scale rotation x + translate.
struct Similarity {
  double scale = 1;
  Mat3d rotation = diagonal(1.0, 1.0, 1.0);
  Vec3d translate{0, 0, 0};

  // The composition: first `inner`, then this.
  Similarity after(const ShapePlacement& inner) const {
    return {scale * inner.scale, rotation * sinew::rotation(inner.rotation_axis, inner.rotation_degrees),
            scale * (rotation * inner.translate) + translate};
  }
};

// The signed distance to a box, which may be unbounded.
template <class T>
SINEW_INLINE T box_distance(const Bounds& box, Vec3<T> x) {
  const T zero = splat<T>(0);
  const auto out = [](T at, double low, double high) { return max(splat<T>(low) - at, at - splat<T>(high)); };
  const Vec3<T> q{out(x.x, box.low.x, box.high.x), out(x.y, box.low.y, box.high.y), out(x.z, box.low.z, box.high.z)};
  const Vec3<T> beyond{max(q.x, zero), max(q.y, zero), max(q.z, zero)};
  return sqrt(dot(beyond, beyond)) + min(max(q.x, max(q.y, q.z)), zero);
}
inline bool is_finite(const Bounds& box) {
  return std::isfinite(box.low.x + box.low.y + box.low.z + box.high.x + box.high.y + box.high.z);
}

// A compiled shape; its box is in world coordinates.
class Node {
 public:
  virtual ~Node() = default;
  virtual Pair value(const Vec3<Pair>& x) const = 0;
  // The value, at least `away`, the distance to the box.
  Pair value_beyond(const Vec3<Pair>& x, Pair away) const { return max(value(x), away); }

  Bounds box;
};
using NodePointer = std::unique_ptr<Node>;
using Nodes = std::vector<NodePointer>;

template <class Primitive>
class Leaf final : public Node {
 public:
  Leaf(const Primitive& primitive, const Similarity& place) : primitive_(primitive), scale_(place.scale) {
    const Mat3d inverse = (1 / scale_) * transpose(place.rotation);
    const auto wide = [](Vec3d a) { return Vec3<Pair>{splat<Pair>(a.x), splat<Pair>(a.y), splat<Pair>(a.z)}; };
    inverse_ = {wide(inverse.c0), wide(inverse.c1), wide(inverse.c2)};
    centre_ = wide(place.translate);
    const auto reach = [&](Vec3d direction) {
      return scale_ * primitive.reach(transpose(place.rotation) * direction) + dot(direction, place.translate);
    };
    box = {{-reach({-1, 0, 0}), -reach({0, -1, 0}), -reach({0, 0, -1})},
           {reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})}};
  }
  Pair value(const Vec3<Pair>& x) const override {
    return splat<Pair>(scale_) * primitive_.distance(inverse_ * (x - centre_));
  }

 private:
  Primitive primitive_;
  Mat3<Pair> inverse_;
  Vec3<Pair> centre_;
  double scale_;
};

// A box around the smooth union: within their boxes, parts are no nearer to a face of it than the faces of their own
// boxes are.
inline Bounds smoothly_merged(const Nodes& parts, double blend) {
  const auto most = [&](auto side) {
    SmoothMinimum<double> least(blend);
    for (const NodePointer& part : parts) {
      if (!std::isfinite(side(part->box))) return Bounds::infinity;
      least.add(-side(part->box));
    }
    return -least.value();
  };
  return {{-most([](const Bounds& b) { return -b.low.x; }), -most([](const Bounds& b) { return -b.low.y; }),
           -most([](const Bounds& b) { return -b.low.z; })},
          {most([](const Bounds& b) { return b.high.x; }), most([](const Bounds& b) { return b.high.y; }),
           most([](const Bounds& b) { return b.high.z; })}};
}

class UnionNode final : public Node {
 public:
  UnionNode(Nodes parts, double blend) : parts_(std::move(parts)), blend_(blend) {
    box = smoothly_merged(parts_, blend);
    if (parts_.size() <= few || !is_finite(box)) return;
    std::vector<Bounds> boxes;
    for (const NodePointer& part : parts_) boxes.push_back(part->box);
    tree_.emplace(boxes);
    // The tree's own boxes are rounded, and results must not depend on that.
    const std::span<const BoxTree::Node> nodes = tree_->nodes();
    boxes_.resize(nodes.size());
    for (size_t n = nodes.size(); n-- > 0;)
      for (int k = 0; k < nodes[n].children; ++k) {
        Bounds& merged = boxes_[n][k];
        const int32_t child = nodes[n].child[k];
        if (child < 0) {
          for (const int32_t part : tree_->leaves()[~child])
            if (part != BoxTree::none) merged.merge(parts_[part]->box);
        } else {
          for (int j = 0; j < nodes[child].children; ++j) merged.merge(boxes_[child][j]);
        }
      }
  }

  Pair value(const Vec3<Pair>& x) const override {
    SmoothMinimum<Pair> least(blend_);
    if (tree_) {
      search(x, least);
    } else {
      for (const NodePointer& part : parts_) consider(*part, x, least);
    }
    return least.value();
  }

 private:
  static constexpr size_t few = 8;

  static void consider(const Node& part, const Vec3<Pair>& x, SmoothMinimum<Pair>& least) {
    const Pair away = box_distance(part.box, x);
    if (!every_lane(away > least.limit())) least.add(part.value_beyond(x, away));
  }

  void search(const Vec3<Pair>& x, SmoothMinimum<Pair>& least) const {
    struct Open {
      int32_t child;
      Pair away;
      double order;
    };
    std::array<Open, BoxTree::most_open> open;  // the nearest last
    open[0] = {0, splat<Pair>(-Bounds::infinity), 0};
    for (int count = 1; count > 0;) {
      const Open at = open[--count];
      // A box is no farther away than those inside it, up to rounding.
      const Pair limit = least.limit() + splat<Pair>(1e-12) * abs(at.away);
      if (every_lane(at.away > limit)) continue;
      if (at.child < 0) {
        for (const int32_t part : tree_->leaves()[~at.child])
          if (part != BoxTree::none) consider(*parts_[part], x, least);
        continue;
      }
      const int first = count;
      for (int k = 0; k < tree_->nodes()[at.child].children; ++k) {
        const Pair away = box_distance(boxes_[at.child][k], x);
        const Open child{tree_->nodes()[at.child].child[k], away, away[0] + away[1]};
        int to = count++;
        for (; to > first && open[to - 1].order < child.order; --to) open[to] = open[to - 1];
        open[to] = child;
      }
    }
  }

  Nodes parts_;
  double blend_;
  std::optional<BoxTree> tree_;
  std::vector<std::array<Bounds, BoxTree::width>> boxes_;  // of the tree's children
};

// The intersection of the first `in` parts, minus the others.
class CutNode final : public Node {
 public:
  CutNode(Nodes parts, size_t in, double blend) : parts_(std::move(parts)), in_(in), blend_(blend) {
    box = parts_[0]->box;
    for (size_t k = 1; k < in; ++k) {
      const Bounds& b = parts_[k]->box;
      box.low = {std::max(box.low.x, b.low.x), std::max(box.low.y, b.low.y), std::max(box.low.z, b.low.z)};
      box.high = {std::min(box.high.x, b.high.x), std::min(box.high.y, b.high.y), std::min(box.high.z, b.high.z)};
    }
  }
  Pair value(const Vec3<Pair>& x) const override {
    SmoothMinimum<Pair> least(blend_);
    for (size_t k = 0; k < in_; ++k) least.add(-parts_[k]->value(x));
    for (size_t k = in_; k < parts_.size(); ++k) {
      const Pair away = box_distance(parts_[k]->box, x);
      if (!every_lane(away > least.limit())) least.add(parts_[k]->value_beyond(x, away));
    }
    return -least.value();
  }

 private:
  Nodes parts_;
  size_t in_;
  double blend_;
};

class OffsetNode final : public Node {
 public:
  OffsetNode(NodePointer part, double distance) : part_(std::move(part)), distance_(distance) {
    const Vec3d by{distance, distance, distance};
    box = {part_->box.low - by, part_->box.high + by};
  }
  Pair value(const Vec3<Pair>& x) const override {
    return part_->value_beyond(x, box_distance(part_->box, x)) - splat<Pair>(distance_);
  }

 private:
  NodePointer part_;
  double distance_;
};

class ShellNode final : public Node {
 public:
  ShellNode(NodePointer part, double thickness) : part_(std::move(part)), thickness_(thickness) { box = part_->box; }
  Pair value(const Vec3<Pair>& x) const override {
    const Pair d = part_->value(x);
    return max(d, -d - splat<Pair>(thickness_));
  }

 private:
  NodePointer part_;
  double thickness_;
};

}  // namespace sinew::shape_nodes
