// Applies multipliers to positions, over W tets of one colour: x += w sum_k l_k grad C_k, with gradients at other
// positions than those that move.
#pragma once

#include "element/tet_frame.h"
#include "material/coefficients.h"
#include "solver/by_constraint/strain_constraint.h"
#include "solver/sweep.h"

namespace sinew::multiplier_kernel {

template <class T, template <class> class Material, int w>
SINEW_INLINE void add_impulses_of_batch(const MultiplierSweep<ScalarOf<T>>& sweep, const Material<T>& material,
                                        const ConstraintStreamView<ScalarOf<T>>& stream, const Batch<T, w>& batch) {
  using Frame = AlignedTetFrame<T>;
  constexpr int count = multiplier_count<Material>;
  const T zero = T{};
  const int32_t* corner = stream.corners + batch.number * 4 * w + batch.lane;
  Vec3<T> at[4];
  for (int j = 0; j < 4; ++j) at[j] = gather<T>(sweep.at, corner + j * w).xyz;
  const Frame frame =
      Frame::template read<w>(stream.frames + batch.number * Frame::number_count * w + batch.lane, stream.plane);
  const Mat3<T> f = frame.deformation_gradient(at[1] - at[0], at[2] - at[0], at[3] - at[0]);
  const ScalarOf<T>* l = sweep.multipliers + batch.number * count * w + batch.lane;
  const Mat3<T> sum = multipliers_times_gradients<T, Material>(
      material, f, [&](int k) SINEW_INLINE_LAMBDA { return load<T>(l + k * w); });
  const CornerVectors<T> impulse = frame.times_gradients(sum);
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    if (j >= stream.corner_count) break;
    Lane4<T> x = gather<T>(sweep.x, corner + j * w);
    const Vec3<T> p = x.w * impulse.at[j];
    // Lanes without a tet have no gradient; held vertices do not move.
    const auto moves = x.w > zero;
    x.xyz += Vec3<T>{select(moves, p.x, zero), select(moves, p.y, zero), select(moves, p.z, zero)};
    scatter(sweep.x, corner + j * w, x);
  }
}

template <class T, template <class> class Material>
void add_impulses(const MultiplierSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  const auto stream = view_of(*sweep.block);
  const auto material = coefficients_of<Material>(sweep.block->block.material).template as<T>();
  for (int64_t batch = first; batch < last; ++batch)
    add_impulses_of_batch<T, Material, lane_count<T>>(sweep, material, stream, {batch});
}

}  // namespace sinew::multiplier_kernel
