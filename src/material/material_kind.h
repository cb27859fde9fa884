// The list of materials without their formulas: what everything but the kernels needs to know of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinew {

enum class MaterialKind : int32_t {
#define SINEW_MATERIAL(Type, file) Type,
#include "material/materials.def"
#undef SINEW_MATERIAL
};

inline constexpr int material_count = 0
#define SINEW_MATERIAL(Type, file) +1
#include "material/materials.def"
#undef SINEW_MATERIAL
    ;

// As each material declares them (material/material.h).
struct MaterialTraits {
  const char* name;
  const char* summary;
  bool isotropic;
  bool rotation_invariant;
  bool zero_at_rest;
  int constraint_count;
  bool strain_constraint;
  int multiplier_count;  // of a tet: its constraints, or the six numbers of the strain
  bool softens;          // under compression its force falls, and it gives way
  bool links;            // undamped, sweeps by vertex can store it as links

  // Its constraints balance each other at rest; each alone exerts a stress.
  bool stressed_at_rest() const { return constraint_count > 0 && !zero_at_rest; }
  // Its energy may be the only constraint: it vanishes at rest and does not depend on the rest frame.
  bool energy_root() const { return zero_at_rest && isotropic; }
};
const MaterialTraits& traits_of(MaterialKind kind);

std::optional<MaterialKind> material_named(std::string_view name);

}  // namespace sinew
