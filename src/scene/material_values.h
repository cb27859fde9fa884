// A material's parameters as a scene gives them, completed with their defaults.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "material/material_forms.h"
#include "sinew/scene.h"

namespace sinew {

// The names of all material models.
const std::vector<std::string_view>& material_names();

// Of each form the names of its parameters, second spellings included.
std::vector<std::vector<std::string_view>> parameter_groups(MaterialKind kind);
// For a sentence: "c10, c01 and bulk_modulus", or "youngs_modulus and poisson_ratio, or mu and lambda".
std::string parameter_list(MaterialKind kind);

// The form that the material's parameters belong to, by its index in material_forms: that of the first given one that
// has one, or else the first.
size_t form_given(const std::vector<MaterialForm>& forms, const SceneMaterial& material);

// In the order of form.parameters; required ones that are missing are 0.
std::vector<double> values_of(const MaterialForm& form, const SceneMaterial& material);

// Of a material without faults; nothing if its form does not have the parameter.
std::optional<double> value_of(const SceneMaterial& material, std::string_view parameter);

// Of a material without faults. `dimension` is 2 for plane strain.
ElasticMaterial elastic_material(const SceneMaterial& material, int dimension = 3);

}  // namespace sinew
