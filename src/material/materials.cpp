#include "material/materials.h"

#include "material/material_forms.h"
#include "material/material_kind.h"

namespace sinew {
namespace {

template <class Struct>
Struct from_numbers(const MaterialModuli& numbers) {
  static_assert(sizeof(Struct) <= sizeof numbers && std::is_trivially_copyable_v<Struct>, "raise most_moduli");
  Struct result{};
  std::memcpy(static_cast<void*>(&result), numbers.data(), sizeof result);
  return result;
}
template <class Array, class Struct>
Array numbers_of(const Struct& values) {
  Array numbers{};
  static_assert(sizeof values <= sizeof numbers && std::is_trivially_copyable_v<Struct>);
  std::memcpy(numbers.data(), &values, sizeof values);
  return numbers;
}

template <template <class> class M>
MaterialTraits traits() {
  using D = M<double>;
  // clang-format off
  constexpr bool softens = requires { D::softens; }, links = requires { D::links; };
  // clang-format on
  return {D::name,
          D::summary,
          D::isotropic,
          D::rotation_invariant,
          D::zero_at_rest,
          D::constraint_count,
          has_strain_constraint<M>,
          multiplier_count<M>,
          softens,
          links};
}

template <class Form>
Form form_of(std::span<const double> values) {
  Form form;
  size_t k = 0;
  for (const Parameter<Form>& p : Form::parameters()) form.**std::get_if<double Form::*>(&p.member) = values[k++];
  return form;
}
template <class Form>
MaterialForm erased() {
  MaterialForm result;
  const Form defaults{};
  for (const Parameter<Form>& p : Form::parameters()) {
    const double own = defaults.**std::get_if<double Form::*>(&p.member);
    result.parameters.push_back({p.name, p.unit, p.range, p.meaning, p.alias, p.remedy,
                                 p.required ? std::nullopt : std::optional<double>(own)});
  }
  result.moduli = [](std::span<const double> values) {
    return numbers_of<MaterialModuli>(form_of<Form>(values).moduli());
  };
  result.fault = [](std::span<const double> values) {
    if constexpr (requires(const Form& form) { form.fault(); }) return form_of<Form>(values).fault();
    return Error{};
  };
  return result;
}
template <class... Form>
std::vector<MaterialForm> erased(FormList<Form...>) {
  return {erased<Form>()...};
}

}  // namespace

const MaterialTraits& traits_of(MaterialKind kind) {
  static const MaterialTraits list[] = {
#define SINEW_MATERIAL(Type, file) traits<Type>(),
#include "material/materials.def"
#undef SINEW_MATERIAL
  };
  return list[static_cast<size_t>(kind)];
}

std::optional<MaterialKind> material_named(std::string_view name) {
  for (int k = 0; k < material_count; ++k) {
    if (name == traits_of(MaterialKind(k)).name) return MaterialKind(k);
  }
  return std::nullopt;
}

const std::vector<MaterialForm>& material_forms(MaterialKind kind) {
  static const std::vector<MaterialForm> list[] = {
#define SINEW_MATERIAL(Type, file) erased(Type<double>::Forms{}),
#include "material/materials.def"
#undef SINEW_MATERIAL
  };
  return list[static_cast<size_t>(kind)];
}

ElasticMaterial elastic_material(MaterialKind kind, const MaterialModuli& moduli, int dimension) {
  return visit_material(kind, [&]<template <class> class M>() {
    const auto own = from_numbers<typename M<double>::Moduli>(moduli);
    ElasticMaterial result;
    result.kind = kind;
    result.moduli = moduli;
    result.coefficients = numbers_of<decltype(result.coefficients)>(M<double>::from(own, dimension));
    result.lame = own.lame();
    result.lame.dimension = dimension;
    return result;
  });
}

ElasticMaterial elastic_material(MaterialKind kind, const Lame& lame) {
  const MaterialModuli moduli = visit_material(
      kind, [&]<template <class> class M>() { return numbers_of<MaterialModuli>(M<double>::Moduli::of(lame)); });
  return elastic_material(kind, moduli, lame.dimension);
}

ElasticMaterial with_lambda(const ElasticMaterial& material, double lambda) {
  const MaterialModuli moduli = visit_material(material.kind, [&]<template <class> class M>() {
    const auto own = from_numbers<typename M<double>::Moduli>(material.moduli);
    return numbers_of<MaterialModuli>(own.with_lambda(lambda));
  });
  return elastic_material(material.kind, moduli, material.lame.dimension);
}

ElasticMaterial scaled(const ElasticMaterial& material, double factor) {
  MaterialModuli moduli = material.moduli;
  for (double& m : moduli) m *= factor;
  return elastic_material(material.kind, moduli, material.lame.dimension);
}

}  // namespace sinew
