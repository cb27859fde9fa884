// The constraint sweep over W tets of one colour: each constraint of the material in turn, F evaluated anew in between.
// Written with s = stiffness V h^2 = 1/a multiplied through, dl = (-s C - l) / (s sum w |grad C|^2 + 1): no division
// by a compliance that may vanish or be infinite, and lanes without a tet (s = 0) do nothing.
#pragma once

#include <utility>

#include "element/tet.h"
#include "material/materials.h"
#include "solver/sweep.h"

namespace sinew::constraint_kernel {

template <class T, template <class> class Material, int k>
SINEW_INLINE void project(const Material<T>& material, const FullTetFrame<T>& frame, T volume_h2, Lane4<T> (&x)[4],
                          ScalarOf<T>* multiplier) {
  const Mat3<T> f = frame.deformation_gradient(x[1].xyz - x[0].xyz, x[2].xyz - x[0].xyz, x[3].xyz - x[0].xyz);
  const Constraint<T> c = material.template constraint<k>(f);
  const Vec3<T> gradient[4] = {c.gradient * frame.gradient(), c.gradient * frame.gp, c.gradient * frame.gq,
                               c.gradient * frame.gr};
  T weight{};
  for (int j = 0; j < 4; ++j) weight += x[j].w * dot(gradient[j], gradient[j]);
  const T s = c.stiffness * volume_h2;
  const T lambda = load<T>(multiplier);
  const T change = -(s * c.value + lambda) / (s * weight + splat<T>(1));
  store<T>(multiplier, lambda + change);
  for (int j = 0; j < 4; ++j) x[j].xyz += (x[j].w * change) * gradient[j];
}

template <class T, template <class> class Material>
void sweep_batches(const ConstraintSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  using Real = ScalarOf<T>;
  using Frame = FullTetFrame<T>;
  constexpr int w = lane_count<T>;
  constexpr int constraints = Material<double>::constraint_count;
  const ConstraintStream<Real>& stream = *sweep.block;
  const auto material = Material<double>::from_lame(stream.block.lame.mu, stream.block.lame.lambda).template as<T>();
  for (int64_t batch = first; batch < last; ++batch) {
    const int32_t* corner = stream.corners.data() + batch * 4 * w;
    const Frame frame = Frame::read(stream.frames.data() + batch * Frame::number_count * w);
    const T volume_h2 = frame.volume * splat<T>(static_cast<double>(sweep.h2));
    Lane4<T> x[4];
    for (int j = 0; j < 4; ++j) x[j] = gather<T>(sweep.x, corner + j * w);
    [&]<int... k>(std::integer_sequence<int, k...>) {
      (project<T, Material, k>(material, frame, volume_h2, x, sweep.multipliers + (batch * constraints + k) * w), ...);
    }
    (std::make_integer_sequence<int, constraints>{});
    for (int j = 0; j < 4; ++j) scatter(sweep.x, corner + j * w, x[j]);
  }
}

}  // namespace sinew::constraint_kernel
