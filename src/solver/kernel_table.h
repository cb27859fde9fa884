// Instantiates every kernel for one lane width. Included once by each kernels_*.cpp, which are compiled for different
// instruction sets.
#pragma once

#include "solver/by_constraint/blended_rule.h"
#include "solver/by_constraint/compliant_rule.h"
#include "solver/by_constraint/constraint_kernel.h"
#include "solver/by_constraint/energy_root.h"
#include "solver/by_constraint/fp_kernel.h"
#include "solver/by_constraint/multiplier_kernel.h"
#include "solver/by_constraint/rigid_rule.h"
#include "solver/by_vertex/vertex_kernel.h"
#include "solver/multilevel/lattice_kernel.h"
#include "solver/sweep.h"

namespace sinew {

template <class Real, int W>
void vertex_entry(const VertexSweep<Real>& sweep, int64_t first, int64_t last) {
  if (sweep.residual) {
    vertex_kernel::sweep_batches<Lane<Real, W>, true>(sweep, first, last);
  } else {
    vertex_kernel::sweep_batches<Lane<Real, W>, false>(sweep, first, last);
  }
}

template <class Real, int W>
void ties_entry(const VertexSweep<Real>& sweep, int64_t first, int64_t last) {
  tie_kernel::sum_packs<Lane<Real, W>>(sweep, first, last);
}

template <class T, template <class> class Material, class Rule>
void sweep_block(const typename Rule::Sweep& sweep, int64_t first, int64_t last) {
  if (sweep.block->stiffness_factors.empty()) {
    constraint_kernel::sweep_batches<T, Material, false, Rule>(sweep, first, last);
  } else {
    constraint_kernel::sweep_batches<T, Material, true, Rule>(sweep, first, last);
  }
}

// XPBD's rule, for all materials with a constraint form or a strain constraint.
template <template <class> class Sweep, class Real, int W>
void compliant_entry(const Sweep<Real>& sweep, int64_t first, int64_t last) {
  using T = Lane<Real, W>;
  visit_formula(sweep.block->block.material.kind, [&]<template <class> class Material>() {
    if constexpr (multiplier_count < Material >> 0) {
      sweep_block<T, Material, constraint_kernel::CompliantRule<T, Sweep>>(sweep, first, last);
    }
  });
}

// Scalar constraints only.
template <class Real, int W>
void blended_entry(const BlendedSweep<Real>& sweep, int64_t first, int64_t last) {
  using T = Lane<Real, W>;
  visit_formula(sweep.block->block.material.kind, [&]<template <class> class Material>() {
    if constexpr (Material<double>::constraint_count > 0) {
      sweep_block<T, Material, constraint_kernel::BlendedRule<T>>(sweep, first, last);
    }
  });
}

// Only constraints that vanish at rest.
template <class Real, int W>
void rigid_entry(const RigidSweep<Real>& sweep, int64_t first, int64_t last) {
  using T = Lane<Real, W>;
  visit_formula(sweep.block->block.material.kind, [&]<template <class> class Material>() {
    if constexpr (Material<double>::constraint_count > 0 && Material<double>::zero_at_rest) {
      sweep_block<T, Material, constraint_kernel::RigidRule<T>>(sweep, first, last);
    }
  });
}

// The root of the energy as the only constraint.
template <class Real, int W>
void energy_root_entry(const EnergyRootSweep<Real>& sweep, int64_t first, int64_t last) {
  using T = Lane<Real, W>;
  visit_formula(sweep.block->block.material.kind, [&]<template <class> class Material>() {
    if constexpr (has_energy_root<Material>) {
      sweep_block<T, EnergyRoot<Material>::template Type, constraint_kernel::CompliantRule<T>>(sweep, first, last);
    }
  });
}

template <class Real, int W>
void multiplier_entry(const MultiplierSweep<Real>& sweep, int64_t first, int64_t last) {
  visit_formula(sweep.block->block.material.kind, [&]<template <class> class Material>() {
    if constexpr (multiplier_count < Material >> 0) {
      multiplier_kernel::add_impulses<Lane<Real, W>, Material>(sweep, first, last);
    }
  });
}

template <class Real, int W>
void stress_entry(const StressSweep<Real>& sweep, int64_t first, int64_t last) {
  visit_formula(sweep.block->block.material.kind, [&]<template <class> class Material>() {
    if (sweep.block->stiffness_factors.empty()) {
      fp_kernel::sweep_batches<Lane<Real, W>, Material, false>(sweep, first, last);
    } else {
      fp_kernel::sweep_batches<Lane<Real, W>, Material, true>(sweep, first, last);
    }
  });
}

template <class Real, int W>
void stress_impulses_entry(const StressSweep<Real>& sweep, int64_t first, int64_t last) {
  visit_formula(sweep.block->block.material.kind, [&]<template <class> class Material>() {
    if (sweep.block->stiffness_factors.empty()) {
      fp_kernel::add_impulses<Lane<Real, W>, Material, false>(sweep, first, last);
    } else {
      fp_kernel::add_impulses<Lane<Real, W>, Material, true>(sweep, first, last);
    }
  });
}

template <int float_lanes, int double_lanes>
constexpr Kernels kernel_table(const char* name) {
  return {
      .name = name,
      .float_lanes = float_lanes,
      .double_lanes = double_lanes,
      .ties_float = ties_entry<float, float_lanes>,
      .ties_double = ties_entry<double, double_lanes>,
      .vertex_float = vertex_entry<float, float_lanes>,
      .vertex_double = vertex_entry<double, double_lanes>,
      .compliant = {compliant_entry<ConstraintSweep, float, float_lanes>,
                    compliant_entry<ConstraintSweep, double, double_lanes>},
      .at_once = {compliant_entry<AtOnceSweep, float, float_lanes>, compliant_entry<AtOnceSweep, double, double_lanes>},
      .blended = {blended_entry<float, float_lanes>, blended_entry<double, double_lanes>},
      .rigid = {rigid_entry<float, float_lanes>, rigid_entry<double, double_lanes>},
      .energy_root = {energy_root_entry<float, float_lanes>, energy_root_entry<double, double_lanes>},
      .multiplier = {multiplier_entry<float, float_lanes>, multiplier_entry<double, double_lanes>},
      .stress = {stress_entry<float, float_lanes>, stress_entry<double, double_lanes>},
      .stress_impulses = {stress_impulses_entry<float, float_lanes>, stress_impulses_entry<double, double_lanes>},
      .lattice = lattice_kernel::lattice_kernels<float_lanes>()};
}

}  // namespace sinew
