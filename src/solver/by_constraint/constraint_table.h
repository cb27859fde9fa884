// The sweeps by constraint for one material, precision and lane width. The build writes a source for each material and
// instruction set that instantiates its tables (cmake/kernel_sources.cmake).
#pragma once

#include "material/coefficients.h"
#include "solver/by_constraint/blended_rule.h"
#include "solver/by_constraint/compliant_rule.h"
#include "solver/by_constraint/constraint_kernel.h"
#include "solver/by_constraint/embedded_kernel.h"
#include "solver/by_constraint/energy_root.h"
#include "solver/by_constraint/fp_kernel.h"
#include "solver/by_constraint/multiplier_kernel.h"
#include "solver/by_constraint/quadratic_constraint_kernel.h"
#include "solver/by_constraint/rigid_rule.h"
#include "solver/kernel_table.h"
#include "solver/sweep.h"

namespace sinew {

// This and the next come twice: blocks without stiffness factors, of tets alone, take up to a twentieth less time by
// themselves.
template <class T, template <class> class Material, class Rule>
void sweep_block(const typename Rule::Sweep& sweep, int64_t first, int64_t last) {
  if (sweep.block->stiffness_factors.empty()) {
    constraint_kernel::sweep_batches<T, Material, false, Rule>(sweep, first, last);
  } else {
    constraint_kernel::sweep_batches<T, Material, true, Rule>(sweep, first, last);
  }
}

template <class T, template <class> class Material>
void sweep_stresses(const StressSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  if (sweep.block->stiffness_factors.empty()) {
    fp_kernel::sweep_batches<T, Material, false>(sweep, first, last);
  } else {
    fp_kernel::sweep_batches<T, Material, true>(sweep, first, last);
  }
}

template <class T, template <class> class Material>
constexpr ConstraintKernels<ScalarOf<T>> constraint_kernels_of_formula() {
  using namespace constraint_kernel;
  ConstraintKernels<ScalarOf<T>> k;
  if constexpr (multiplier_count < Material >> 0) {
    k.compliant_on_grid = sweep_on_grid<T, Material, CompliantRule<T, ConstraintSweep>>;
    k.compliant = sweep_block<T, Material, CompliantRule<T, ConstraintSweep>>;
    k.at_once = sweep_batches<T, Material, true, CompliantRule<T, AtOnceSweep>>;
    k.multiplier = multiplier_kernel::add_impulses<T, Material>;
    k.quadratic = &quadratic_constraint_kernel::kernels<T, Material>;
  }
  if constexpr (Material<double>::constraint_count > 0) {
    k.blended = sweep_block<T, Material, BlendedRule<T>>;
    k.blended_on_grid = sweep_on_grid<T, Material, BlendedRule<T>>;
    if constexpr (Material<double>::zero_at_rest) k.rigid = sweep_batches<T, Material, true, RigidRule<T>>;
  }
  if constexpr (has_energy_root<Material>)
    k.energy_root = sweep_batches<T, EnergyRoot<Material>::template Type, true, CompliantRule<T, EnergyRootSweep>>;
  k.stress = sweep_stresses<T, Material>;
  k.stress_impulses = fp_kernel::add_impulses<T, Material>;
  return k;
}

template <template <class> class Material, class Real, int W>
constinit const ConstraintKernels<Real> ConstraintTable<Material, Real, W>::kernels = visit_formula_of<Material>(
    []<template <class> class Formula>() { return constraint_kernels_of_formula<Lane<Real, W>, Formula>(); });

}  // namespace sinew
