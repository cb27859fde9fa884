// The distance field of a shape (shape.h).
//
// Primitives are exact. The value of a union is the minimum of its parts, of an intersection the maximum, of a
// difference the maximum of the first and the negated others, with a smooth minimum (smooth_minimum.h) if they blend;
// an offset subtracts a number, a wall of thickness t is max(d, -d - t). None of these changes faster than its parts,
// so the value never changes by more than the point moves and is at most the distance in magnitude: less inside unions
// and outside intersections, exact elsewhere near the surface.
//
// A part of a union or an offset counts as no nearer than its box. This is an equally valid bound, and makes parts with
// distant boxes exactly irrelevant, so that a union of many parts is searched by a tree of boxes.
#pragma once

#include <memory>

#include "meshing/distance_field.h"
#include "meshing/shape.h"

namespace sinew {

class ShapeField : public DistanceField {
 public:
  bool continuous() const final { return true; }
};

// Errors: the first of the shape's faults, with its place in the shape; an unbounded shape; an empty shape, if its box
// is empty, as of intersections and shrunk parts. Other empty shapes are not recognized here.
Result<std::unique_ptr<ShapeField>> make_shape_field(const Shape& shape);

}  // namespace sinew
