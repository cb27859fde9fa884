// How strongly tetrahedra are deformed, for pictures:
//   F = [x1-x0 x2-x0 x3-x0] [X1-X0 X2-X0 X3-X0]^-1,  J = det F,
//   strain = max_i |s_i - 1| over the principal stretches s_i, the smallest of which has the sign of J.
// 0.3 is: stretched or squeezed by 30 % along the worst direction; above 1 may be inverted.
#pragma once

#include <cstdint>
#include <span>

#include "exec/thread_pool.h"
#include "math/vec.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct TetStrain {
  float j;
  float strain;
};

TetStrain tet_strain(const std::vector<Vec3d>& rest, std::span<const Vec3d> x, const Tet& tet);

// Of the tets listed in `which`; the others' entries are left as they are. j and strain have an entry per tet.
// `pool` may be null; the results have the same bits either way.
void measure_strain(const TetMesh& mesh, std::span<const Vec3d> x, std::span<const int32_t> which, ThreadPool* pool,
                    std::span<float> j, std::span<float> strain);

}  // namespace sinew
