// Experiments: figures and tables of papers, each described by one file and judged by its claims.
//
//   auto experiment = sinew::read_experiment("experiments/S0-7.json");
//   auto outcome = sinew::reproduce(*experiment, {});
//   sinew::write_outcome(*outcome, "out/S0-7");         // numbers, figures, verdicts
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/comparison.h"
#include "sinew/progress.h"
#include "sinew/result.h"

namespace sinew {

struct ExperimentMethod {
  std::string label;   // its name in claims and figures
  std::string method;  // as for parse_methods: SOLVER[:OPTION=VALUE,...][+ACCELERATOR[:...]]
  int iterations = 0;  // in each step; 0: as many as the run
};

// Changes to a run at the paper's size; 0: unchanged.
struct FullRun {
  std::vector<std::string> set;  // overrides, applied last
  int iterations = 0;
  int64_t steps = 0, frames = 0;
};

// Methods on one scene: a comparison (sinew/compare.h), or the colours of its mesh.
struct ExperimentRun {
  std::string name;
  std::vector<std::string> set;  // overrides of the scene, as for read_scene
  std::vector<ExperimentMethod> methods;
  int iterations = 40;
  double budget = 0;  // [ms]
  int64_t at_frame = 0;
  int64_t steps = 1, frames = 0;
  int threads = 0;  // 0: as in the options
  bool reference = true;
  std::vector<std::string> plot;  // quantities to plot, as in ComparisonOptions
  bool colors = false;            // count the colours of vertices and tets too
  // The frame (step, without `frames`) to picture, with all methods side by side; 0: the state from which all start.
  std::optional<int64_t> picture;
  FullRun full = {};
  bool full_only = false;  // run only at the paper's size
};

struct ExperimentClaim {
  std::string says;        // in words
  std::string holds;       // in the language of claims (docs/experiments.md)
  std::string paper;       // the paper's number, if it gives one
  std::string reason;      // why it does not hold, if known
  bool full_only = false;  // about runs that are full_only
};

// A choice that the paper leaves open, such as a size or a step, and the values to try: a verdict that depends on it is
// a verdict on our choice.
struct ExperimentSweep {
  struct Value {
    std::string label;             // as shown in pages, e.g. "1.5"
    std::vector<std::string> set;  // overrides of the scene after all others; empty: the experiment's own choice
  };
  std::string over;               // the choice in words, with its unit
  std::vector<std::string> runs;  // runs to repeat; empty: all
  std::vector<Value> values;
};

struct Experiment {
  std::string name;  // of its file
  std::string file;  // path it was read from, for messages
  std::string title;
  std::string source;             // paper and figure
  std::string note;               // what differs from the paper
  std::string scene;              // a path, or the text of a scene
  std::string folder;             // base of relative paths
  std::vector<std::string> full;  // overrides for the paper's size
  std::vector<ExperimentRun> runs;
  std::vector<ExperimentSweep> sweeps;
  std::vector<ExperimentClaim> claims;
};

// Errors: an unreadable file, unknown or missing keys, each with its path.
Result<Experiment> read_experiment(const std::filesystem::path& path);

struct ExperimentOptions {
  bool full = false;    // at the paper's size
  bool sweeps = false;  // also judge the claims for the values of every sweep
  int threads = 0;      // 0: one per core
  // A folder that receives the frames of runs with a picture, as write_outcome expects them. Empty: nothing is
  // recorded.
  std::filesystem::path record_to = {};
  const std::atomic<bool>* interrupt = nullptr;  // set it to stop; the result is then an Error
};
struct ExperimentObserver {
  Listener<Progress> on_progress = {};  // the stage names the run and the solver
};

// Verdicts on a claim over a sweep, in the order of its values.
struct SweptVerdict {
  std::string over;
  std::vector<std::pair<std::string, bool>> holds;  // by the value's label
};
struct Verdict {
  ExperimentClaim claim;
  bool holds = false;
  std::vector<std::pair<std::string, double>> figures;  // measured values of the terms of the claim
  std::vector<SweptVerdict> swept;                      // for each sweep of its runs
};
struct ExperimentOutcome {
  Experiment experiment;
  bool full = false;
  double seconds = 0;
  std::vector<std::pair<std::string, Comparison>> comparisons;  // by run
  std::vector<Verdict> verdicts;
};

// Finds errors before a mesh is made or a step is solved, each with the path of its key: in scenes, overrides, methods,
// measures and claims. `reproduce` calls it first.
Status check_experiment(const Experiment& experiment, bool full);

// Errors: those of check_experiment, a mesh that cannot be made, an interrupt. A claim that does not hold is a result.
Result<ExperimentOutcome> reproduce(const Experiment& experiment, const ExperimentOptions& options,
                                    const ExperimentObserver& observer = {});

// Text for a terminal: each claim with its verdict and measured values.
std::string outcome_text(const ExperimentOutcome& outcome);

// Checks that the outcome can be written there. Errors: files in the way that no experiment wrote, links.
Status check_outcome_folder(const Experiment& experiment, const std::filesystem::path& folder);

// Writes result.json, and a folder for each run with the files of its comparison (sinew/compare.h) and, if it was
// recorded there and this build renders, bodies.png. Errors: it cannot be written; a figure cannot be drawn, or
// `interrupt` was set meanwhile.
Result<std::vector<std::filesystem::path>> write_outcome(const ExperimentOutcome& outcome,
                                                         const std::filesystem::path& folder, bool with_figures = true,
                                                         const std::atomic<bool>* interrupt = nullptr);

// Checks that the page can be written. Errors: those of write_reproduction_page that can be found in advance.
Status check_reproduction_page(std::span<const Experiment> experiments, const std::filesystem::path& page);

// Writes a page of many outcomes: claim, our values, the paper's, verdict, picture. Copies the pictures that
// write_outcome wrote under `results`/NAME into `images`, a folder beside the page.
// Errors: it cannot be written; the existing page is not of this kind; there is an image that the page does not show,
// or a link.
Status write_reproduction_page(std::span<const ExperimentOutcome> outcomes, const std::filesystem::path& results,
                               const std::filesystem::path& page);

}  // namespace sinew
