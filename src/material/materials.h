// Every material's formula, and the way from a kind to the type: for kernels and what else evaluates materials. All
// others need material_kind.h or elastic_material.h.
#pragma once

#include <cstring>
#include <type_traits>

#include "material/elastic_material.h"
#include "material/every_material.h"
#include "material/material.h"

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

template <template <class> class Material, class Visitor>
SINEW_INLINE decltype(auto) visit_formula_of(Visitor&& visitor) {
  if constexpr (requires { Material<double>::visit_formula(visitor); }) {
    return Material<double>::visit_formula(visitor);
  } else {
    return visitor.template operator()<Material>();
  }
}
// The same with the template that computes it: materials of one formula share its kernels.
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

// The coefficients of a material, or of its formula. `material` must be of this kind.
template <template <class> class Material>
SINEW_INLINE Material<double> coefficients_of(const ElasticMaterial& material) {
  static_assert(std::is_trivially_copyable_v<Material<double>>);
  static_assert(sizeof(Material<double>) <= sizeof(material.coefficients), "raise most_coefficients");
  Material<double> result;
  std::memcpy(static_cast<void*>(&result), material.coefficients.data(), sizeof result);
  return result;
}

}  // namespace sinew
