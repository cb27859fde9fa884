// FP-PXPBD's visit (fp_pxpbd.h) to W tets of one colour. Let t = h^2 V; P be the stress that the tet exerts so far and
// P^ = P(F) the one that it should exert; W be the direction of the surrogate tangent H~ : D = k D + v (W : D) W; and K
// = sum w_i g_i g_i^T over the free corners (w = 1/m, 0: held). Then the equations
//   x_i += - w_i t dP g_i,   dP = P^ + H~ : dF - P,   dF = sum dx_i g_i^T = - t dP K
// of the paper's element Newton step are solved by a 3x3 inverse and one step of Sherman & Morrison:
//   M = (1 + t k K)^-1,  Z = W K M,  a = W : dF = - t (P^ - P) : Z / (1 + t v W : Z),  dP = ((P^ - P) + v a W) M,
// with K + share tr(K) 1 in place of K (damped_gram). The change of x is the one that dP exerts, so that M (x - y) +
// h^2 sum V P g = 0 is preserved up to round-off. Repeating the visit is the paper's local Newton iteration.
#pragma once

#include "element/tet_frame.h"
#include "material/coefficients.h"
#include "math/solve.h"
#include "solver/sweep.h"

namespace sinew::fp_kernel {

// (1 + a)^-1 for positive semi-definite a, which is first scaled to about 1: the determinant of a very stiff one would
// overflow in single precision.
template <class T>
SINEW_INLINE Sym3<T> inverse_of_one_plus(Sym3<T> a) {
  const T scale = rough_reciprocal(splat<T>(1) + (a.xx + a.yy + a.zz));
  add_identity(a, splat<T>(1));
  a = scale * a;
  const Sym3<T> adj = adjugate(a);
  return (scale / determinant(a, adj)) * adj;
}

// The share of the trace of K that is added to K. The surrogate resists the rotational part of dF, the material does
// not. If K is far from isotropic, as in a sliver, it mixes the two, and with K alone sweeps of a mesh with slivers
// diverge as soon as a tet is stiffer than its inertia, even with the linear material. The addition shortens the step
// of a visit and changes no fixed point. A fifth of this share sufficed for every mesh that was tried.
inline constexpr double damping_share = 0.05;
template <class T>
SINEW_INLINE Sym3<T> damped_gram(Sym3<T> k) {
  add_identity(k, splat<T>(damping_share) * (k.xx + k.yy + k.zz));
  return k;
}

// Calls `meanwhile()` during the divisions.
template <class T, class Material, class Frame, class Meanwhile>
SINEW_INLINE void visit(const Material& material, const Frame& frame, T t, Lane4<T> (&x)[4], Mat3<T>& stress,
                        Meanwhile meanwhile) {
  const Mat3<T> f = frame.deformation_gradient(x[1].xyz - x[0].xyz, x[2].xyz - x[0].xyz, x[3].xyz - x[0].xyz);
  const SurrogateTangent<T> tangent = material.surrogate(f);
  const Mat3<T>& w = tangent.direction;
  const Mat3<T> missing = material.stress(f) - stress;
  const Sym3<T> k = damped_gram(frame.weighted_gram(x[0].w, x[1].w, x[2].w, x[3].w));
  const Sym3<T> m = inverse_of_one_plus((t * tangent.all) * k);
  meanwhile();
  const Mat3<T> z = (w * k) * m;
  const T along = -t * contract(missing, z) / (splat<T>(1) + (t * tangent.along) * contract(w, z));
  const Mat3<T> change = (missing + (tangent.along * along) * w) * m;
  stress = stress + change;
  const CornerVectors<T> g = frame.times_gradients(change);
  for (int j = 0; j < 4; ++j) x[j].xyz -= (x[j].w * t) * g.at[j];
}

// Loads stresses, stored in the axes of the rest frames: batches x 9 x W, by columns.
template <class T>
SINEW_INLINE Mat3<T> load_stress(const ScalarOf<T>* p) {
  const auto at = [&](int k) { return load<T>(p + k * lane_count<T>); };
  return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
}
template <class T>
SINEW_INLINE void store_stress(ScalarOf<T>* p, const Mat3<T>& m) {
  const T numbers[9] = {m.c0.x, m.c0.y, m.c0.z, m.c1.x, m.c1.y, m.c1.z, m.c2.x, m.c2.y, m.c2.z};
  for (int k = 0; k < 9; ++k) store<T>(p + k * lane_count<T>, numbers[k]);
}

// `varied`: the block may have stiffness factors, and may consist of triangles.
template <class T, template <class> class Material, bool varied>
void sweep_batches(const StressSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  using Real = ScalarOf<T>;
  using Frame = TetFrameOf<Material, T>;
  constexpr int w = lane_count<T>;
  if (first >= last) return;
  const ConstraintStreamView<Real> stream = view_of(*sweep.block);
  const auto material = coefficients_of<Material>(sweep.block->block.material).template as<T>();
  const T h2 = splat<T>(static_cast<double>(sweep.h2));

  // As in the sweep by constraint, the next batch's positions are gathered during the divisions of this one.
  Lane4<T> next[4];
  const int32_t* corner = stream.corners + first * 4 * w;
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) next[j] = gather<T>(sweep.x, corner + j * w);
  for (int64_t batch = first; batch < last; ++batch) {
    const Real* numbers = stream.frames + batch * Frame::number_count * w;
    Real* stresses = sweep.stresses + batch * 9 * w;
    constexpr int ahead = 128 / w;  // in batches
    prefetch<4 * w>(corner + ahead * 4 * w);
    prefetch<Frame::number_count * w>(numbers + ahead * Frame::number_count * w);
    prefetch<9 * w>(stresses + ahead * 9 * w);

    Lane4<T> x[4] = {next[0], next[1], next[2], next[3]};
    const Frame frame = Frame::read(numbers, varied && stream.plane);
    T t = h2 * frame.volume;
    if constexpr (varied) {
      if (stream.stiffness_factors) t = load<T>(stream.stiffness_factors + batch * w) * t;
    }
    Mat3<T> stress = load_stress<T>(stresses);
    const int32_t* coming = batch + 1 < last ? corner + 4 * w : corner;
    visit(material, frame, t, x, stress, [&] {
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) next[j] = gather<T>(sweep.x, coming + j * w);
    });
    for (int k = 1; k < sweep.local_iterations; ++k) visit(material, frame, t, x, stress, [] {});
    store_stress(stresses, stress);
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j)
      if (!varied || j < stream.corner_count) scatter(sweep.x, corner + j * w, x[j]);
    corner += 4 * w;
  }
}

// Adds the displacements by the stresses: x_i -= w_i t P g_i, for tets of one colour.
template <class T, template <class> class Material>
void add_impulses(const StressSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  using Frame = TetFrameOf<Material, T>;
  constexpr int w = lane_count<T>;
  const ConstraintStreamView<ScalarOf<T>> stream = view_of(*sweep.block);
  const T h2 = splat<T>(static_cast<double>(sweep.h2));
  for (int64_t batch = first; batch < last; ++batch) {
    const int32_t* corner = stream.corners + batch * 4 * w;
    const Frame frame = Frame::read(stream.frames + batch * Frame::number_count * w, stream.plane);
    T t = h2 * frame.volume;
    if (stream.stiffness_factors) t = load<T>(stream.stiffness_factors + batch * w) * t;
    const CornerVectors<T> g = frame.times_gradients(load_stress<T>(sweep.stresses + batch * 9 * w));
    for (int j = 0; j < stream.corner_count; ++j) {
      Lane4<T> x = gather<T>(sweep.x, corner + j * w);
      x.xyz -= (x.w * t) * g.at[j];
      scatter(sweep.x, corner + j * w, x);
    }
  }
}

}  // namespace sinew::fp_kernel
