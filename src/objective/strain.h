// The strain of tetrahedra, for pictures:
//   F = [x1-x0 x2-x0 x3-x0] [X1-X0 X2-X0 X3-X0]^-1,  J = det F,
//   strain = max_i |s_i - 1| over the principal stretches s_i, the smallest of which has the sign of J.
// 0.3 means stretched or squeezed by 30 % along the worst direction; an element above 1 may be inverted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "element/quadratic_tetrahedron.h"
#include "exec/thread_pool.h"
#include "math/vec.h"
#include "mesh/tet_mesh.h"
#include "model/model.h"

namespace sinew {

struct TetStrain {
  double j;
  double strain;
};

TetStrain tet_strain(const std::vector<Vec3d>& rest, std::span<const Vec3d> x, const Tet& tet);
// Of an element of a model; of a quadratic one the worst of its points.
TetStrain element_strain(const Model& model, std::span<const Vec3d> x, int32_t e);
// F at the points of a quadratic element.
PointGradients<double> point_gradients(const Model& model, std::span<const Vec3d> x, int32_t e);
// The mean J of the points of a quadratic element.
double mean_volume(const Model& model, int32_t e, std::span<const Vec3d> x);

// Of every tet, in the user's order. x: per slot.
void measure_strain(const Model& model, std::span<const Vec3d> x, ThreadPool& pool, std::span<double> j,
                    std::span<double> strain);

// |l/l0 - 1| of a spring among the ties; 0 for zero rest length.
double spring_strain(const Ties& ties, int32_t tie, std::span<const Vec3d> x);

}  // namespace sinew
