// Runs an experiment: its comparisons, then its claims.
#include <chrono>

#include "base/format.h"
#include "experiment/claim.h"
#include "experiment/findings.h"
#include "mesh/coloring.h"
#include "scene/compile.h"
#include "sinew/compare.h"
#include "sinew/experiment.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

Error in_run(const Experiment& experiment, const std::string& run, const Error& e) {
  return {experiment.name + ": runs." + run, e.where.empty() ? e.what : e.where + ": " + e.what, e.remedy};
}

// A run as it is at the size that is asked for.
ExperimentRun at_size(ExperimentRun run, bool full) {
  if (!full) return run;
  run.set.insert(run.set.end(), run.full.set.begin(), run.full.set.end());
  if (run.full.iterations > 0) run.iterations = run.full.iterations;
  if (run.full.steps > 0) run.steps = run.full.steps;
  if (run.full.frames > 0) run.frames = run.full.frames;
  return run;
}

Result<Scene> scene_of(const Experiment& experiment, const ExperimentRun& run, bool full) {
  std::vector<std::string> overrides;
  if (full) overrides = experiment.full;
  overrides.insert(overrides.end(), run.set.begin(), run.set.end());
  if (!experiment.scene.starts_with('{'))
    return read_scene(std::filesystem::path(experiment.folder) / experiment.scene, overrides);
  return parse_scene(experiment.scene, experiment.name + ".json: scene", experiment.folder, overrides);
}

Result<std::vector<ComparedMethod>> methods_of(const ExperimentRun& run, const Scene& scene) {
  std::vector<ComparedMethod> methods;
  for (const ExperimentMethod& m : run.methods) {
    Result<std::vector<ComparedMethod>> read = parse_methods(m.method, scene);
    if (!read) return read.error();
    if (read->size() != 1) return Error{"methods." + m.label, "is more than one method", "give each its own label"};
    methods.push_back(std::move(read->front()));
    methods.back().label = m.label;
    methods.back().iterations = m.iterations;
  }
  return methods;
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
  findings.numbers[run.name + ".vertices"] = static_cast<double>(vertices);
  findings.numbers[run.name + ".tets"] = static_cast<double>(tets.size());
  findings.numbers[run.name + ".vertex_colors"] = color_vertices(tets, incidence, {}).count;
  findings.numbers[run.name + ".element_colors"] = color_tets(tets, vertices, {}).count;
  findings.numbers[run.name + ".most_tets_at_a_vertex"] = static_cast<double>(most);
  return {};
}

}  // namespace

Result<ExperimentOutcome> reproduce(const Experiment& experiment, const ExperimentOptions& options,
                                    const std::function<void(const ExperimentProgress&)>& progress) {
  const auto start = std::chrono::steady_clock::now();
  ExperimentOutcome outcome;
  outcome.experiment = experiment;
  outcome.full = options.full;
  Findings findings;
  for (size_t k = 0; k < experiment.runs.size(); ++k) {
    const ExperimentRun run = at_size(experiment.runs[k], options.full);
    if (run.full_only && !options.full) continue;
    const auto tell = [&](const std::string& stage, double fraction) {
      const double share = (static_cast<double>(k) + fraction) / static_cast<double>(experiment.runs.size());
      if (progress) progress({stage.empty() ? run.name : run.name + ": " + stage, share});
    };
    tell("", 0);
    const Result<Scene> scene = scene_of(experiment, run, options.full);
    if (!scene) return in_run(experiment, run.name, scene.error());
    if (run.colors) {
      if (Status s = count_colors(run, *scene, findings); !s) return in_run(experiment, run.name, s.error());
    }
    if (run.methods.empty()) continue;

    ComparisonOptions comparing;
    Result<std::vector<ComparedMethod>> methods = methods_of(run, *scene);
    if (!methods) return in_run(experiment, run.name, methods.error());
    comparing.methods = std::move(*methods);
    comparing.iterations = run.iterations;
    comparing.budget = run.budget;
    comparing.at_frame = run.at_frame;
    comparing.steps = run.steps;
    comparing.frames = run.frames;
    comparing.reference = run.reference;
    comparing.plot = run.plot;
    comparing.threads = run.threads > 0 ? run.threads : options.threads;
    if (run.picture && !options.record_to.empty()) comparing.record_to = options.record_to / run.name;
    comparing.interrupt = options.interrupt;
    Result<Comparison> comparison =
        compare(*scene, comparing, [&](const ComparisonProgress& now) { tell(now.stage, now.fraction); });
    if (!comparison) return in_run(experiment, run.name, comparison.error());
    add_comparison(run.name, *comparison, findings);
    outcome.comparisons.emplace_back(run.name, std::move(*comparison));
  }

  for (const ExperimentClaim& claim : experiment.claims) {
    if (claim.full_only && !options.full) continue;
    Result<Judgement> judged = judge_claim(claim.holds, findings);
    if (!judged) return Error{experiment.name + ": \"" + claim.says + "\"", judged.error().message(), ""};
    outcome.verdicts.push_back({claim, judged->holds, std::move(judged->figures)});
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace sinew
