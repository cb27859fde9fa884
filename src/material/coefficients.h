// From an ElasticMaterial to the coefficients of its type, which the caller names: for code that is compiled for one
// material. materials.h finds the type.
#pragma once

#include <cstring>
#include <type_traits>

#include "material/elastic_material.h"
#include "material/material.h"

namespace sinew {

// Calls visitor.template operator()<F>() with the template that computes a material: materials of one formula share
// its kernels.
template <template <class> class Material, class Visitor>
SINEW_INLINE constexpr decltype(auto) visit_formula_of(Visitor&& visitor) {
  if constexpr (requires { Material<double>::visit_formula(visitor); }) {
    return Material<double>::visit_formula(visitor);
  } else {
    return visitor.template operator()<Material>();
  }
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
