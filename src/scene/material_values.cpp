#include "scene/material_values.h"

#include <algorithm>

namespace sinew {
namespace {

const ParameterValue* find(const SceneMaterial& material, std::string_view name) {
  const auto at = std::find_if(material.parameters.begin(), material.parameters.end(),
                               [&](const ParameterValue& p) { return p.name == name; });
  return at == material.parameters.end() ? nullptr : &*at;
}

}  // namespace

const std::vector<std::string_view>& material_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (int k = 0; k < material_count; ++k) list.push_back(traits_of(MaterialKind(k)).name);
    return list;
  }();
  return names;
}

std::vector<std::vector<std::string_view>> parameter_groups(MaterialKind kind) {
  std::vector<std::vector<std::string_view>> groups;
  for (const MaterialForm& form : material_forms(kind)) {
    groups.emplace_back();
    for (const MaterialParameter& p : form.parameters) {
      groups.back().push_back(p.name);
      if (!p.alias.empty()) groups.back().push_back(p.alias);
    }
  }
  return groups;
}

std::string parameter_list(MaterialKind kind) {
  std::string text;
  for (const MaterialForm& form : material_forms(kind)) {
    if (!text.empty()) text += ", or ";
    for (size_t k = 0; k < form.parameters.size(); ++k) {
      if (k > 0) text += k + 1 < form.parameters.size() ? ", " : " and ";
      text += form.parameters[k].name;
    }
  }
  return text;
}

size_t form_given(const std::vector<MaterialForm>& forms, const SceneMaterial& material) {
  for (const ParameterValue& given : material.parameters) {
    for (size_t k = 0; k < forms.size(); ++k) {
      const auto& list = forms[k].parameters;
      if (std::any_of(list.begin(), list.end(), [&](const MaterialParameter& p) { return p.name == given.name; }))
        return k;
    }
  }
  return 0;
}

std::vector<double> values_of(const MaterialForm& form, const SceneMaterial& material) {
  std::vector<double> values;
  for (const MaterialParameter& p : form.parameters) {
    const ParameterValue* given = find(material, p.name);
    values.push_back(given ? given->value : p.default_value.value_or(0));
  }
  return values;
}

std::optional<double> value_of(const SceneMaterial& material, std::string_view parameter) {
  const std::optional<MaterialKind> kind = material_named(material.model);
  if (!kind) return std::nullopt;
  const std::vector<MaterialForm>& forms = material_forms(*kind);
  for (const MaterialParameter& p : forms[form_given(forms, material)].parameters) {
    if (p.name != parameter) continue;
    const ParameterValue* given = find(material, parameter);
    return given ? given->value : p.default_value;
  }
  return std::nullopt;
}

ElasticMaterial elastic_material(const SceneMaterial& material, int dimension) {
  const MaterialKind kind = material_named(material.model).value_or(MaterialKind{});
  const std::vector<MaterialForm>& forms = material_forms(kind);
  const MaterialForm& form = forms[form_given(forms, material)];
  return elastic_material(kind, form.moduli(values_of(form, material)), dimension);
}

}  // namespace sinew
