// Runs an experiment: its comparisons, then its claims.
#include <chrono>

#include "base/format.h"
#include "base/nearest.h"
#include "experiment/claim.h"
#include "experiment/findings.h"
#include "experiment/plan.h"
#include "mesh/coloring.h"
#include "scene/compile.h"
#include "sinew/compare.h"
#include "sinew/experiment.h"

namespace sinew {
namespace {

Error in_run(const Experiment& experiment, const std::string& run, const Error& e) {
  return {source_of(experiment) + ": runs." + run, Error{e.where, e.what, ""}.message(), e.remedy};
}

// As the papers count them: in the order in which the mesh has its vertices and tets.
Status count_colors(const ExperimentRun& run, const Scene& scene, Findings& findings) {
  const Result<CompiledScene> compiled = compile_scene(scene);
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

}  // namespace

Result<ExperimentOutcome> reproduce(const Experiment& experiment, const ExperimentOptions& options,
                                    const std::function<void(const ExperimentProgress&)>& progress) {
  const auto start = std::chrono::steady_clock::now();
  Result<std::vector<PlannedRun>> plans = plan(experiment, options.full);
  if (!plans) return plans.error();
  ExperimentOutcome outcome;
  outcome.experiment = experiment;
  outcome.full = options.full;
  Findings findings;
  for (size_t k = 0; k < plans->size(); ++k) {
    const auto& [run, scene, planned] = (*plans)[k];
    const auto tell = [&, name = run.name](const std::string& stage, double fraction) {
      const double share = (static_cast<double>(k) + fraction) / static_cast<double>(plans->size());
      if (progress) progress({stage.empty() ? name : joined({name, ": ", stage}), share});
    };
    tell("", 0);
    if (run.colors) {
      if (Status s = count_colors(run, scene, findings); !s) return in_run(experiment, run.name, s.error());
    }
    if (run.methods.empty()) continue;

    ComparisonOptions comparing = planned;
    if (comparing.threads == 0) comparing.threads = options.threads;
    if (run.picture && !options.record_to.empty()) comparing.record_to = options.record_to / run.name;
    comparing.interrupt = options.interrupt;
    Result<Comparison> comparison =
        compare(scene, comparing, [&](const ComparisonProgress& now) { tell(now.stage, now.fraction); });
    if (!comparison) return in_run(experiment, run.name, comparison.error());
    add_comparison(run.name, *comparison, findings);
    outcome.comparisons.emplace_back(run.name, std::move(*comparison));
  }

  for (size_t k = 0; k < experiment.claims.size(); ++k) {
    const ExperimentClaim& claim = experiment.claims[k];
    if (claim.full_only && !options.full) continue;
    Result<Judgement> judged = judge_claim(claim.holds, findings);
    if (!judged)
      return Error{source_of(experiment) + format(": claims.%zu.holds", k),
                   "= \"" + claim.holds + "\": " + judged.error().what, judged.error().remedy};
    outcome.verdicts.push_back({claim, judged->holds, std::move(judged->figures)});
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace sinew
