// Every material's formula, and the way from a kind to the type: for kernels and what else evaluates materials. All
// others need material_kind.h or elastic_material.h.
#pragma once

#include "material/coefficients.h"
#include "material/every_material.h"

namespace sinew {

// Calls visitor.template operator()<Material>() with the class template of the kind: Material<T> for any lane type T.
template <class Visitor>
SINEW_INLINE decltype(auto) visit_material(MaterialKind kind, Visitor&& visitor) {
  switch (kind) {
#define SINEW_MATERIAL(Type, file) \
  case MaterialKind::Type:         \
    return visitor.template operator()<Type>();
#include "material/materials.def"
#undef SINEW_MATERIAL
  }
  __builtin_unreachable();
}

// The same with the template that computes it.
template <class Visitor>
SINEW_INLINE decltype(auto) visit_formula(MaterialKind kind, Visitor&& visitor) {
  switch (kind) {
#define SINEW_MATERIAL(Type, file) \
  case MaterialKind::Type:         \
    return visit_formula_of<Type>(visitor);
#include "material/materials.def"
#undef SINEW_MATERIAL
  }
  __builtin_unreachable();
}

}  // namespace sinew
