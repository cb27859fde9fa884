#include "sinew/lists.h"

#include "accel/accelerator_list.h"
#include "base/nearest.h"
#include "base/option_table.h"
#include "linear/linear_solvers.h"
#include "material/material_forms.h"
#include "material/material_kind.h"
#include "scene/outline.h"
#include "solver/solver_list.h"

namespace sinew {
namespace {

NumberRange published(const Range& r) {
  return {r.low, r.high, r.low_open, r.high_open};
}

ParameterInfo published(const Option& o) {
  constexpr ParameterInfo::Kind kinds[] = {ParameterInfo::Kind::number, ParameterInfo::Kind::whole,
                                           ParameterInfo::Kind::toggle, ParameterInfo::Kind::choice};
  return {std::string(o.name), std::string(o.meaning), kinds[static_cast<size_t>(o.kind)],
          std::string(o.unit), published(o.range),     {o.choices.begin(), o.choices.end()},
          o.default_value};
}
std::vector<ParameterInfo> published(const OptionTable& options) {
  std::vector<ParameterInfo> all;
  for (const Option& option : options) all.push_back(published(option));
  return all;
}

ParameterInfo published(const MaterialParameter& p) {
  ParameterInfo info;
  info.name = p.name;
  info.meaning = p.meaning;
  info.unit = p.unit;
  info.range = published(p.range);
  if (p.default_value) info.default_value = *p.default_value;
  return info;
}

// A number of the scene's description.
ParameterInfo published(const Outline& key) {
  ParameterInfo info;
  info.name = key.key.name;
  info.meaning = key.key.meaning;
  info.unit = key.key.unit;
  info.range = published(key.key.range);
  if (key.default_value.is_number()) info.default_value = key.default_value.number;
  return info;
}

// The member of this name.
const Outline* member(const Outline* object, std::string_view name) {
  if (object)
    for (const Outline& m : object->members)
      if (m.key.name == name) return &m;
  return nullptr;
}
// The numbers of these names, at the end of a path.
std::vector<ParameterInfo> numbers_at(const Outline& scene, std::initializer_list<std::string_view> path,
                                      std::initializer_list<std::string_view> names) {
  const Outline* at = &scene;
  for (const std::string_view name : path) at = member(at, name);
  std::vector<ParameterInfo> numbers;
  for (const std::string_view name : names)
    if (const Outline* number = member(at, name)) numbers.push_back(published(*number));
  return numbers;
}

}  // namespace

std::string NumberRange::text() const {
  std::string text;
  if (low != -no_limit) text += (low_open ? "above " : "at least ") + number_text(low);
  if (high != no_limit)
    text += (text.empty() ? "" : ", ") + std::string(high_open ? "below " : "at most ") + number_text(high);
  return text;
}

std::string ParameterInfo::default_text() const {
  if (!default_value) return {};
  if (const bool* toggle = std::get_if<bool>(&*default_value)) return *toggle ? "true" : "false";
  if (const double* number = std::get_if<double>(&*default_value)) return number_text(*number);
  return *std::get_if<std::string>(&*default_value);
}

const std::vector<SolverDescription>& solvers() {
  static const std::vector<SolverDescription> all = [] {
    std::vector<SolverDescription> list;
    for (const SolverInfo& s : solver_list()) {
      SolverDescription d;
      d.name = s.name;
      d.summary = s.summary;
      d.color = s.color;
      d.options = published(s.options);
      d.common_options = published(s.common_options);
      d.dynamic = s.traits.dynamic;
      d.quasistatic = s.traits.quasistatic;
      d.damping = s.traits.damping;
      d.springs = s.traits.ties;
      d.contact = s.traits.contact;
      d.intersection_free = s.traits.keeps_apart;
      d.grid = s.traits.grid;
      d.quadratic = s.traits.quadratic;
      d.fibres = s.traits.ties && s.traits.fibres;
      d.accelerators = s.traits.accelerates;
      d.single_precision = s.traits.single_precision;
      d.needs_constraints = s.traits.needs_constraints;
      d.strain_constraints = s.traits.strain_constraints;
      d.needs_zero_at_rest = s.traits.needs_zero_at_rest;
      list.push_back(std::move(d));
    }
    return list;
  }();
  return all;
}

const std::vector<AcceleratorDescription>& accelerators() {
  static const std::vector<AcceleratorDescription> all = [] {
    std::vector<AcceleratorDescription> list;
    for (const AcceleratorInfo& a : accelerator_list()) list.push_back({a.name, a.summary, published(a.options)});
    return list;
  }();
  return all;
}

const std::vector<MaterialDescription>& materials() {
  static const std::vector<MaterialDescription> all = [] {
    std::vector<MaterialDescription> list;
    for (int k = 0; k < material_count; ++k) {
      const MaterialTraits& traits = traits_of(MaterialKind(k));
      MaterialDescription d{traits.name,         traits.summary,  {}, traits.constraint_count, traits.strain_constraint,
                            traits.zero_at_rest, traits.isotropic};
      for (const MaterialForm& form : material_forms(MaterialKind(k))) {
        d.forms.emplace_back();
        for (const MaterialParameter& p : form.parameters) d.forms.back().push_back(published(p));
      }
      list.push_back(std::move(d));
    }
    return list;
  }();
  return all;
}

const std::vector<ElementDescription>& elements() {
  static const std::vector<ElementDescription> all = [] {
    const Outline scene = scene_outline();
    return std::vector<ElementDescription>{
        {"tetrahedron",
         "linear tetrahedron of an elastic material: constant strain",
         4,
         "objects.NAME.mesh: file, box, beam, ball, surface, shape or arrays",
         {}},
        {"triangle",
         "linear triangle of an elastic material in plane strain, 1 m thick",
         3,
         "objects.NAME.mesh: rectangle, triangles or arrays",
         {}},
        {"spring", "spring between two points, by Hooke's law", 2, "objects.NAME.mesh: chain, grid or arrays",
         numbers_at(scene, {"objects", "mesh", "chain"}, {"stiffness", "damping"})},
        {"binding", "weak constraint that pulls a vertex to the closest point of another object's surface", 4,
         "bindings",
         numbers_at(scene, {"bindings"}, {"distance", "stiffness", "normal_stiffness", "tangential_stiffness"})},
        {"fibre",
         "muscle fibre in a tetrahedron or triangle: pulls along its direction, passively and by its activation", 4,
         "objects.NAME.fibres",
         numbers_at(scene, {"objects", "fibres"}, {"peak_stress", "optimal_stretch", "activation"})}};
  }();
  return all;
}

std::vector<std::string_view> sparse_solvers() {
  const auto names = linear_solver_names();
  return {names.begin(), names.end()};
}

}  // namespace sinew
