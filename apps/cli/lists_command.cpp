#include <CLI/CLI.hpp>

#include "accel/accelerator_list.h"
#include "base/format.h"
#include "commands.h"
#include "linear/linear_solvers.h"
#include "material/material_forms.h"
#include "solver/solver_list.h"

namespace sinew::cli {
namespace {

// "above 0, at most 1"; empty without limits.
std::string range_text(const Range& r) {
  std::string text;
  if (r.low != -no_limit) text += (r.low_open ? "above " : "at least ") + number_text(r.low);
  if (r.high != no_limit) {
    text += (text.empty() ? "" : ", ") + std::string(r.high_open ? "below " : "at most ") + number_text(r.high);
  }
  return text;
}

// The default common to all solvers; or, if they differ: "vbd 200, xpbd 20, newton 100".
std::string common_default(std::string_view option) {
  std::string each;
  bool same = true;
  const std::string first = find_option(solver_list().front().common_options, option)->default_text();
  for (const SolverInfo& s : solver_list()) {
    const std::string text = find_option(s.common_options, option)->default_text();
    each += (each.empty() ? "" : ", ") + std::string(s.name) + " " + text;
    same = same && text == first;
  }
  return same ? first : each;
}

void print_option(const Option& o, const std::string& default_text) {
  std::string range = range_text(o.range);
  std::string choices;
  for (const std::string_view c : o.choices) choices += (choices.empty() ? "" : ", ") + std::string(c);
  std::printf("    %-20s %s\n", std::string(o.name).c_str(), std::string(o.meaning).c_str());
  std::string facts = "default " + default_text;
  if (o.unit != "-" && !o.unit.empty()) facts += " " + std::string(o.unit);
  if (!choices.empty()) facts += "; one of " + choices;
  if (!range.empty()) facts += "; " + range;
  std::printf("    %-20s %s\n", "", facts.c_str());
}
void print_option(const Option& o) {
  print_option(o, o.default_text());
}

void print_materials() {
  std::printf("Material models (materials.NAME.model), with the parameters that a scene gives them by:\n\n");
  for (int k = 0; k < material_count; ++k) {
    const MaterialTraits m = traits_of(MaterialKind(k));
    std::printf("  %-20s %s\n", m.name, m.summary);
    std::string by;
    for (const MaterialForm& form : material_forms(MaterialKind(k))) {
      by += by.empty() ? "by " : "; or by ";
      for (size_t n = 0; n < form.parameters.size(); ++n) {
        const MaterialParameter& p = form.parameters[n];
        by += (n == 0 ? "" : ", ") + std::string(p.name) + " [" + std::string(p.unit) + "]";
        if (p.default_value) by += " = " + number_text(*p.default_value);
      }
    }
    std::printf("  %-20s %s\n", "", by.c_str());
    if (m.constraint_count > 0)
      std::printf("  %-20s %d constraints per tet: for xpbd and its relatives\n", "", m.constraint_count);
    if (m.strain_constraint)
      std::printf("  %-20s one vector constraint per tet, its strain: for xpbd and xpbd_qs\n", "");
  }
}

void print_solvers() {
  std::printf("Solvers (solver.type):\n\n");
  for (const SolverInfo& s : solver_list()) {
    std::printf("  %s: %s\n", s.name, s.summary);
    std::string limits;
    if (!s.traits.quasistatic) limits += "  not quasistatic;";
    if (!s.traits.dynamic) limits += "  quasistatic only;";
    if (s.traits.needs_constraints) limits += "  only materials with constraints;";
    if (s.traits.needs_zero_at_rest) limits += "  only materials without energy at rest;";
    if (!s.traits.damping) limits += "  no damping;";
    if (!s.traits.ties) limits += "  no springs, bindings or fibres;";
    if (s.traits.ties && !s.traits.fibres) limits += "  no fibres;";
    if (!s.traits.accelerates) limits += "  no accelerators;";
    if (!s.traits.single_precision) limits += "  double precision only;";
    if (!limits.empty()) std::printf("  %s\n", limits.c_str());
    for (const Option& o : s.options) print_option(o);
    std::printf("\n");
  }
  std::printf("Options of every solver (solver.*):\n");
  for (const Option& o : solver_list().front().common_options) print_option(o, common_default(o.name));
  std::printf("\nAccelerators (solver.accelerator.type):\n\n");
  for (const AcceleratorInfo& a : accelerator_list()) {
    std::printf("  %s: %s\n", a.name, a.summary);
    for (const Option& o : a.options) print_option(o);
  }
  std::printf("\nSparse Cholesky built in:");
  for (const std::string_view name : linear_solver_names()) std::printf(" %s", std::string(name).c_str());
  std::printf("\n");
}

}  // namespace

void add_lists(CLI::App& app, int& exit_code) {
  CLI::App* materials = app.add_subcommand("materials", "List the material models");
  materials->footer("The options of each are keys of a material in the scene, e.g. --set materials.rubber.model=stvk");
  materials->callback([&exit_code] {
    print_materials();
    exit_code = exit_done;
  });
  CLI::App* solvers = app.add_subcommand("solvers", "List solvers and accelerators with their options");
  solvers->footer("The options of each are keys of `solver` in the scene, e.g. --set solver.iterations=40");
  solvers->callback([&exit_code] {
    print_solvers();
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
