#include "solver/solver_list.h"

#include <algorithm>

#include "base/format.h"
#include "model/model.h"
#include "solver/solver.h"

namespace sinew {

#define SINEW_SOLVER(name) SolverInfo name##_info();
#include "solver/solvers.def"
#undef SINEW_SOLVER

namespace {

// The names of the solvers for which `can` holds, as a remedy: "use vbd, newton".
template <class Can>
std::string alternatives(const Can& can) {
  std::string names;
  for (const SolverInfo& s : solver_list()) {
    if (can(s.traits)) names += (names.empty() ? "" : ", ") + std::string(s.name);
  }
  return "use " + names;
}

// Why a solver cannot treat a material, as a format with a place for the material's name; null if it can.
const char* cannot_treat(const SolverTraits& solver, const MaterialTraits& material) {
  if (solver.needs_constraints && material.constraint_count == 0 &&
      !(solver.strain_constraints && material.strain_constraint)) {
    return "has no constraint form of material model \"%s\"";
  }
  if (solver.needs_zero_at_rest && !material.zero_at_rest) {
    return solver.needs_constraints
               ? "the constraints of material model \"%s\" do not vanish at rest; it would pull the mesh to a point"
               : "the energy of material model \"%s\" does not vanish at rest";
  }
  if (solver.needs_zero_at_rest && !material.isotropic) return "material model \"%s\" is not isotropic";
  return nullptr;
}

// What a scene needs of its solver.
struct Needs {
  bool quasistatic, ties, grid, quadratic, fibres, damping;

  static Needs of(const Model& model, bool quasistatic) {
    const auto is_fibre = [](const TieLaw<double>& law) { return law.traits().is_muscle; };
    return {.quasistatic = quasistatic,
            .ties = !model.ties.empty(),
            .grid = !model.grid.empty(),
            .quadratic = !model.middles.empty(),
            .fibres = std::any_of(model.ties.laws.begin(), model.ties.laws.end(), is_fibre),
            .damping = model.is_damped() && !quasistatic};
  }
  bool met_by(const SolverTraits& t, const Model& model) const {
    return (quasistatic ? t.quasistatic : t.dynamic) && (!ties || t.ties) && (!grid || t.grid) &&
           (!quadratic || t.quadratic) && (!fibres || t.fibres) && (!damping || t.damping) &&
           std::none_of(model.blocks.begin(), model.blocks.end(), [&](const ElasticBlock& block) {
             return cannot_treat(t, traits_of(block.material.kind)) != nullptr;
           });
  }
};

}  // namespace

const std::vector<SolverInfo>& solver_list() {
  static const std::vector<SolverInfo> list = {
#define SINEW_SOLVER(name) name##_info(),
#include "solver/solvers.def"
#undef SINEW_SOLVER
  };
  return list;
}

const SolverInfo* find_solver(std::string_view name) {
  for (const SolverInfo& s : solver_list()) {
    if (s.name == name) return &s;
  }
  return nullptr;
}

const SolverInfo& reference_solver() {
  return *std::find_if(solver_list().begin(), solver_list().end(),
                       [](const SolverInfo& s) { return s.traits.reference; });
}

const SolverInfo& recommended_solver(const SolverInfo& solver, bool on_grid) {
  const auto can = [&](const SolverInfo& s) { return s.traits.recommended && (!on_grid || s.traits.grid); };
  const auto found = std::find_if(solver_list().begin(), solver_list().end(),
                                  [&](const SolverInfo& s) { return can(s) && &s != &solver; });
  return found == solver_list().end() ? solver : *found;
}

Status check_solver(const SolverInfo& solver, const Model& model, bool quasistatic) {
  const Needs needs = Needs::of(model, quasistatic);
  // The solvers that can do that and all else the scene needs; if there is none, those that can do that.
  const auto instead = [&](const auto& can) {
    const auto treats_all = [&](const SolverTraits& t) { return can(t) && needs.met_by(t, model); };
    const bool any = std::any_of(solver_list().begin(), solver_list().end(),
                                 [&](const SolverInfo& s) { return treats_all(s.traits); });
    return any ? alternatives(treats_all) : alternatives(can);
  };
  if (quasistatic ? !solver.traits.quasistatic : !solver.traits.dynamic) {
    return Error{"solver.type",
                 format(quasistatic ? "= \"%s\": needs inertia and cannot solve quasistatics"
                                    : "= \"%s\": solves quasistatics only",
                        solver.name),
                 instead([&](const SolverTraits& t) { return quasistatic ? t.quasistatic : t.dynamic; })};
  }
  if (needs.ties && !solver.traits.ties) {
    return Error{"solver.type", format("= \"%s\": knows no springs, bindings or fibres", solver.name),
                 instead([](const SolverTraits& t) { return t.ties; })};
  }
  if (needs.grid && !solver.traits.grid) {
    return Error{"solver.type", format("= \"%s\": does not solve for the nodes of a grid", solver.name),
                 instead([](const SolverTraits& t) { return t.grid; })};
  }
  if (needs.quadratic && !solver.traits.quadratic) {
    return Error{"solver.type", format("= \"%s\": knows no quadratic tets", solver.name),
                 instead([](const SolverTraits& t) { return t.quadratic; }) + "; or linear elements"};
  }
  if (needs.fibres && !solver.traits.fibres) {
    return Error{"solver.type",
                 format("= \"%s\": knows no fibres, whose pull it has no modulus to weigh against", solver.name),
                 instead([](const SolverTraits& t) { return t.ties && t.fibres; })};
  }
  for (const ElasticBlock& block : model.blocks) {
    const MaterialTraits material = traits_of(block.material.kind);
    if (const char* why = cannot_treat(solver.traits, material)) {
      std::string materials;
      for (int k = 0; k < material_count; ++k) {
        const MaterialTraits m = traits_of(MaterialKind(k));
        if (!cannot_treat(solver.traits, m)) materials += (materials.empty() ? "" : ", ") + std::string(m.name);
      }
      return Error{"solver.type", format("= \"%s\": ", solver.name) + format(why, material.name),
                   "it treats " + materials + "; or " +
                       instead([&](const SolverTraits& t) { return !cannot_treat(t, material); })};
    }
  }
  if (needs.damping && !solver.traits.damping) {
    return Error{"solver.type", format("= \"%s\": has no stiffness-proportional damping", solver.name),
                 "set the damping of materials, chains and grids to 0, or " +
                     instead([](const SolverTraits& t) { return t.damping; })};
  }
  return {};
}

Status check_contact_solver(const SolverInfo& solver, bool keeps_apart) {
  if (!solver.traits.contact)
    return Error{
        "solver.type", format("= \"%s\": knows no contact", solver.name),
        alternatives([](const SolverTraits& t) { return t.contact; }) + "; or leave out contact and colliders"};
  if (keeps_apart && !solver.traits.keeps_apart)
    return Error{"contact.guarantee", format("= \"intersection_free\": solver \"%s\" cannot keep it", solver.name),
                 alternatives([](const SolverTraits& t) { return t.keeps_apart; }) + "; or guarantee \"none\""};
  return {};
}

OptionTable common_option_table(const SolveOptions& defaults) {
  return option_table<SolveOptions>(solve_parameters, defaults);
}

Result<SolveOptions> solve_options(const SolverInfo& solver, std::span<const NamedOption> values,
                                   const std::string& where) {
  std::vector<NamedOption> common;
  for (const NamedOption& v : values) {
    if (!find_option(solver.options, v.name)) common.push_back(v);
  }
  const auto given = [&](std::string_view name) {
    return std::any_of(values.begin(), values.end(), [&](const NamedOption& v) { return v.name == name; });
  };
  for (const Option& option : solver.common_options) {
    if (!option.zero_beside.empty() && !given(option.name)) {
      common.push_back({std::string(option.name), option.default_beside(given)});
    }
  }
  SolveOptions options = solver.common;
  if (Status s = apply_options<SolveOptions>(solve_parameters, common, options, where); !s.ok()) return s.error();
  return options;
}

Result<std::unique_ptr<Solver>> make_solver(const SolverInfo& solver, const SolveOptions& common,
                                            std::span<const NamedOption> values, const std::string& where,
                                            LinearSolverFactory make_linear) {
  return solver.make(common, values, where, make_linear);
}

}  // namespace sinew
