// The sweep by constraint over W tets of one colour: it visits the constraints of the material in turn and recomputes F
// in between. A solver's rule defines the update:
//
//   Rule::Sweep                       what the rule reads and writes
//   Rule(sweep, material)             prepares what all batches share
//   rule.begin<count>(batch, frame, h2, x)                begins a batch with `count` multipliers per tet
//   rule.project<k>(material, frame, h2, x, meanwhile)    projects constraint k, or the strain
//
// `project` calls meanwhile() during its divisions. Constraints come multiplied by a scale n > 0 that avoids divisions,
// g = n grad C.
//
// The operations on a batch form one chain of dependences, too long for the processor to look past. Therefore the
// positions of the next batch, which depend on nothing, are gathered during the divisions; batches of a colour share no
// vertex. On AVX-512 this saves a third of the time.
#pragma once

#include <limits>
#include <utility>

#include "element/tet_frame.h"
#include "material/coefficients.h"
#include "math/solve6.h"
#include "solver/sweep.h"

namespace sinew::constraint_kernel {

// A scaled constraint. All terms of t are divided by a number that drops out:
//   t = -(s value + weight l) / (s sum w |g|^2 + square)
template <class T>
struct Scaled {
  CornerVectors<T> gradient;  // g
  T value;                    // n C
  T scale;                    // n
  T s, weight, square;        // s, n and n^2, over that number
};

template <class T>
struct Edges {
  Vec3<T> p, q, r;
};
template <class T>
SINEW_INLINE Edges<T> edges_of(const Lane4<T> (&x)[4]) {
  return {x[1].xyz - x[0].xyz, x[2].xyz - x[0].xyz, x[3].xyz - x[0].xyz};
}

// Avoids 0 / 0 in lanes without a tet and in tets collapsed to a point, which do not change.
template <class T>
SINEW_INLINE T positive(T a) {
  return max(a, splat<T>(std::numeric_limits<ScalarOf<T>>::min()));
}

// n = 1
template <class T>
SINEW_INLINE Scaled<T> scaled(const Constraint<T>& c, const AlignedTetFrame<T>& frame, const Edges<T>&, T h2) {
  const T one = splat<T>(1);
  return {frame.times_gradients(c.gradient), c.value, one, c.stiffness * frame.volume * h2, one, one};
}
// n = C
template <class T>
SINEW_INLINE Scaled<T> scaled(const RootConstraint<T>& c, const AlignedTetFrame<T>& frame, const Edges<T>&, T h2) {
  const T square = positive(c.square), root = sqrt(square);
  return {frame.times_gradients(c.half_derivative), c.square, root, c.stiffness * frame.volume * h2, root, square};
}
// n = 6 V; all divided by n
template <class T>
SINEW_INLINE Scaled<T> scaled(const VolumeConstraint<T>& c, const AlignedTetFrame<T>& frame, const Edges<T>& e, T h2) {
  const Vec3<T> p = cross(e.q, e.r), q = cross(e.r, e.p), r = cross(e.p, e.q);
  const T volume6 = splat<T>(6) * frame.volume;
  return {{{-(p + q + r), p, q, r}},
          dot(e.p, p) - c.rest * volume6,
          volume6,
          splat<T>(1.0 / 6) * c.stiffness * h2,
          splat<T>(1),
          positive(volume6)};
}

template <int k, class T, class Material>
SINEW_INLINE auto constraint_of(const Material& material, Mat3<T> f) {
  if constexpr (requires { material.template constraint_form<k>(f); }) {
    return material.template constraint_form<k>(f);
  } else {
    return material.template constraint<k>(f);
  }
}

// The corners of W tets: vertices with positions and inverse masses, Lane4<T>[4], or embedded ones
// (embedded_corners.h). Rules see them through these functions: edges_of, weighted_square, and

// sum w |grad N|^2
template <class T>
SINEW_INLINE T weighted_gradient_square(const AlignedTetFrame<T>& frame, const Lane4<T> (&x)[4]) {
  return frame.weighted_gradient_square(x[0].w, x[1].w, x[2].w, x[3].w);
}
// sum w grad N grad N^T
template <class T>
SINEW_INLINE Sym3<T> weighted_gram(const AlignedTetFrame<T>& frame, const Lane4<T> (&x)[4]) {
  return frame.weighted_gram(x[0].w, x[1].w, x[2].w, x[3].w);
}
// x += w t g
template <class T>
SINEW_INLINE void move(Lane4<T> (&x)[4], T t, const Vec3<T> (&g)[4]) {
  for (int j = 0; j < 4; ++j) x[j].xyz += (x[j].w * t) * g[j];
}
// x += w impulse
template <class T>
SINEW_INLINE void move(Lane4<T> (&x)[4], const Vec3<T> (&impulse)[4]) {
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) x[j].xyz += x[j].w * impulse[j];
}

// Evaluates constraint k at x.
template <int k, class T, class Material, class Corners>
SINEW_INLINE Scaled<T> scaled_constraint(const Material& material, const AlignedTetFrame<T>& frame, T h2,
                                         const Corners& x) {
  const Edges<T> e = edges_of(x);
  if (frame.plane) {  // has no volume by faces
    return scaled(material.template constraint<k>(frame.deformation_gradient(e.p, e.q, e.r)), frame, e, h2);
  }
  return scaled(constraint_of<k, T>(material, frame.deformation_gradient(e.p, e.q, e.r)), frame, e, h2);
}
// sum w |g|^2
template <class T>
SINEW_INLINE T weighted_square(const Vec3<T> (&g)[4], const Lane4<T> (&x)[4]) {
  return (x[0].w * dot(g[0], g[0]) + x[1].w * dot(g[1], g[1])) + (x[2].w * dot(g[2], g[2]) + x[3].w * dot(g[3], g[3]));
}

// The constraints of a tet, or its strain.
template <template <class> class Material>
inline constexpr int visits_per_tet = has_strain_constraint<Material> ? 1 : Material<double>::constraint_count;

// Projects all constraints of a batch whose corners are at x; meanwhile(k) is called during the divisions of number k.
// `varied`: the block may have stiffness factors. `plane`: it may consist of triangles.
template <class T, template <class> class Material, bool varied, bool plane, int w, class Rule, class Corners,
          class Meanwhile>
SINEW_INLINE void project_batch(Rule& rule, const Material<T>& material,
                                const ConstraintStreamView<ScalarOf<T>>& stream, const Batch<T, w>& batch, T h2,
                                Corners& x, const Meanwhile& meanwhile) {
  using Frame = AlignedTetFrame<T>;
  const Frame frame = Frame::template read<w>(stream.frames + batch.number * Frame::number_count * w + batch.lane,
                                              plane && stream.plane);
  // s is proportional to both.
  if constexpr (varied) {
    if (stream.stiffness_factors) h2 = load<T>(stream.stiffness_factors + batch.slot()) * h2;
  }
  rule.template begin<multiplier_count<Material>>(batch, frame, h2, x);
  for_each_index<0, visits_per_tet<Material>>([&](auto k) SINEW_INLINE_LAMBDA {
    rule.template project<k>(material, frame, h2, x, [&]() SINEW_INLINE_LAMBDA { meanwhile(k); });
  });
}

template <class T, template <class> class Material, bool varied, class Rule>
void sweep_batches(const typename Rule::Sweep& sweep, int64_t first, int64_t last) {
  using Real = ScalarOf<T>;
  using Frame = AlignedTetFrame<T>;
  static_assert(Material<double>::isotropic, "aligned frames are turned");
  constexpr int w = lane_count<T>;
  constexpr int constraints = visits_per_tet<Material>;
  if (first >= last) return;
  const ConstraintStreamView<Real> stream = view_of(*sweep.block);
  const auto material = coefficients_of<Material>(sweep.block->block.material).template as<T>();
  const T h2 = splat<T>(static_cast<double>(sweep.h2));
  const int corners = varied ? stream.corner_count : 4;
  Rule rule(sweep, material);

  Lane4<T> next[4];
  const int32_t* corner = stream.corners + first * 4 * w;
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) next[j] = gather<T>(sweep.x, corner + j * w);
  for (int64_t batch = first; batch < last; ++batch) {
    constexpr int ahead = 128 / w;  // in batches
    prefetch<4 * w>(corner + ahead * 4 * w);
    prefetch<Frame::number_count * w>(stream.frames + (batch + ahead) * Frame::number_count * w);

    Lane4<T> x[4] = {next[0], next[1], next[2], next[3]};
    const int32_t* coming = batch + 1 < last ? corner + 4 * w : corner;
    project_batch<T, Material, varied, varied>(
        rule, material, stream, Batch<T, w>{batch}, h2, x, [&](auto k) SINEW_INLINE_LAMBDA {
          constexpr int begin = 4 * k / constraints, end = 4 * (k + 1) / constraints;
#pragma GCC unroll 4
          for (int j = begin; j < end; ++j) next[j] = gather<T>(sweep.x, coming + j * w);
        });
    if constexpr (requires { sweep.sums; }) {
      const T scale = splat<T>(static_cast<double>(sweep.scale));
      for (int j = 0; j < corners; ++j) {
        Lane4<T> sum = gather<T>(sweep.sums, corner + j * w);
        sum.xyz += scale * (x[j].xyz - gather<T>(sweep.x, corner + j * w).xyz);
        scatter(sweep.sums, corner + j * w, sum);
      }
    } else {
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j)
        if (!varied || j < corners) scatter(sweep.x, corner + j * w, x[j]);
    }
    corner += 4 * w;
  }
}

}  // namespace sinew::constraint_kernel
