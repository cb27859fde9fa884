// The description of a solver: its name, options and traits, and its maker.
//
//   SolverInfo vbd_info() { return solver_info<VbdOptions, vbd_parameters, make_vbd>(); }
//
// Beside its options, the options struct has name, summary, traits (SolverTraits, whose defaults promise much: both
// kinds of problems, damping, fibres if there are ties), `common` (its defaults of the options that all solvers share)
// and color, which no other has. Options that several solvers have are made alike, as the tests know them by name:
// lanes_parameter (options.h), sweep_order_parameter (sweep_order.h).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/option_table.h"
#include "base/result.h"
#include "exec/instruction_set.h"
#include "solver/linear_solver.h"
#include "solver/options.h"

namespace sinew {

// Whoever only reads what solvers say of themselves needs neither (solver/solver.h, solver/sweep.h).
class Solver;
struct Kernels;
const Kernels* kernels_with_lanes(int float_lanes);

struct SolverInfo {
  const char* name;
  const char* summary;
  const char* color;  // "#rrggbb" in figures, tables and films
  SolverTraits traits;
  OptionTable options;         // the solver's own
  OptionTable common_options;  // solve_parameters, with this solver's defaults
  SolveOptions common;         // those defaults
  // `values` holds the solver's own options, and possibly others; `where` is their path, for errors.
  Result<std::unique_ptr<Solver>> (*make)(const SolveOptions& common, std::span<const NamedOption> values,
                                          const std::string& where, LinearSolverFactory make_linear);
};

// Of solve_parameters, with these defaults.
OptionTable common_option_table(const SolveOptions& defaults);

// make_it(common, options, make_linear)
template <class Options, const auto& parameters, auto make_it>
SolverInfo solver_info() {
  SolverInfo info;
  info.name = Options::name;
  info.summary = Options::summary;
  info.color = Options::color;
  info.traits = Options::traits;
  info.options = option_table<Options>(parameters);
  info.common_options = common_option_table(Options::common);
  info.common = Options::common;
  info.make = [](const SolveOptions& common, std::span<const NamedOption> values, const std::string& where,
                 LinearSolverFactory make_linear) -> Result<std::unique_ptr<Solver>> {
    Options options;
    if (Status s = apply_options<Options>(parameters, values, options, where, true); !s.ok()) return s.error();
    // Sweeping solvers accept the lane widths that were built and that this processor supports.
    if constexpr (requires { options.lanes; }) {
      if (!kernels_with_lanes(options.lanes)) return no_such_lanes(where + ".lanes", options.lanes);
    }
    return make_it(common, options, make_linear);
  };
  return info;
}

}  // namespace sinew
