// The surfaces of simple solids, closed and counter-clockwise seen from outside.
#pragma once

#include "mesh/tet_mesh.h"

namespace sinew {

// A direction of length 1 at right angles to this one of length 1.
Vec3d direction_across(Vec3d unit);

// 12 triangles; min is below max in each coordinate.
SurfaceMesh box_surface(Vec3d min, Vec3d max);

// 3200 triangles with corners on the sphere; edges are .07 to .135 of the radius.
SurfaceMesh sphere_surface(Vec3d center, double radius);

// Two such half spheres about a and b, and rows of triangles between them; about a = b a sphere.
SurfaceMesh capsule_surface(Vec3d a, Vec3d b, double radius);

}  // namespace sinew
