// A solid as a function of space: what the mesher sees of a triangle surface or of a shape made of formulas.
#pragma once

#include <span>

#include "math/bounds.h"
#include "math/vec.h"

namespace sinew {

// The surface as a point sees it: the plane through its closest point, across the direction to it.
struct TangentPlane {
  double height = 0;  // [m] of the point over the plane
  Vec3d normal{};     // unit, to either side; 0 where the field does not tell
  Vec3d outwards{};   // of the surface at the closest point, unit
};

// Negative inside the solid, positive outside, 0 on its surface; the value is at most the distance to the surface in
// magnitude, and equal to it near a surface without sharp blends.
class DistanceField {
 public:
  virtual ~DistanceField() = default;

  // A box that contains the solid.
  virtual Bounds bounds() const = 0;

  // values[i] is that of points[i] [m], and depends on nothing else: callers may cut the work among threads as they
  // like. Finite for finite points. May be called by several threads at once.
  virtual void distances(std::span<const Vec3d> points, std::span<double> values) const = 0;

  // Moves points that are near the surface onto it, along the gradient, which differences over `step` [m] tell;
  // distances[i] is how far off the surface points[i] then is: not small where the field jumps or has a crease.
  virtual void project(std::span<Vec3d> points, double step, std::span<double> distances) const;

  // planes[i] is that of points[i], which are near the surface; differences over `step` [m] tell the gradient.
  virtual void tangent_planes(std::span<const Vec3d> points, double step, std::span<TangentPlane> planes) const;

  // Whether the value changes at most by as much as the point moves. It does not where the sign jumps: in the holes of
  // a surface that is not closed, inside and outside meet at some distance from every triangle.
  virtual bool continuous() const = 0;
};

}  // namespace sinew
