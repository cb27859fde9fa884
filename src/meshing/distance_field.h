// A solid as a function of space: the mesher's view of a triangle surface or of a shape made of formulas.
#pragma once

#include <span>

#include "math/bounds.h"
#include "math/vec.h"

namespace sinew {

// The surface near a point: the plane through the closest point, perpendicular to the direction to it.
struct TangentPlane {
  double height = 0;  // [m] of the point over the plane
  Vec3d normal{};     // unit, to either side; 0 if unknown
  Vec3d outwards{};   // outward normal of the surface at the closest point, unit
};

// Negative inside the solid, positive outside, 0 on its surface; the value is at most the distance to the surface in
// magnitude, and equal to it near a surface without sharp blends.
class DistanceField {
 public:
  virtual ~DistanceField() = default;

  // A box that contains the solid.
  virtual Bounds bounds() const = 0;

  // values[i] is the field at points[i] [m], and depends on nothing else, so callers may divide the work among threads
  // in any way. Finite for finite points. Thread-safe.
  virtual void distances(std::span<const Vec3d> points, std::span<double> values) const = 0;

  // Moves points near the surface onto it, along the gradient by differences over `step` [m]; distances[i] is the
  // remaining distance of points[i] from the surface: not small where the field jumps or has a crease.
  virtual void project(std::span<Vec3d> points, double step, std::span<double> distances) const;

  // planes[i] is that of points[i], which must be near the surface; the gradient is by differences over `step` [m].
  virtual void tangent_planes(std::span<const Vec3d> points, double step, std::span<TangentPlane> planes) const;

  // Whether the value never changes by more than the point moves. It does where the sign jumps: in the holes of an open
  // surface, inside and outside meet at some distance from every triangle.
  virtual bool continuous() const = 0;
};

}  // namespace sinew
