// What a scene can name, from the tables of the engine.
#include "lists.h"

#include <pybind11/stl.h>

#include <string>

#include "sinew/lists.h"

namespace sinew::python {
namespace {

namespace py = pybind11;

py::object scalar(const std::optional<OptionScalar>& value) {
  if (!value) return py::none();
  return std::visit([](const auto& v) { return py::object(py::cast(v)); },
                    static_cast<const std::variant<bool, double, std::string>&>(*value));
}

const char* kind_of(const ParameterInfo& p) {
  switch (p.kind) {
    case ParameterInfo::Kind::whole:
      return "whole";
    case ParameterInfo::Kind::toggle:
      return "toggle";
    case ParameterInfo::Kind::choice:
      return "choice";
    case ParameterInfo::Kind::number:
      break;
  }
  return "number";
}

}  // namespace

void bind_lists(py::module_& m) {
  py::class_<ParameterInfo>(m, "Parameter", "A parameter or an option, from the engine's tables.")
      .def_readonly("name", &ParameterInfo::name)
      .def_readonly("meaning", &ParameterInfo::meaning)
      .def_property_readonly("kind", &kind_of, "\"number\", \"whole\", \"toggle\" or \"choice\".")
      .def_readonly("unit", &ParameterInfo::unit, "Empty: none.")
      .def_readonly("choices", &ParameterInfo::choices)
      .def_property_readonly(
          "allowed", [](const ParameterInfo& p) { return p.range.text(); }, "In words; empty without limits.")
      .def_property_readonly(
          "default", [](const ParameterInfo& p) { return scalar(p.default_value); }, "None: it is required.")
      .def("__repr__", [](const ParameterInfo& p) { return "<sinew.Parameter " + p.name + ": " + p.meaning + ">"; });

  py::class_<SolverDescription>(m, "SolverDescription", "A value of solver.type.")
      .def_readonly("name", &SolverDescription::name)
      .def_readonly("summary", &SolverDescription::summary)
      .def_readonly("color", &SolverDescription::color, "\"#rrggbb\" in figures.")
      .def_readonly("options", &SolverDescription::options, "Its own.")
      .def_readonly("common_options", &SolverDescription::common_options, "Of every solver, with this one's defaults.")
      .def_readonly("dynamic", &SolverDescription::dynamic)
      .def_readonly("quasistatic", &SolverDescription::quasistatic)
      .def_readonly("damping", &SolverDescription::damping)
      .def_readonly("springs", &SolverDescription::springs, "And bindings.")
      .def_readonly("fibres", &SolverDescription::fibres)
      .def_readonly("contact", &SolverDescription::contact)
      .def_readonly("intersection_free", &SolverDescription::intersection_free)
      .def_readonly("grid", &SolverDescription::grid, "Bodies in a background grid.")
      .def_readonly("quadratic", &SolverDescription::quadratic, "Tets with a vertex at the middle of each edge.")
      .def_readonly("accelerators", &SolverDescription::accelerators)
      .def_readonly("single_precision", &SolverDescription::single_precision)
      .def_readonly("needs_constraints", &SolverDescription::needs_constraints)
      .def_readonly("strain_constraints", &SolverDescription::strain_constraints,
                    "Takes materials with a constraint for their strain too.")
      .def_readonly("needs_zero_at_rest", &SolverDescription::needs_zero_at_rest);
  py::class_<AcceleratorDescription>(m, "AcceleratorDescription", "A value of solver.accelerator.")
      .def_readonly("name", &AcceleratorDescription::name)
      .def_readonly("summary", &AcceleratorDescription::summary)
      .def_readonly("options", &AcceleratorDescription::options);
  py::class_<MaterialDescription>(m, "MaterialDescription", "A value of a material's `model`.")
      .def_readonly("name", &MaterialDescription::name)
      .def_readonly("summary", &MaterialDescription::summary)
      .def_readonly("forms", &MaterialDescription::forms, "Sets of parameters, of which a scene gives one.")
      .def_readonly("constraints", &MaterialDescription::constraints, "Per tet, for xpbd and its relatives.")
      .def_readonly("strain_constraint", &MaterialDescription::strain_constraint,
                    "One for its strain, for xpbd and xpbd_qs.")
      .def_readonly("zero_at_rest", &MaterialDescription::zero_at_rest, "Its energy vanishes at rest.")
      .def_readonly("isotropic", &MaterialDescription::isotropic);

  m.def("solvers", &solvers, "What a scene's solver.type can be, with options.");
  m.def("accelerators", &accelerators, "What a scene's solver.accelerator can be, with options.");
  m.def("materials", &materials, "What a material's model can be, with parameters.");
}

}  // namespace sinew::python
