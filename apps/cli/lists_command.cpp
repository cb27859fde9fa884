#include <CLI/CLI.hpp>
#include <cstdio>

#include "commands.h"
#include "sinew/lists.h"

namespace sinew::cli {
namespace {

// The default common to all solvers; or, if they differ: "vbd 200, xpbd 20, newton 100". Common options are in one
// order.
std::string common_default(size_t option) {
  std::string each;
  bool same = true;
  const std::string first = solvers().front().common_options[option].default_text();
  for (const SolverDescription& s : solvers()) {
    const std::string text = s.common_options[option].default_text();
    each += (each.empty() ? "" : ", ") + s.name + " " + text;
    same = same && text == first;
  }
  return same ? first : each;
}

void print_option(const ParameterInfo& o, const std::string& default_text) {
  const std::string range = o.range.text();
  std::string choices;
  for (const std::string& c : o.choices) choices += (choices.empty() ? "" : ", ") + c;
  std::printf("    %-20s %s\n", o.name.c_str(), o.meaning.c_str());
  std::string facts = "default " + default_text;
  if (o.unit != "-" && !o.unit.empty()) facts += " " + o.unit;
  if (!choices.empty()) facts += "; one of " + choices;
  if (!range.empty()) facts += "; " + range;
  std::printf("    %-20s %s\n", "", facts.c_str());
}
void print_option(const ParameterInfo& o) {
  print_option(o, o.default_text());
}

void print_materials() {
  std::printf("Material models (materials.NAME.model), with the parameters that a scene gives them by:\n\n");
  for (const MaterialDescription& m : materials()) {
    std::printf("  %-20s %s\n", m.name.c_str(), m.summary.c_str());
    std::string by;
    for (const std::vector<ParameterInfo>& form : m.forms) {
      by += by.empty() ? "by " : "; or by ";
      for (size_t n = 0; n < form.size(); ++n) {
        by += (n == 0 ? "" : ", ") + form[n].name + " [" + form[n].unit + "]";
        if (form[n].default_value) by += " = " + form[n].default_text();
      }
    }
    std::printf("  %-20s %s\n", "", by.c_str());
    if (m.constraints > 0)
      std::printf("  %-20s %d constraints per tet: for xpbd and its relatives\n", "", m.constraints);
    if (m.strain_constraint)
      std::printf("  %-20s one vector constraint per tet, its strain: for xpbd and xpbd_qs\n", "");
  }
}

void print_solvers() {
  std::printf("Solvers (solver.type):\n\n");
  for (const SolverDescription& s : solvers()) {
    std::printf("  %s: %s\n", s.name.c_str(), s.summary.c_str());
    std::string limits;
    if (!s.quasistatic) limits += "  not quasistatic;";
    if (!s.dynamic) limits += "  quasistatic only;";
    if (s.needs_constraints) limits += "  only materials with constraints;";
    if (s.needs_zero_at_rest) limits += "  only materials without energy at rest;";
    if (!s.damping) limits += "  no damping;";
    if (!s.springs) limits += "  no springs, bindings or fibres;";
    if (s.springs && !s.fibres) limits += "  no fibres;";
    if (!s.contact) limits += "  no contact;";
    if (s.contact && !s.intersection_free) limits += "  contact without guarantee;";
    if (s.grid) limits += "  bodies in a grid too;";
    if (!s.quadratic) limits += "  no quadratic tets;";
    if (!s.accelerators) limits += "  no accelerators;";
    if (!s.single_precision) limits += "  double precision only;";
    if (!limits.empty()) std::printf("  %s\n", limits.c_str());
    for (const ParameterInfo& o : s.options) print_option(o);
    std::printf("\n");
  }
  std::printf("Options of every solver (solver.*):\n");
  const std::vector<ParameterInfo>& common = solvers().front().common_options;
  for (size_t k = 0; k < common.size(); ++k) print_option(common[k], common_default(k));
  std::printf("\nAccelerators (solver.accelerator.type):\n\n");
  for (const AcceleratorDescription& a : accelerators()) {
    std::printf("  %s: %s\n", a.name.c_str(), a.summary.c_str());
    for (const ParameterInfo& o : a.options) print_option(o);
  }
  std::printf("\nSparse Cholesky built in:");
  for (const std::string_view name : sparse_solvers()) std::printf(" %s", std::string(name).c_str());
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
