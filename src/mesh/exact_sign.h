// On which side of a line or plane a point lies, exactly: the sign of a determinant of doubles, without rounding
// (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates"). Plain
// arithmetic decides if its error bound allows it; else the determinant is summed exactly. Coordinates other than 0
// whose absolute value is below 1e-90 or above 1e90 may exceed the range of doubles; then the sign is that of the
// rounded sum.
#pragma once

#include "math/vec.h"

namespace sinew {

// The sign of (b - a) x (c - a) . (d - a): 1 if a, b, c are counter-clockwise seen from d, 0 if all lie in a plane.
int orientation(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

// The sign of (b - a) x (c - a) along an axis (0: x, 1: y, 2: z): 0 if the projections along it lie on a line.
int orientation(const Vec3d& a, const Vec3d& b, const Vec3d& c, int axis);

// The sign of normal . (x - point): -1 below the plane, 0 on it.
int side_of_plane(const Vec3d& normal, const Vec3d& point, const Vec3d& x);

}  // namespace sinew
