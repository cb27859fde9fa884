// A material with its parameters, ready for use: what a block of elements is made of.
#pragma once

#include <array>

#include "material/lame.h"
#include "material/material_kind.h"

namespace sinew {

inline constexpr int most_moduli = 4, most_coefficients = 6;

// A material's Moduli (material/material.h) without their type; those it does not have are 0.
using MaterialModuli = std::array<double, most_moduli>;

struct ElasticMaterial {
  MaterialKind kind{};
  MaterialModuli moduli{};                               // [Pa]
  std::array<double, most_coefficients> coefficients{};  // of its formula, computed from the moduli once
  Lame lame{};                                           // its tangent at rest; in two dimensions for plane strain
};

// `dimension` is 2 for plane strain.
ElasticMaterial elastic_material(MaterialKind kind, const MaterialModuli& moduli, int dimension = 3);
// The one whose tangent at rest is linear elasticity with these parameters. Where that leaves a choice (Mooney-Rivlin),
// it is the material's.
ElasticMaterial elastic_material(MaterialKind kind, const Lame& lame);
// The same material with another lambda [Pa], of a positive bulk modulus.
ElasticMaterial with_lambda(const ElasticMaterial& material, double lambda);
// With `factor` times the energy and the stress.
ElasticMaterial scaled(const ElasticMaterial& material, double factor);

}  // namespace sinew
