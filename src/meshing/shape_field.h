// The distance field of a shape (shape.h).
//
// Primitives are exact. Of a union the value is the least of its parts', of an intersection the greatest, of a
// difference the greatest of the first and the others' negatives, with a smooth minimum (smooth_minimum.h) where they
// blend; an offset takes a number away, a wall of thickness t is max(d, -d - t). None of these changes faster than its
// parts, so the value never changes by more than the point moves and is at most the distance in magnitude: less inside
// unions and outside intersections, exact elsewhere near the surface.
//
// A part of a union or an offset counts as no nearer than its box. This is as good a bound, and makes what lies behind
// the box of a part that is too far away exactly irrelevant: a union of many parts is searched by a tree of boxes.
#pragma once

#include <memory>

#include "meshing/distance_field.h"
#include "meshing/shape.h"

namespace sinew {

class ShapeField : public DistanceField {
 public:
  bool continuous() const final { return true; }
};

// Errors: the first of the shape's faults, with its place in the shape; a shape that has no end, or of which nothing
// can be left: intersections and shrunk parts whose boxes are empty. Other empty shapes are not recognised here.
Result<std::unique_ptr<ShapeField>> make_shape_field(const Shape& shape);

}  // namespace sinew
