// Computes the elastic terms of W quadratic tetrahedra at once (element/quadratic_tetrahedron.h).
#pragma once

#include "element/quadratic_tetrahedron.h"
#include "element/strain_rate.h"
#include "material/materials.h"
#include "objective/element_terms.h"
#include "objective/lane_rows.h"

namespace sinew::element_kernel {

// W of them from `e` on. The last group may be short: its last element fills the remaining lanes.
template <class T>
struct QuadraticGroup {
  int count;
  int32_t node[most_nodes][lane_count<T>];
  Vec3<T> corner[4];  // gradients of the barycentric coordinates [1/m]
  T weight;           // rest volume times stiffness factor

  SINEW_INLINE QuadraticGroup(const ElementArrays& elements, int32_t e, int32_t last) {
    constexpr int w = lane_count<T>;
    count = last - e < w ? last - e : w;
    for (int k = 0; k < w; ++k) {
      const int32_t own = e + (k < count ? k : count - 1);
      for (int c = 0; c < 4; ++c) node[c][k] = elements.tets[own][static_cast<size_t>(c)];
      for (int m = 0; m < 6; ++m) node[4 + m][k] = elements.middles[own][static_cast<size_t>(m)];
    }
    Vec3<T> x[4];
    for (int c = 0; c < 4; ++c) x[c] = gather3<T>(elements.rest, node[c]);
    const RestShape<T> rest = QuadraticTetrahedron::rest<T>(x);
    corner[0] = -(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]);
    for (int c = 1; c < 4; ++c) corner[c] = rest.gradient[c - 1];
    weight = rest.volume;
    if (elements.stiffness_factor) weight = load_first<T>(elements.stiffness_factor + e, count) * rest.volume;
  }

  SINEW_INLINE PointGradients<T> deformation_gradients(const Vec3d* x) const {
    Vec3<T> at[most_nodes]{};
    const Vec3<T> first = gather3<T>(x, node[0]);
    for (int n = 1; n < most_nodes; ++n) at[n] = gather3<T>(x, node[n]) - first;
    return PointGradients<T>::of(at, corner);
  }
};

template <class T>
SINEW_INLINE void add_quadratic_strain_rate(const ElementTerms& terms, const PointMaterial& at_points, int32_t first,
                                            int32_t last) {
  constexpr int w = lane_count<T>;
  constexpr int points = QuadraticTetrahedron::points;
  for (int32_t e = first; e < last; e += w) {
    const QuadraticGroup<T> group(terms.elements, e, last);
    const T weight = splat<T>(1.0 / points) * group.weight;
    const PointGradients<T> before = group.deformation_gradients(terms.x_prev);
    const PointGradients<T> now = group.deformation_gradients(terms.x);
    T energy{};
    Vec3<T> force[most_nodes]{};
    for (int q = 0; q < points; ++q) {
      const auto viscous = StrainRate<T>::of(at_points.material.lame, splat<T>(terms.damping_rate), before.at[q]);
      const Mat3<T> motion = now.at[q] - viscous.before;
      energy += viscous.energy(motion);
      if (!terms.gradient) continue;
      const Mat3<T> p = weight * viscous.stress(motion);
      Vec3<T> g[most_nodes];
      node_gradients(group.corner, q, g);
      for (int n = 0; n < most_nodes; ++n) force[n] += p * g[n];
    }
    double* const sum = terms.energy + (e - first);
    store_first<T>(sum, load_first<T>(sum, group.count) + weight * energy, group.count);
    if (!terms.gradient) continue;
    Vec3d* const out = terms.gradient + most_nodes * static_cast<int64_t>(e - first);
    for (int n = 0; n < most_nodes; ++n) add_to_row<T, most_nodes>(out + n, force[n], group.count);
  }
}

template <class T, template <class> class Material>
void quadratic_terms(const ElementTerms& terms, int32_t first, int32_t last) {
  using Volume = PointVolume<T, Material<double>::rotation_invariant>;
  constexpr int w = lane_count<T>;
  constexpr int points = QuadraticTetrahedron::points;
  const PointMaterial at_points = PointMaterial::of(*terms.block);
  const auto coefficients = coefficients_of<Material>(at_points.material);
  const auto material = coefficients.template as<T>();
  const T rest_energy = splat<T>(coefficients.energy(diagonal(1.0, 1.0, 1.0)));
  const T mean_lambda = splat<T>(at_points.mean_lambda), share = splat<T>(1.0 / points), one = splat<T>(1);
  const bool damped = terms.damping_rate > 0 && terms.elements.damping_form == DampingForm::own_block;
  const T rate = splat<T>(terms.damping_rate);

  for (int32_t e = first; e < last; e += w) {
    const QuadraticGroup<T> group(terms.elements, e, last);
    const int count = group.count;
    const PointGradients<T> f = group.deformation_gradients(terms.x);
    T energy{}, mean{}, least = determinant(f.at[0]);
    for (int q = 0; q < points; ++q) {
      energy += material.energy(f.at[q]) - rest_energy;
      mean += share * Volume::j(f.at[q]);
      least = min(least, determinant(f.at[q]));
    }
    const T excess = mean - one;
    energy = share * energy + splat<T>(0.5) * mean_lambda * excess * excess;
    store_first<T>(terms.energy + (e - first), group.weight * energy, count);
    store_first<T>(terms.det_f + (e - first), least, count);
    if (!terms.gradient) continue;

    Vec3<T> force[most_nodes]{}, mean_derivative[most_nodes]{};
    Sym3<T> block[most_nodes]{};
    for (int q = 0; q < points; ++q) {
      const Mat3<T> p = material.stress(f.at[q]);
      const Mat3<T> dj = Volume::derivative(f.at[q]);
      Vec3<T> g[most_nodes];
      node_gradients(group.corner, q, g);
      for (int n = 0; n < most_nodes; ++n) {
        force[n] += share * (p * g[n]);
        mean_derivative[n] += share * (dj * g[n]);
        if (damped) block[n] = block[n] + share * material.vertex(f.at[q], g[n]).stiffness;
      }
    }
    Vec3d* const out = terms.gradient + most_nodes * static_cast<int64_t>(e - first);
    for (int n = 0; n < most_nodes; ++n) {
      force[n] += (mean_lambda * excess) * mean_derivative[n];
      if (damped) {
        add_outer(block[n], mean_lambda, mean_derivative[n]);
        const Vec3<T> moved = gather3<T>(terms.x, group.node[n]) - gather3<T>(terms.x_prev, group.node[n]);
        force[n] += rate * (block[n] * moved);
      }
      store_row<T, most_nodes>(out + n, group.weight * force[n], count);
    }
  }
  if (terms.damping_rate > 0 && !damped) add_quadratic_strain_rate<T>(terms, at_points, first, last);
}

}  // namespace sinew::element_kernel
