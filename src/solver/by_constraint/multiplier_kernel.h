// Applies multipliers to positions, over W tets of one colour: x += w sum_k l_k grad C_k, with gradients at other
// positions than those that move.
#pragma once

#include "element/tet_frame.h"
#include "material/coefficients.h"
#include "solver/by_constraint/strain_constraint.h"
#include "solver/sweep.h"

namespace sinew::multiplier_kernel {

template <class T, template <class> class Material>
void add_impulses(const MultiplierSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  using Frame = AlignedTetFrame<T>;
  constexpr int w = lane_count<T>;
  constexpr int count = multiplier_count<Material>;
  const auto& stream = *sweep.block;
  const auto material = coefficients_of<Material>(stream.block.material).template as<T>();
  const T zero = T{};
  const int corners = traits_of(stream.block.element).corners;
  for (int64_t batch = first; batch < last; ++batch) {
    const int32_t* corner = stream.corners.data() + batch * 4 * w;
    Vec3<T> at[4];
    for (int j = 0; j < 4; ++j) at[j] = gather<T>(sweep.at, corner + j * w).xyz;
    const Frame frame = Frame::read(stream.frames.data() + batch * Frame::number_count * w, stream.block.plane());
    const Mat3<T> f = frame.deformation_gradient(at[1] - at[0], at[2] - at[0], at[3] - at[0]);
    const ScalarOf<T>* l = sweep.multipliers + batch * count * w;
    const Mat3<T> sum =
        multipliers_times_gradients<T, Material>(material, f, [&](int k) { return load<T>(l + k * w); });
    const CornerVectors<T> impulse = frame.times_gradients(sum);
    for (int j = 0; j < corners; ++j) {
      Lane4<T> x = gather<T>(sweep.x, corner + j * w);
      const Vec3<T> p = x.w * impulse.at[j];
      // Lanes without a tet have no gradient; held vertices do not move.
      const auto moves = x.w > zero;
      x.xyz += Vec3<T>{select(moves, p.x, zero), select(moves, p.y, zero), select(moves, p.z, zero)};
      scatter(sweep.x, corner + j * w, x);
    }
  }
}

}  // namespace sinew::multiplier_kernel
