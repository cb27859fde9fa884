// What a scene may say of each material, without the material's type: its parameters, with units, ranges and defaults.
// Parsing, checking, writing, the schema, the reference page and `sinew materials` loop over these.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/parameters.h"
#include "base/result.h"
#include "material/elastic_material.h"

namespace sinew {

struct MaterialParameter {
  std::string_view name, unit;
  Range range;
  std::string_view meaning;
  std::string_view alias;               // a second spelling; empty: none
  std::string_view remedy;              // advice when the value is out of range; empty: none
  std::optional<double> default_value;  // none: required
};

// One set of parameters that determines a material. Values come in the order of `parameters`.
struct MaterialForm {
  std::vector<MaterialParameter> parameters;
  MaterialModuli (*moduli)(std::span<const double> values);
  // What is wrong between parameters that are each in range: `where` is the name of one; `what` is empty if nothing is.
  Error (*fault)(std::span<const double> values);
};

// The forms of a material, of which a scene uses one; the first if it gives no parameter. No two share a name.
const std::vector<MaterialForm>& material_forms(MaterialKind kind);

}  // namespace sinew
