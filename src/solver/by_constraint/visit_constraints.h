// From a material's kind to the type that has its constraints.
#pragma once

#include <algorithm>

#include "material/materials.h"
#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/energy_root.h"

namespace sinew {

// Of a tet, the most scalar ones that a material has.
inline constexpr int most_constraints = std::max({0
#define SINEW_MATERIAL(Type, file) , Type<double>::constraint_count
#include "material/materials.def"
#undef SINEW_MATERIAL
});

// visitor.template operator()<M>() with what has the constraints of the material; not at all if it has none.
template <ConstraintForm form, class Visitor>
void visit_constraints(MaterialKind kind, const Visitor& visitor) {
  visit_formula(kind, [&]<template <class> class Material>() {
    if constexpr (form == ConstraintForm::energy_root) {
      if constexpr (has_energy_root<Material>) visitor.template operator()<EnergyRoot<Material>::template Type>();
    } else if constexpr (multiplier_count<Material> > 0) {
      visitor.template operator()<Material>();
    }
  });
}

}  // namespace sinew
