// Instantiates the sweeps by constraint of every formula; for constraint_*.cu alone. Materials of one formula share its
// kernels, which explicit instantiations by material would instantiate twice.
#pragma once

#include "cuda/constraint_sweep.h"
#include "cuda/launch.cuh"
#include "material/materials.h"

namespace sinew {

// The addresses of the launches, so that these are compiled.
template <class Real>
void constraint_launches(const void** addresses) {
  const auto keep = [&]<template <class> class Material>() {
    if constexpr (multiplier_count < Material >> 0) {
      *addresses++ = reinterpret_cast<const void*>(&launch_on_card<SweepTets<Real, Material>>);
      *addresses++ = reinterpret_cast<const void*>(&launch_on_card<ChangeTets<Real, Material>>);
      *addresses++ = reinterpret_cast<const void*>(&launch_on_card<FollowMultipliers<Real, Material>>);
    }
  };
#define SINEW_MATERIAL(Type, file) visit_formula_of<Type>(keep);
#include "material/materials.def"
#undef SINEW_MATERIAL
}

}  // namespace sinew
