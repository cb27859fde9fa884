// Experiments: figures and tables of papers, each described by one file and judged by what it claims.
//
//   auto experiment = sinew::read_experiment("experiments/S0-7.json");
//   auto outcome = sinew::reproduce(*experiment, {});
//   sinew::write_outcome(*outcome, "out/S0-7");         // numbers, figures, verdicts
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/comparison.h"
#include "sinew/result.h"

namespace sinew {

struct ExperimentMethod {
  std::string label;   // how claims and figures name it
  std::string method;  // as for parse_methods: SOLVER[:OPTION=VALUE,...][+ACCELERATOR[:...]]
  int iterations = 0;  // in each step; 0: as many as the run
};

// What a run does otherwise at the paper's size; 0: as at its own.
struct FullRun {
  std::vector<std::string> set;  // overrides behind all others
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
  int threads = 0;  // 0: as many as the options say
  bool reference = true;
  std::vector<std::string> plot;  // what the figures show, as in ComparisonOptions
  bool colors = false;            // count the colours of vertices and tets too
  // Of those compared, where 0 is the state that all start from: the frame (step, without `frames`) whose bodies are
  // worth a picture, all methods side by side.
  std::optional<int64_t> picture;
  FullRun full = {};
  bool full_only = false;  // it takes too long to be run at another size
};

struct ExperimentClaim {
  std::string says;        // in words
  std::string holds;       // in the language of experiment/claim.h
  std::string paper;       // the paper's figure, where it gives one
  std::string reason;      // why it does not hold, where that is known
  bool full_only = false;  // about runs that are
};

// A choice that the paper leaves open, such as a size or a step, and the values that are tried for it: a verdict that
// depends on it is a verdict about our choice.
struct ExperimentSweep {
  struct Value {
    std::string label;             // as pages show it, e.g. "1.5"
    std::vector<std::string> set;  // overrides of the scene after all others; none: the experiment's own choice
  };
  std::string over;               // the choice in words, with its unit
  std::vector<std::string> runs;  // those that are repeated; empty: all
  std::vector<Value> values;
};

struct Experiment {
  std::string name;  // of its file
  std::string file;  // where it was read, for messages
  std::string title;
  std::string source;             // paper and figure
  std::string note;               // what differs from the paper
  std::string scene;              // a path, or the text of a scene
  std::string folder;             // relative paths are against this
  std::vector<std::string> full;  // overrides for the paper's size
  std::vector<ExperimentRun> runs;
  std::vector<ExperimentSweep> sweeps;
  std::vector<ExperimentClaim> claims;
};

// Errors: unreadable, unknown or missing keys, each with its path.
Result<Experiment> read_experiment(const std::filesystem::path& path);

struct ExperimentOptions {
  bool full = false;    // at the paper's size
  bool sweeps = false;  // also judge the claims over the values of every sweep
  int threads = 0;      // 0: one per core
  // A folder: the frames of runs with a picture are kept below it, as write_outcome wants them; empty: none are.
  std::filesystem::path record_to = {};
  const std::atomic<bool>* interrupt = nullptr;
};
struct ExperimentProgress {
  std::string stage;
  double fraction = 0;
};

// A claim over a sweep, for the values in their order.
struct SweptVerdict {
  std::string over;
  std::vector<std::pair<std::string, bool>> holds;  // by the value's label
};
struct Verdict {
  ExperimentClaim claim;
  bool holds = false;
  std::vector<std::pair<std::string, double>> figures;  // what the claim is made of, measured
  std::vector<SweptVerdict> swept;                      // for each sweep whose runs it is about
};
struct ExperimentOutcome {
  Experiment experiment;
  bool full = false;
  double seconds = 0;
  std::vector<std::pair<std::string, Comparison>> comparisons;  // by run
  std::vector<Verdict> verdicts;
};

// Errors: all that can be known to be wrong before a mesh is made and a step is solved, each with the path of its key:
// scenes, overrides, methods, measures, claims. `reproduce` begins with it.
Status check_experiment(const Experiment& experiment, bool full);

// Errors: those of check_experiment, a mesh that cannot be made, an interrupt. Claims that do not hold are
// results.
Result<ExperimentOutcome> reproduce(const Experiment& experiment, const ExperimentOptions& options,
                                    const std::function<void(const ExperimentProgress&)>& progress = {});

// Lines for a terminal: each claim, holds or does not hold, and the figures.
std::string outcome_text(const ExperimentOutcome& outcome);

// Can the outcome be written there? Errors: files in the way that no experiment wrote, links.
Status check_outcome_folder(const Experiment& experiment, const std::filesystem::path& folder);

// Writes result.json, and for each run a folder with the files of its comparison (sinew/compare.h); and bodies.png of
// those that were recorded in the same folder, if this build renders. Errors: it cannot be written; a figure cannot be
// drawn, or `interrupt` was set while one was.
Result<std::vector<std::filesystem::path>> write_outcome(const ExperimentOutcome& outcome,
                                                         const std::filesystem::path& folder, bool with_figures = true,
                                                         const std::atomic<bool>* interrupt = nullptr);

// Can the page of these be written? Errors: those of write_reproduction_page, as far as is known before.
Status check_reproduction_page(std::span<const Experiment> experiments, const std::filesystem::path& page);

// A page of many outcomes: claim, our figures, the paper's, verdict, picture. Pictures are copied into `images`, a
// folder beside the page, from what write_outcome wrote under `results`/NAME.
// Errors: it cannot be written; the page is not one of these, or an image is there that it does not show, or a link.
Status write_reproduction_page(std::span<const ExperimentOutcome> outcomes, const std::filesystem::path& results,
                               const std::filesystem::path& page);

}  // namespace sinew
