// Instantiates every kernel for one width. Included once per kernels_*.cpp, each compiled for its instruction set.
#pragma once

#include "solver/constraint_kernel.h"
#include "solver/fp_kernel.h"
#include "solver/sweep.h"
#include "solver/vertex_kernel.h"

namespace sinew {

template <class Real, int W>
void vertex_entry(const VertexSweep<Real>& sweep, int64_t first, int64_t last) {
  vertex_kernel::sweep_batches<Lane<Real, W>>(sweep, first, last);
}

template <class Real, int W>
void constraint_entry(const ConstraintSweep<Real>& sweep, int64_t first, int64_t last) {
  visit_material(sweep.block->block.material, [&]<template <class> class Material>() {
    if constexpr (Material<double>::constraint_count > 0) {
      if (sweep.block->stiffness_factors.empty()) {
        constraint_kernel::sweep_batches<Lane<Real, W>, Material, false>(sweep, first, last);
      } else {
        constraint_kernel::sweep_batches<Lane<Real, W>, Material, true>(sweep, first, last);
      }
    }
  });
}

template <class Real, int W>
void stress_entry(const StressSweep<Real>& sweep, int64_t first, int64_t last) {
  visit_material(sweep.block->block.material, [&]<template <class> class Material>() {
    if (sweep.block->stiffness_factors.empty()) {
      fp_kernel::sweep_batches<Lane<Real, W>, Material, false>(sweep, first, last);
    } else {
      fp_kernel::sweep_batches<Lane<Real, W>, Material, true>(sweep, first, last);
    }
  });
}

template <int float_lanes, int double_lanes>
constexpr Kernels kernel_table(const char* name) {
  return {name,
          float_lanes,
          double_lanes,
          vertex_entry<float, float_lanes>,
          vertex_entry<double, double_lanes>,
          constraint_entry<float, float_lanes>,
          constraint_entry<double, double_lanes>,
          stress_entry<float, float_lanes>,
          stress_entry<double, double_lanes>};
}

}  // namespace sinew
