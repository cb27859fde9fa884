// Computes the elastic terms of W elements at once, in registers.
#pragma once

#include "element/element.h"
#include "element/strain_rate.h"
#include "material/materials.h"
#include "objective/element_terms.h"
#include "objective/lane_rows.h"
#include "objective/quadratic_kernel.h"

namespace sinew::element_kernel {

// W elements of a kind from `e` on. The last group may be short: its last element fills the remaining lanes.
template <class T, class Element>
struct ElementGroup {
  static constexpr int corners = Element::traits.corners;
  int count;
  int32_t corner[corners][lane_count<T>];
  Vec3<T> gradient[corners];
  T weight;  // rest volume times stiffness factor

  SINEW_INLINE ElementGroup(const ElementArrays& elements, int32_t e, int32_t last) {
    constexpr int w = lane_count<T>;
    count = last - e < w ? last - e : w;
    for (int k = 0; k < w; ++k) {
      const Tet& t = elements.tets[e + (k < count ? k : count - 1)];
      for (int c = 0; c < corners; ++c) corner[c][k] = t[c];
    }
    Vec3<T> x[corners];
    for (int c = 0; c < corners; ++c) x[c] = gather3<T>(elements.rest, corner[c]);
    const RestShape<T> rest = Element::template rest<T>(x);
    gradient[0] = -(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]);
    for (int c = 1; c < corners; ++c) gradient[c] = rest.gradient[c - 1];
    weight = rest.volume;
    if (elements.stiffness_factor) weight = load_first<T>(elements.stiffness_factor + e, count) * rest.volume;
  }

  SINEW_INLINE Mat3<T> deformation_gradient(const Vec3d* x) const {
    const Vec3<T> x0 = gather3<T>(x, corner[0]);
    Mat3<T> f = outer(gather3<T>(x, corner[1]) - x0, gradient[1]);
    for (int c = 2; c < corners; ++c) f = f + outer(gather3<T>(x, corner[c]) - x0, gradient[c]);
    if constexpr (Element::traits.plane()) f.c2 = {T{}, T{}, splat<T>(1)};
    return f;
  }
};

// Adds damping by the rate of strain to the elastic terms; it depends on no material.
template <class T, class Element>
SINEW_HOST_DEVICE void add_strain_rate(const ElementTerms& terms, int32_t first, int32_t last) {
  constexpr int w = lane_count<T>;
  for (int32_t e = first; e < last; e += w) {
    const ElementGroup<T, Element> group(terms.elements, e, last);
    const auto viscous = StrainRate<T>::of(terms.block->material.lame, splat<T>(terms.damping_rate),
                                           group.deformation_gradient(terms.x_prev));
    const Mat3<T> motion = group.deformation_gradient(terms.x) - viscous.before;
    double* const energy = terms.energy + (e - first);
    store_first<T>(energy, load_first<T>(energy, group.count) + group.weight * viscous.energy(motion), group.count);
    if (!terms.gradient) continue;
    const Mat3<T> p = group.weight * viscous.stress(motion);
    Vec3<T> sum{};
    for (int c = 1; c < group.corners; ++c) {
      const Vec3<T> force = p * group.gradient[c];
      sum += force;
      add_to_row<T, most_corners>(terms.gradient + most_corners * static_cast<int64_t>(e - first) + c, force,
                                  group.count);
    }
    add_to_row<T, most_corners>(terms.gradient + most_corners * static_cast<int64_t>(e - first), -sum, group.count);
  }
}

template <class T, class Element, template <class> class Material>
SINEW_HOST_DEVICE void element_terms(const ElementTerms& terms, int32_t first, int32_t last) {
  constexpr int w = lane_count<T>;
  const auto coefficients = coefficients_of<Material>(terms.block->material);
  const auto material = coefficients.template as<T>();
  const T rest_energy = splat<T>(coefficients.energy(diagonal(1.0, 1.0, 1.0)));
  const bool damped = terms.damping_rate > 0;
  const T rate = splat<T>(terms.damping_rate);

  for (int32_t e = first; e < last; e += w) {
    const ElementGroup<T, Element> group(terms.elements, e, last);
    const int count = group.count;
    const auto& corner = group.corner;
    const Mat3<T> f = group.deformation_gradient(terms.x);
    const T weight = group.weight;
    store_first<T>(terms.energy + (e - first), weight * (material.energy(f) - rest_energy), count);
    store_first<T>(terms.det_f + (e - first), determinant(f), count);
    if (!terms.gradient) continue;

    const auto& g = group.gradient;
    const Mat3<T> p = material.stress(f);
    for (int c = 0; c < group.corners; ++c) {
      Vec3<T> force = weight * (p * g[c]);
      if (damped && terms.elements.damping_form == DampingForm::own_block) {
        const Vec3<T> moved = gather3<T>(terms.x, corner[c]) - gather3<T>(terms.x_prev, corner[c]);
        force += (weight * rate) * (material.vertex(f, g[c]).stiffness * moved);
      }
      store_row<T, most_corners>(terms.gradient + most_corners * static_cast<int64_t>(e - first) + c, force, count);
    }
  }
}

// Of linear elements.
template <class T, class Element>
SINEW_HOST_DEVICE void linear_terms(const ElementTerms& terms, int32_t first, int32_t last) {
  visit_formula(terms.block->material.kind,
                [&]<template <class> class Material>() { element_terms<T, Element, Material>(terms, first, last); });
  if (terms.damping_rate > 0 && terms.elements.damping_form == DampingForm::strain_rate)
    add_strain_rate<T, Element>(terms, first, last);
}

}  // namespace sinew::element_kernel

namespace sinew {

// The entry point for one lane width. Included once per kernels_*.cpp, each compiled for its instruction set.
template <class Real, int W>
void element_entry(const ElementTerms& terms, int32_t first, int32_t last) {
  using T = Lane<Real, W>;
  visit_element(terms.block->element, [&]<class Element>() {
    if constexpr (Element::traits.quadratic()) {
      visit_formula(terms.block->material.kind, [&]<template <class> class Material>() {
        element_kernel::quadratic_terms<T, Material>(terms, first, last);
      });
    } else {
      element_kernel::linear_terms<T, Element>(terms, first, last);
    }
  });
}

}  // namespace sinew
