// Runs an experiment: its comparisons, then its claims.
#include <chrono>
#include <map>

#include "base/format.h"
#include "base/nearest.h"
#include "compile/compile.h"
#include "drive/disk_files.h"
#include "drive/watching.h"
#include "experiment/claim.h"
#include "experiment/findings.h"
#include "experiment/plan.h"
#include "mesh/coloring.h"
#include "sinew/compare.h"
#include "sinew/experiment.h"

namespace sinew {
namespace {

Error in_run(const Experiment& experiment, const std::string& run, const Error& e) {
  return {source_of(experiment) + ": runs." + run, Error{e.where, e.what, ""}.message(), e.remedy};
}

// As in the papers: in the order of the mesh's vertices and tets.
Status count_colors(const ExperimentRun& run, const Scene& scene, Findings& findings) {
  const Result<CompiledScene> compiled = compile_scene(scene, DiskFiles());
  if (!compiled) return compiled.error();
  const std::vector<Tet> tets = user_tets(compiled->model);
  if (std::any_of(tets.begin(), tets.end(), is_triangle))
    return Error{run.name, "is of triangles, and colours are counted of tetrahedra", "use another mesh"};
  const auto vertices = static_cast<size_t>(compiled->model.order.vertex_count());
  const Incidence incidence = incidence_of(tets, vertices);
  size_t most = 0;
  for (size_t v = 0; v < vertices; ++v)
    most = std::max(most, static_cast<size_t>(incidence.begin[v + 1] - incidence.begin[v]));
  add_colors(run.name,
             {.vertices = static_cast<double>(vertices),
              .tets = static_cast<double>(tets.size()),
              .vertex_colors = static_cast<double>(color_vertices(tets, incidence, {}).count),
              .element_colors = static_cast<double>(color_tets(tets, vertices, {}).count),
              .most_tets_at_a_vertex = static_cast<double>(most)},
             findings);
  return {};
}

struct Measured {
  Findings findings;
  std::vector<std::pair<std::string, Comparison>> comparisons;  // by run
};

// Reports progress: the current stage, and the completed share of the runs. Returns whether to go on.
using Tell = std::function<bool(const std::string& stage, double share)>;

// `record_to` as in ExperimentOptions.
Result<Measured> measure(const Experiment& experiment, const std::vector<PlannedRun>& runs,
                         const ExperimentOptions& options, const std::filesystem::path& record_to, const Tell& tell) {
  Measured measured;
  for (size_t k = 0; k < runs.size(); ++k) {
    const auto& [run, scene, planned] = runs[k];
    const auto tell_run = [&, name = run.name](const std::string& stage, double share) {
      return tell(stage.empty() ? name : joined({name, ": ", stage}),
                  (static_cast<double>(k) + share) / static_cast<double>(runs.size()));
    };
    if (!tell_run("", 0)) return in_run(experiment, run.name, {"the experiment", "was interrupted", ""});
    if (run.colors) {
      if (Status s = count_colors(run, scene, measured.findings); !s) return in_run(experiment, run.name, s.error());
    }
    if (run.methods.empty()) continue;

    ComparisonOptions comparing = planned;
    if (comparing.threads == 0) comparing.threads = options.threads;
    if (run.picture && !record_to.empty()) comparing.record_to = record_to / run.name;
    comparing.interrupt = options.interrupt;
    Result<Comparison> comparison =
        compare(scene, comparing, {.on_progress = [&](const Progress& now) { return tell_run(now.stage, now.share); }});
    if (!comparison) return in_run(experiment, run.name, comparison.error());
    add_comparison(run.name, *comparison, measured.findings);
    measured.comparisons.emplace_back(run.name, std::move(*comparison));
  }
  return measured;
}

Result<Judgement> judge(const Experiment& experiment, size_t claim, const Findings& findings) {
  const std::string& rule = experiment.claims[claim].holds;
  Result<Judgement> judged = judge_claim(rule, findings);
  if (!judged)
    return Error{source_of(experiment) + format(": claims.%zu.holds", claim),
                 "= \"" + rule + "\": " + judged.error().what, judged.error().remedy};
  return judged;
}

// A sweep's verdict on each claim, by the claim's index; `own` are those for the experiment's own choice.
Result<std::map<size_t, SweptVerdict>> judge_sweep(const Experiment& experiment, size_t sweep,
                                                   const std::map<size_t, bool>& own, const ExperimentOptions& options,
                                                   const Tell& tell) {
  const ExperimentSweep& swept = experiment.sweeps[sweep];
  std::map<size_t, SweptVerdict> verdicts;
  for (size_t v = 0; v < swept.values.size(); ++v) {
    const ExperimentSweep::Value& value = swept.values[v];
    const auto tell_value = [&](const std::string& stage, double share) {
      return tell(joined({swept.over, " ", value.label, ", ", stage}),
                  (static_cast<double>(v) + share) / static_cast<double>(swept.values.size()));
    };
    const Result<Plan> planned = plan_sweep(experiment, options.full, sweep, v);
    if (!planned) return planned.error();
    Findings findings;
    if (!value.set.empty()) {
      Result<Measured> measured = measure(experiment, planned->runs, options, {}, tell_value);
      if (!measured) {
        const Error& e = measured.error();
        return Error{e.where, e.what + " (" + swept.over + ": " + value.label + ")", e.remedy};
      }
      findings = std::move(measured->findings);
    }
    for (const size_t claim : planned->claims) {
      bool holds = false;
      if (value.set.empty()) {
        holds = own.at(claim);
      } else {
        const Result<Judgement> judged = judge(experiment, claim, findings);
        if (!judged) return judged.error();
        holds = judged->holds;
      }
      verdicts[claim].over = swept.over;
      verdicts[claim].holds.emplace_back(value.label, holds);
    }
  }
  return verdicts;
}

}  // namespace

Result<ExperimentOutcome> reproduce(const Experiment& experiment, const ExperimentOptions& options,
                                    const ExperimentObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  if (const Status good = check_experiment(experiment, options.full); !good) return good.error();
  const Result<Plan> planned = plan(experiment, options.full);
  if (!planned) return planned.error();

  // The experiment itself is one part, and each sweep value that is run is another.
  const auto part = [](const ExperimentSweep& sweep) { return static_cast<double>(sweep.values.size()); };
  double parts = 1, done = 0;
  if (options.sweeps)
    for (const ExperimentSweep& sweep : experiment.sweeps) parts += part(sweep);
  Watching watching(options.interrupt);
  const auto tell_parts = [&](double of) {
    return [&, of](const std::string& stage, double share) {
      return watching.tell(observer.on_progress, Progress{stage, (done + of * share) / parts});
    };
  };

  ExperimentOutcome outcome;
  outcome.experiment = experiment;
  outcome.full = options.full;
  Result<Measured> measured = measure(experiment, planned->runs, options, options.record_to, tell_parts(1));
  if (!measured) return measured.error();
  outcome.comparisons = std::move(measured->comparisons);
  std::map<size_t, bool> own;
  std::map<size_t, size_t> verdict_of;
  for (const size_t claim : planned->claims) {
    Result<Judgement> judged = judge(experiment, claim, measured->findings);
    if (!judged) return judged.error();
    own[claim] = judged->holds;
    verdict_of[claim] = outcome.verdicts.size();
    outcome.verdicts.push_back({experiment.claims[claim], judged->holds, std::move(judged->figures), {}});
  }
  done = 1;

  if (options.sweeps) {
    for (size_t k = 0; k < experiment.sweeps.size(); ++k) {
      const double of = part(experiment.sweeps[k]);
      Result<std::map<size_t, SweptVerdict>> swept = judge_sweep(experiment, k, own, options, tell_parts(of));
      if (!swept) return swept.error();
      for (auto& [claim, verdict] : *swept) outcome.verdicts[verdict_of.at(claim)].swept.push_back(std::move(verdict));
      done += of;
    }
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace sinew
