// Comparing solvers on one scene: the same step, the same measures, equal iterations or equal milliseconds.
//
//   auto methods = sinew::parse_methods("vbd,vbd+chebyshev,xpbd,newton", scene);
//   auto comparison = sinew::compare(scene, {.methods = *methods, .budget = 170});
//   sinew::write_comparison(*comparison, "out");      // CSV, JSON, and figures as SVG and PNG
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/comparison.h"
#include "sinew/progress.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

// A solver with its options, under a name of its own. The comparison sets how long it may run: iterations, time budget
// and tolerances among its options are ignored.
struct ComparedMethod {
  std::string label;
  SolverSettings settings;
  int iterations = 0;  // in each step; 0: as many as all others
};

// A list of methods as text:  METHOD,METHOD,...  with  METHOD =
// SOLVER[:OPTION=VALUE,...][+ACCELERATOR[:OPTION=VALUE,...]]
//   vbd,xpbd,newton
//   vbd:precision=double,line_search=true+chebyshev:rho=0.9
//   all                          every solver that the list does not name
// Options that are not given come from the scene: those common to all solvers, and all of them for the scene's own
// solver; the rest have their defaults. An accelerator is used only where it is named. Errors: unknown names and
// values, with a suggestion; a method that is listed twice.
Result<std::vector<ComparedMethod>> parse_methods(std::string_view list, const Scene& scene);

struct ComparisonOptions {
  std::vector<ComparedMethod> methods;
  int iterations = 40;    // of each solver in each step
  double budget = 0;      // [ms] per solver and step, instead of iterations; the last iteration begun is completed
  int64_t at_frame = 0;   // first advance to this frame of the scene by its own solver
  int64_t steps = 1;      // to compare; the curves are those of the first
  int64_t frames = 0;     // instead of steps, if above 0
  int threads = 0;        // 0: one per core
  bool reference = true;  // measure errors against Newton's converged state; the costliest part of a large scene
  // A folder that receives a run for each method, with its frames (steps, without `frames`); `sinew render` shows them
  // side by side. Empty: nothing is recorded.
  std::filesystem::path record_to;
  // Quantities to plot, a row of panels each: residual, residual_max, energy, inverted, min_j, error, error_rms,
  // volume, contacts, penetrations, depth, vertex_residual, PROBE_x ...; of iterates also relative, loss, change,
  // primary, secondary. Empty: residual and error.
  std::vector<std::string> plot = {};
  const std::atomic<bool>* interrupt = nullptr;  // set it to stop, even within a step
};

struct ComparisonObserver {
  // The stage is "scene", "frame 3 of 30 before", "reference", or the label of a solver.
  Listener<Progress> on_progress = {};
  Listener<Curve> on_curve = {};  // when a solver is done
};

// Errors: an invalid scene or option, a state that is not finite before `at_frame`, an interrupt, which leaves nothing
// in `record_to`. A solver that rejects the scene, diverges or blows up is a result, not an error.
Result<Comparison> compare(const Scene& scene, const ComparisonOptions& options,
                           const ComparisonObserver& observer = {});

// One line per solver, for a terminal.
std::string comparison_table(const Comparison& comparison);

// Checks, before long work, that a comparison can be written there (sinew/folder.h has a lock for its duration).
// Errors: the folder cannot be written; those of write_comparison that can be found in advance.
Status check_comparison_folder(const std::filesystem::path& folder);

struct ComparisonFiles {
  std::vector<std::filesystem::path> written;
  std::optional<Error> no_figures;  // figures need gnuplot, and no interrupt; the data are written regardless
};
// Writes comparison.json and convergence.csv, .svg and .png, and for several steps trajectory.csv, .svg and .png;
// creates the folder if needed, and replaces the files of an earlier comparison. Errors: it cannot be written; it holds
// a run, an experiment, a file of one of these names that no comparison wrote, or a link.
Result<ComparisonFiles> write_comparison(const Comparison& comparison, const std::filesystem::path& folder,
                                         bool with_figures = true, const std::atomic<bool>* interrupt = nullptr);

}  // namespace sinew
