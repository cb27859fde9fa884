// A harmonic function on a mesh of tets or triangles: the u that minimizes sum V |grad u|^2 with u = 0 at some vertices
// and u = 1 at others, linear in each element. Its gradient runs from the former to the latter and along the surface
// between, like the fibres of a muscle from one tendon to the other.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"
#include "solver/linear_solver.h"

namespace sinew {

// grad u [1/m] of each element, 0 if all of its vertices belong to one end; x: rest positions [m] of all vertices.
// `zeros`, `ones`: vertices of the two ends, ascending. Errors: a vertex in both; elements connected to only one end,
// or to none (`where`: "tetrahedron k" or "triangle k"); a failure of the linear solver.
Result<std::vector<Vec3d>> harmonic_gradients(std::span<const Vec3d> x, std::span<const Tet> tets,
                                              std::span<const int32_t> zeros, std::span<const int32_t> ones,
                                              LinearSolver& solver);

}  // namespace sinew
