// What is solid of a collider, as a grid sees it: where points are inside, and the way out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "math/bounds.h"
#include "math/vec.h"

namespace sinew {

// The normals out of the solid at a point, of length 1: one for each wall that it is behind.
struct WaysOut {
  int32_t count = 0;  // 0: the point is not inside
  std::array<Vec3d, 3> normals{};
};

// Before any motion of the collider. Points may be asked for from any thread.
class GridShape {
 public:
  virtual ~GridShape() = default;
  // None is inside beyond; no box: what is solid has no end.
  virtual std::optional<Bounds> bounds() const = 0;
  // Points up to `margin` [m] outside count as inside; with a negative one only those that are so deep.
  virtual WaysOut at(Vec3d x, double margin) const = 0;
};

// x = linear u + origin, of a shape that is simple in u.
class ShapeFrame {
 public:
  // The matrix has an inverse.
  ShapeFrame(const Mat3d& linear, Vec3d origin);

  Vec3d local(Vec3d x) const { return inverse_ * (x - origin_); }
  // Of length 1 and at right angles to a surface, given its local normal.
  Vec3d normal(Vec3d local) const;
  // [m] Between surfaces with this local normal, of length 1, that are 1 apart in u.
  double width(Vec3d local) const;
  Bounds box(const Bounds& local) const;

 private:
  Mat3d linear_, inverse_;
  Vec3d origin_;
};

// Half spaces: what is behind any of them is solid. A floor has one, a container six.
class SolidWalls final : public GridShape {
 public:
  struct Wall {
    Vec3d point, normal;
  };
  explicit SolidWalls(std::vector<Wall> walls) : walls_(std::move(walls)) {}
  std::optional<Bounds> bounds() const override { return {}; }
  WaysOut at(Vec3d x, double margin) const override;

 private:
  std::vector<Wall> walls_;
};

// The way out is through the nearest face.
class SolidBox final : public GridShape {
 public:
  SolidBox(const ShapeFrame& frame, Vec3d low, Vec3d high) : frame_(frame), low_(low), high_(high) {}
  std::optional<Bounds> bounds() const override { return frame_.box({low_, high_}); }
  WaysOut at(Vec3d x, double margin) const override;

 private:
  ShapeFrame frame_;
  Vec3d low_, high_;
};

// About a segment, or a sphere about a point.
class SolidCapsule final : public GridShape {
 public:
  SolidCapsule(const ShapeFrame& frame, Vec3d a, Vec3d b, double radius)
      : frame_(frame), a_(a), b_(b), radius_(radius) {}
  std::optional<Bounds> bounds() const override;
  WaysOut at(Vec3d x, double margin) const override;

 private:
  ShapeFrame frame_;
  Vec3d a_, b_;
  double radius_;
};

}  // namespace sinew
