// A harmonic function on a mesh of tets or triangles: the u of least sum V |grad u|^2 with u = 0 at some vertices and
// u = 1 at others, linear in each element. Its gradient runs from the ones to the others and along the surface between,
// as the fibres of a muscle do from one tendon to the other.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"
#include "solver/linear_solver.h"

namespace sinew {

// grad u [1/m] of each element, 0 where all of its vertices are of one end; x: rest positions [m] of all vertices.
// `zeros`, `ones`: vertices of the two ends, ascending. Errors: a vertex in both; elements that hang together with one
// end alone, or with none (`where`: "tetrahedron k" or "triangle k"); a system that the solver cannot solve.
Result<std::vector<Vec3d>> harmonic_gradients(std::span<const Vec3d> x, std::span<const Tet> tets,
                                              std::span<const int32_t> zeros, std::span<const int32_t> ones,
                                              LinearSolver& solver);

}  // namespace sinew
