// Computes the elastic terms of W elements at once, in registers.
#pragma once

#include "element/strain_rate.h"
#include "element/tet.h"
#include "material/materials.h"
#include "objective/element_terms.h"

namespace sinew::element_kernel {

// Loads W vertices from rows of three numbers.
template <class T>
SINEW_INLINE Vec3<T> gather3(const Vec3d* x, const int32_t* index) {
  constexpr int w = lane_count<T>;
  if constexpr (w == 1) {
    return x[*index];
  } else {
    alignas(sizeof(T)) double column[3][w];
    for (int k = 0; k < w; ++k) {
      const Vec3d& p = x[index[k]];
      column[0][k] = p.x;
      column[1][k] = p.y;
      column[2][k] = p.z;
    }
    return {load<T>(column[0]), load<T>(column[1]), load<T>(column[2])};
  }
}

// Stores lane k of `a` at out[4 k].
template <class T>
SINEW_INLINE void store_corner(Vec3d* out, const Vec3<T>& a, int count) {
  if constexpr (lane_count<T> == 1) {
    *out = a;
  } else {
    for (int k = 0; k < count; ++k) out[4 * k] = {a.x[k], a.y[k], a.z[k]};
  }
}
template <class T>
SINEW_INLINE void add_to_corner(Vec3d* out, const Vec3<T>& a, int count) {
  if constexpr (lane_count<T> == 1) {
    *out += a;
  } else {
    for (int k = 0; k < count; ++k) out[4 * k] += Vec3d{a.x[k], a.y[k], a.z[k]};
  }
}
template <class T>
SINEW_INLINE void store_first(double* out, T a, int count) {
  if constexpr (lane_count<T> == 1) {
    *out = a;
  } else {
    for (int k = 0; k < count; ++k) out[k] = a[k];
  }
}

// Loads `count` numbers; the last one fills the remaining lanes.
template <class T>
SINEW_INLINE T load_first(const double* in, int count) {
  constexpr int w = lane_count<T>;
  if constexpr (w == 1) {
    return *in;
  } else {
    alignas(sizeof(T)) double all[w];
    for (int k = 0; k < w; ++k) all[k] = in[k < count ? k : count - 1];
    return load<T>(all);
  }
}

template <class T>
SINEW_INLINE Mat3<T> deformation_gradient(const TetRest<T>& rest, const Vec3d* x,
                                          const int32_t (*corner)[lane_count<T>], bool plane) {
  const Vec3<T> x0 = gather3<T>(x, corner[0]);
  Mat3<T> f = outer(gather3<T>(x, corner[1]) - x0, rest.gradient[0]) +
              outer(gather3<T>(x, corner[2]) - x0, rest.gradient[1]) +
              outer(gather3<T>(x, corner[3]) - x0, rest.gradient[2]);
  if (plane) f.c2 = {T{}, T{}, splat<T>(1)};
  return f;
}

// W elements from `e` on. The last group may be short: its last element fills the remaining lanes.
template <class T>
struct ElementGroup {
  int count;
  int32_t corner[4][lane_count<T>];
  TetRest<T> rest;
  T weight;  // rest volume times stiffness factor

  SINEW_INLINE ElementGroup(const Model& model, int32_t e, int32_t last, bool plane) {
    constexpr int w = lane_count<T>;
    count = last - e < w ? last - e : w;
    for (int k = 0; k < w; ++k) {
      const Tet& t = model.tets[e + (k < count ? k : count - 1)];
      for (int c = 0; c < 4; ++c) corner[c][k] = t[c];
    }
    const Vec3d* const x = model.rest.data();
    const Vec3<T> r0 = gather3<T>(x, corner[0]);
    rest =
        tet_rest<T>(gather3<T>(x, corner[1]) - r0, gather3<T>(x, corner[2]) - r0, gather3<T>(x, corner[3]) - r0, plane);
    weight = rest.volume;
    if (!model.stiffness_factor.empty()) weight = load_first<T>(model.stiffness_factor.data() + e, count) * rest.volume;
  }
};

// Adds damping by the rate of strain to the elastic terms; it depends on no material.
template <class T>
void add_strain_rate(const ElementTerms& terms, int32_t first, int32_t last) {
  constexpr int w = lane_count<T>;
  const bool plane = terms.block->plane();
  for (int32_t e = first; e < last; e += w) {
    const ElementGroup<T> group(*terms.model, e, last, plane);
    const auto viscous = StrainRate<T>::of(terms.block->material.lame, splat<T>(terms.damping_rate),
                                           deformation_gradient<T>(group.rest, terms.x_prev, group.corner, plane));
    const Mat3<T> motion = deformation_gradient<T>(group.rest, terms.x, group.corner, plane) - viscous.before;
    double* const energy = terms.energy + (e - first);
    store_first<T>(energy, load_first<T>(energy, group.count) + group.weight * viscous.energy(motion), group.count);
    if (!terms.gradient) continue;
    const Mat3<T> p = group.weight * viscous.stress(motion);
    const Vec3<T> at[3] = {p * group.rest.gradient[0], p * group.rest.gradient[1], p * group.rest.gradient[2]};
    const Vec3<T> forces[4] = {-(at[0] + at[1] + at[2]), at[0], at[1], at[2]};
    for (int c = 0; c < 4; ++c)
      add_to_corner<T>(terms.gradient + 4 * static_cast<int64_t>(e - first) + c, forces[c], group.count);
  }
}

template <class T, template <class> class Material>
void element_terms(const ElementTerms& terms, int32_t first, int32_t last) {
  constexpr int w = lane_count<T>;
  const Model& model = *terms.model;
  const auto coefficients = coefficients_of<Material>(terms.block->material);
  const auto material = coefficients.template as<T>();
  const T rest_energy = splat<T>(coefficients.energy(diagonal(1.0, 1.0, 1.0)));
  const bool damped = terms.damping_rate > 0, plane = terms.block->plane();
  const T rate = splat<T>(terms.damping_rate);

  for (int32_t e = first; e < last; e += w) {
    const ElementGroup<T> group(model, e, last, plane);
    const int count = group.count;
    const auto& corner = group.corner;
    const TetRest<T>& rest = group.rest;
    const Mat3<T> f = deformation_gradient<T>(rest, terms.x, corner, plane);
    const T weight = group.weight;
    store_first<T>(terms.energy + (e - first), weight * (material.energy(f) - rest_energy), count);
    store_first<T>(terms.det_f + (e - first), determinant(f), count);
    if (!terms.gradient) continue;

    const Vec3<T> g[4] = {-(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]), rest.gradient[0], rest.gradient[1],
                          rest.gradient[2]};
    const Mat3<T> p = material.stress(f);
    for (int c = 0; c < 4; ++c) {
      Vec3<T> force = weight * (p * g[c]);
      if (damped && model.damping_form == DampingForm::own_block) {
        const Vec3<T> moved = gather3<T>(terms.x, corner[c]) - gather3<T>(terms.x_prev, corner[c]);
        force += (weight * rate) * (material.vertex(f, g[c]).stiffness * moved);
      }
      store_corner<T>(terms.gradient + 4 * static_cast<int64_t>(e - first) + c, force, count);
    }
  }
}

}  // namespace sinew::element_kernel

namespace sinew {

// The entry point for one lane width. Included once per kernels_*.cpp, each compiled for its instruction set.
template <class Real, int W>
void element_entry(const ElementTerms& terms, int32_t first, int32_t last) {
  visit_formula(terms.block->material.kind, [&]<template <class> class Material>() {
    element_kernel::element_terms<Lane<Real, W>, Material>(terms, first, last);
  });
  if (terms.damping_rate > 0 && terms.model->damping_form == DampingForm::strain_rate)
    element_kernel::add_strain_rate<Lane<Real, W>>(terms, first, last);
}

}  // namespace sinew
