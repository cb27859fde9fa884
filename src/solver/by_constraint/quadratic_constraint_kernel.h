// XPBD's sweep (Macklin et al. 2016) over W quadratic tets of one colour (element/quadratic_tetrahedron.h). A tet has
// the constraints of its material at each of the four points q, of the weight w = V/4 and the moduli at the points, and
// one more of its mean J where lambda_m > 0:
//   C(F_q), a = 1/(stiffness w h^2);   C = Jm - 1, a = 1/(lambda_m V h^2)
// They are visited in turn, F is recomputed in between. With s = 1/a and a scale n > 0 of the constraint that avoids
// divisions, g = n grad C (compliant_rule.h),
//   t = dl/n = -(s n C + n l) / (s sum w |g|^2 + n^2),   l += n t,   x += w g t.
// The ten nodes of a batch do not fit into registers; what is in turn visited is read from the stack.
#pragma once

#include "element/quadratic_tetrahedron.h"
#include "material/coefficients.h"
#include "solver/by_constraint/constraint_kernel.h"
#include "solver/by_constraint/quadratic_sweep.h"
#include "solver/by_constraint/strain_constraint.h"

namespace sinew::quadratic_constraint_kernel {

template <class T>
struct NodeVectors {
  Vec3<T> at[most_nodes];
};

// Of a point: 4 L_a. N_a has the gradient (4 L_a - 1) grad L_a, N_ab 4 L_b grad L_a + 4 L_a grad L_b.
template <class T>
struct PointWeights {
  T four[4];

  static SINEW_INLINE PointWeights of(int q) {
    PointWeights p;
    for (int a = 0; a < 4; ++a) p.four[a] = splat<T>(4 * QuadraticTetrahedron::at_point(q, a));
    return p;
  }
  // Of nodes at(i); `corner` are the gradients of the barycentric coordinates.
  template <class At>
  SINEW_INLINE Mat3<T> deformation_gradient(const At& at, const Vec3<T> (&corner)[4]) const {
    const Vec3<T> origin = at(0);
    const T one = splat<T>(1);
    Vec3<T> c[4];
    c[0] = Vec3<T>{};
    for (int a = 1; a < 4; ++a) c[a] = (four[a] - one) * (at(a) - origin);
    for (int k = 0; k < 6; ++k) {
      const int a = QuadraticTetrahedron::end(k, 0), b = QuadraticTetrahedron::end(k, 1);
      const Vec3<T> middle = at(4 + k) - origin;
      c[a] += four[b] * middle;
      c[b] += four[a] * middle;
    }
    return (outer(c[1] - c[0], corner[1]) + outer(c[2] - c[0], corner[2])) + outer(c[3] - c[0], corner[3]);
  }
  // M grad N_i of all nodes; they sum to 0.
  SINEW_INLINE NodeVectors<T> times_gradients(const Mat3<T>& m, const Vec3<T> (&corner)[4]) const {
    const T one = splat<T>(1);
    Vec3<T> u[4];
    for (int a = 1; a < 4; ++a) u[a] = m * corner[a];
    u[0] = -((u[1] + u[2]) + u[3]);
    NodeVectors<T> v;
    for (int a = 0; a < 4; ++a) v.at[a] = (four[a] - one) * u[a];
    for (int k = 0; k < 6; ++k) {
      const int a = QuadraticTetrahedron::end(k, 0), b = QuadraticTetrahedron::end(k, 1);
      v.at[4 + k] = four[b] * u[a] + four[a] * u[b];
    }
    return v;
  }
};

// A constraint at a point times n, dC/dF times n, n and n^2.
template <class T>
struct PointConstraint {
  T value;
  Mat3<T> gradient;
  T scale, square;
  T stiffness;  // [Pa]
};
template <class T>
SINEW_INLINE PointConstraint<T> at_point(const Constraint<T>& c, const Mat3<T>&) {
  const T one = splat<T>(1);
  return {c.value, c.gradient, one, one, c.stiffness};
}
template <class T>
SINEW_INLINE PointConstraint<T> at_point(const VolumeConstraint<T>& c, const Mat3<T>& f) {
  return at_point(expanded(c, f), f);
}
// n = C
template <class T>
SINEW_INLINE PointConstraint<T> at_point(const RootConstraint<T>& c, const Mat3<T>&) {
  const T square = constraint_kernel::positive(c.square);
  return {c.square, c.half_derivative, sqrt(square), square, c.stiffness};
}

// How far ahead the stream is asked for.
inline constexpr int batches_ahead = 2;

// W tets: nodes with positions and inverse masses, and what the stream has of them.
template <class T>
struct QuadraticTets {
  Lane4<T> x[most_nodes];
  Vec3<T> corner[4];
  T volume;

  SINEW_INLINE QuadraticTets(const QuadraticConstraintStream<ScalarOf<T>>& stream, int64_t batch,
                             const Vec4<ScalarOf<T>>* at) {
    constexpr int w = lane_count<T>;
    const int32_t* const nodes = nodes_of(stream, batch);
    constexpr int number_count = QuadraticConstraintStream<ScalarOf<T>>::number_count;
    const auto* const numbers = stream.numbers.data() + batch * number_count * w;
    prefetch<most_nodes * w>(nodes + batches_ahead * most_nodes * w);
    prefetch<number_count * w>(numbers + batches_ahead * number_count * w);
    const auto number = [&](int k) { return load<T>(numbers + k * w); };
    for (int n = 0; n < most_nodes; ++n) x[n] = gather<T>(at, nodes + n * w);
    for (int c = 0; c < 3; ++c) corner[c + 1] = {number(3 * c), number(3 * c + 1), number(3 * c + 2)};
    corner[0] = -((corner[1] + corner[2]) + corner[3]);
    volume = number(9);
  }
  static SINEW_INLINE const int32_t* nodes_of(const QuadraticConstraintStream<ScalarOf<T>>& stream, int64_t batch) {
    return stream.nodes.data() + batch * most_nodes * lane_count<T>;
  }
  SINEW_INLINE Mat3<T> deformation_gradient(const PointWeights<T>& p) const {
    return p.deformation_gradient([&](int n) SINEW_INLINE_LAMBDA { return x[n].xyz; }, corner);
  }
  // sum w |g|^2
  SINEW_INLINE T weighted_square(const NodeVectors<T>& g) const {
    T sum[2] = {x[0].w * dot(g.at[0], g.at[0]), x[1].w * dot(g.at[1], g.at[1])};
    for (int n = 2; n < most_nodes; ++n) sum[n % 2] += x[n].w * dot(g.at[n], g.at[n]);
    return sum[0] + sum[1];
  }
  // sum w grad N grad N^T
  SINEW_INLINE Sym3<T> weighted_gram(const PointWeights<T>& p) const {
    Sym3<T> sum{};
    const T one = splat<T>(1);
    for (int a = 0; a < 4; ++a) add_outer(sum, x[a].w, (p.four[a] - one) * corner[a]);
    for (int k = 0; k < 6; ++k) {
      const int a = QuadraticTetrahedron::end(k, 0), b = QuadraticTetrahedron::end(k, 1);
      add_outer(sum, x[4 + k].w, p.four[b] * corner[a] + p.four[a] * corner[b]);
    }
    return sum;
  }
  // x += w t g
  SINEW_INLINE void move(T t, const NodeVectors<T>& g) {
    for (int n = 0; n < most_nodes; ++n) x[n].xyz += (x[n].w * t) * g.at[n];
  }
  // s of a constraint of the stiffness and weight 1. `share`: of the change of a multiplier that is stored.
  SINEW_INLINE void project(T value, const NodeVectors<T>& g, T s, T scale, T square, T share,
                            ScalarOf<T>* multiplier) {
    const T lambda = load<T>(multiplier);
    const T t = -(s * value + scale * lambda) / (s * weighted_square(g) + square);
    store<T>(multiplier, lambda + (share * scale) * t);
    move(t, g);
  }
};

// The mean J of W tets less 1, and its derivative by the nodes.
template <class T>
struct MeanVolume {
  T excess;
  NodeVectors<T> derivative;

  template <class At>
  static SINEW_INLINE MeanVolume of(const At& at, const Vec3<T> (&corner)[4]) {
    const T share = splat<T>(1.0 / QuadraticTetrahedron::points);
    MeanVolume m;
    m.excess = splat<T>(-1);
    for (Vec3<T>& v : m.derivative.at) v = Vec3<T>{};
#pragma GCC unroll 1
    for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
      const auto p = PointWeights<T>::of(q);
      const Mat3<T> f = p.deformation_gradient(at, corner), cof = share * cofactor(f);
      m.excess += dot(f.c0, cof.c0);
      const NodeVectors<T> own = p.times_gradients(cof, corner);
      for (int n = 0; n < most_nodes; ++n) m.derivative.at[n] += own.at[n];
    }
    return m;
  }
};

template <class T, template <class> class Material>
void sweep_batches(const QuadraticConstraintSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  using Real = ScalarOf<T>;
  static_assert(Material<double>::rotation_invariant, "J is that of rotation-invariant materials");
  constexpr int w = lane_count<T>, at_each = multiplier_count<Material>, count = quadratic_multiplier_count(at_each);
  const QuadraticConstraintStream<Real>& stream = *sweep.block;
  const auto material = coefficients_of<Material>(stream.points.material).template as<T>();
  const bool has_mean = stream.points.mean_lambda > 0;
  const T h2 = splat<T>(static_cast<double>(sweep.h2)), one = splat<T>(1);
  const T mean_stiffness = splat<T>(stream.points.mean_lambda);
  const T scale = splat<T>(static_cast<double>(sweep.scale));
  for (int64_t batch = first; batch < last; ++batch) {
    QuadraticTets<T> tets(stream, batch, sweep.x);
    Real* const multipliers = sweep.multipliers + batch * count * w;
    const T weight = h2 * (splat<T>(1.0 / QuadraticTetrahedron::points) * tets.volume);
#pragma GCC unroll 1
    for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
      const auto p = PointWeights<T>::of(q);
      Real* const own = multipliers + q * at_each * w;
      if constexpr (has_strain_constraint<Material>) {
        const StrainCompliance<T> compliance = material.strain_compliance();
        const Mat3<T> f = tets.deformation_gradient(p);
        const Sym3<T> l = six_multipliers<T>([&](int k) SINEW_INLINE_LAMBDA { return load<T>(own + k * w); });
        const Sym3<T> fault = (compliance.mu * weight) * green_strain_constraint(f) + compliance * l;
        const Sym3<T> step = strain_step(compliance, f, tets.weighted_gram(p), weight, fault);
        const Sym3<T> after = l + scale * step;
        const T numbers[6] = {after.xx, after.xy, after.xz, after.yy, after.yz, after.zz};
        for (int k = 0; k < 6; ++k) store<T>(own + k * w, numbers[k]);
        tets.move(one, p.times_gradients(f * step, tets.corner));
      } else {
        for_each_index<0, at_each>([&](auto k) SINEW_INLINE_LAMBDA {
          const Mat3<T> f = tets.deformation_gradient(p);
          const PointConstraint<T> c = at_point(constraint_kernel::constraint_of<k, T>(material, f), f);
          tets.project(c.value, p.times_gradients(c.gradient, tets.corner), c.stiffness * weight, c.scale, c.square,
                       scale, own + k * w);
        });
      }
    }
    if (has_mean) {
      const auto mean = MeanVolume<T>::of([&](int n) SINEW_INLINE_LAMBDA { return tets.x[n].xyz; }, tets.corner);
      tets.project(mean.excess, mean.derivative, mean_stiffness * (h2 * tets.volume), one, one, scale,
                   multipliers + (count - 1) * w);
    }
    const int32_t* const nodes = QuadraticTets<T>::nodes_of(stream, batch);
    if (!sweep.sums) {
      for (int n = 0; n < most_nodes; ++n) scatter(sweep.x, nodes + n * w, tets.x[n]);
      continue;
    }
    for (int n = 0; n < most_nodes; ++n) {
      Lane4<T> sum = gather<T>(sweep.sums, nodes + n * w);
      sum.xyz += scale * (tets.x[n].xyz - gather<T>(sweep.x, nodes + n * w).xyz);
      scatter(sweep.sums, nodes + n * w, sum);
    }
  }
}

// x += w sum_k l_k grad C_k(at), as in multiplier_kernel.h.
template <class T, template <class> class Material>
void add_impulses(const QuadraticMultiplierSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  constexpr int w = lane_count<T>, at_each = multiplier_count<Material>, count = quadratic_multiplier_count(at_each);
  const QuadraticConstraintStream<ScalarOf<T>>& stream = *sweep.block;
  const auto material = coefficients_of<Material>(stream.points.material).template as<T>();
  const T share = splat<T>(1.0 / QuadraticTetrahedron::points), zero = T{};
  for (int64_t batch = first; batch < last; ++batch) {
    const QuadraticTets<T> tets(stream, batch, sweep.at);
    const ScalarOf<T>* const multipliers = sweep.multipliers + batch * count * w;
    const T of_mean = share * load<T>(multipliers + (count - 1) * w);
    NodeVectors<T> impulse{};
#pragma GCC unroll 1
    for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
      const auto p = PointWeights<T>::of(q);
      const Mat3<T> f = tets.deformation_gradient(p);
      const Mat3<T> sum = multipliers_times_gradients<T, Material>(
          material, f, [&](int k) SINEW_INLINE_LAMBDA { return load<T>(multipliers + (q * at_each + k) * w); });
      const NodeVectors<T> own = p.times_gradients(sum + of_mean * cofactor(f), tets.corner);
      for (int n = 0; n < most_nodes; ++n) impulse.at[n] += own.at[n];
    }
    const int32_t* const nodes = QuadraticTets<T>::nodes_of(stream, batch);
    for (int n = 0; n < most_nodes; ++n) {
      Lane4<T> x = gather<T>(sweep.x, nodes + n * w);
      // Lanes without a tet have no gradient; held vertices do not move.
      x.xyz += select(x.w > zero, x.w * impulse.at[n], Vec3<T>{});
      scatter(sweep.x, nodes + n * w, x);
    }
  }
}

template <class T, template <class> class Material>
inline constexpr QuadraticConstraintKernels<ScalarOf<T>> kernels{sweep_batches<T, Material>, add_impulses<T, Material>};

}  // namespace sinew::quadratic_constraint_kernel
