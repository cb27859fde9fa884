// The list of materials, and the way from a name or an id to the type.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "material/fixed_corotated.h"
#include "material/linear_elastic.h"
#include "material/neo_hookean.h"
#include "material/stable_neo_hookean.h"
#include "material/stvk.h"

namespace sinew {

enum class MaterialKind : int32_t {
#define SINEW_MATERIAL(Type) Type,
#include "material/materials.def"
#undef SINEW_MATERIAL
};

inline constexpr int material_count = 0
#define SINEW_MATERIAL(Type) +1
#include "material/materials.def"
#undef SINEW_MATERIAL
    ;

// Calls visitor.template operator()<Material>() with the class template of the kind: Material<T> for any lane type T.
template <class Visitor>
SINEW_INLINE decltype(auto) visit_material(MaterialKind kind, Visitor&& visitor) {
  switch (kind) {
#define SINEW_MATERIAL(Type) \
  case MaterialKind::Type:   \
    return visitor.template operator()<Type>();
#include "material/materials.def"
#undef SINEW_MATERIAL
  }
  __builtin_unreachable();
}

// What dispatch and the command line need to know without the type.
struct MaterialTraits {
  const char* name;
  const char* summary;
  bool isotropic;
  bool rotation_invariant;
  bool zero_at_rest;
  int constraint_count;
  bool strain_constraint;
};
inline MaterialTraits traits_of(MaterialKind kind) {
  return visit_material(kind, []<template <class> class M>() {
    using D = M<double>;
    return MaterialTraits{D::name,
                          D::summary,
                          D::isotropic,
                          D::rotation_invariant,
                          D::zero_at_rest,
                          D::constraint_count,
                          has_strain_constraint<M>};
  });
}
inline std::optional<MaterialKind> material_named(std::string_view name) {
  for (int k = 0; k < material_count; ++k) {
    if (name == traits_of(MaterialKind(k)).name) return MaterialKind(k);
  }
  return std::nullopt;
}

}  // namespace sinew
