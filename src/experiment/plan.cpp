#include "experiment/plan.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "experiment/claim.h"
#include "experiment/findings.h"
#include "record/measures.h"
#include "scene/faults.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// A run at the requested size.
ExperimentRun at_size(ExperimentRun run, bool full) {
  if (!full) return run;
  run.set.insert(run.set.end(), run.full.set.begin(), run.full.set.end());
  if (run.full.iterations > 0) run.iterations = run.full.iterations;
  if (run.full.steps > 0) run.steps = run.full.steps;
  if (run.full.frames > 0) run.frames = run.full.frames;
  return run;
}

// An override and its key.
struct Override {
  std::string key, text;
};

// Overrides that come after all others, and their key.
struct LastOverrides {
  std::string key;
  std::vector<std::string> set;
};

std::vector<Override> overrides_of(const Experiment& experiment, const ExperimentRun& run, bool full,
                                   const LastOverrides& last) {
  std::vector<Override> all;
  const auto add = [&](const std::string& key, const std::vector<std::string>& texts) {
    for (size_t k = 0; k < texts.size(); ++k) all.push_back({format("%s.%zu", key.c_str(), k), texts[k]});
  };
  if (full) add("full", experiment.full);
  add("runs." + run.name + ".set", run.set);
  if (full) add("runs." + run.name + ".full.set", run.full.set);
  add(last.key, last.set);
  return all;
}

// The scene with the first `count` of the overrides.
Result<Scene> scene_of(const Experiment& experiment, const std::vector<Override>& overrides, size_t count) {
  std::vector<std::string> texts;
  for (size_t k = 0; k < count; ++k) texts.push_back(overrides[k].text);
  if (!experiment.scene.starts_with('{'))
    return read_scene(std::filesystem::path(experiment.folder) / experiment.scene, texts);
  return parse_scene(experiment.scene, source_of(experiment) + ": scene", experiment.folder, texts);
}

// Joins the faults of a scene, one per line, into one line.
std::string in_one_line(const std::string& text) {
  std::string line;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\n') {
      line += text[k];
      continue;
    }
    line += "; ";
    while (k + 1 < text.size() && text[k + 1] == ' ') ++k;
  }
  return line;
}

// Reports a scene's fault at the first override that causes it, or else at the scene.
void add_scene_fault(const Experiment& experiment, const std::vector<Override>& overrides, const Error& error,
                     Faults& faults) {
  size_t count = 0;
  while (count < overrides.size() && scene_of(experiment, overrides, count).ok()) ++count;
  const std::string key = count == 0 ? "scene" : overrides[count - 1].key;
  if (faults.names(key)) return;  // by an earlier run
  const std::string inside = source_of(experiment) + ": scene";
  if (count > 0)
    faults.add(key, " = \"" + overrides[count - 1].text + "\": " + in_one_line(error.what), error.remedy);
  else
    faults.add(key, ": " + (error.where == inside ? "" : error.where + ": ") + in_one_line(error.what), error.remedy);
}

std::vector<ComparedMethod> methods_of(const ExperimentRun& run, const Scene& scene, Faults& faults) {
  std::vector<ComparedMethod> methods;
  for (const ExperimentMethod& m : run.methods) {
    const std::string key = "runs." + run.name + ".methods." + m.label;
    const std::string written = " = \"" + m.method + "\": ";
    Result<std::vector<ComparedMethod>> read = parse_methods(m.method, scene);
    if (!read) {
      // Remedies that name command-line options would be keys here.
      const bool of_options = read.error().remedy.find("--") != std::string::npos;
      faults.add(key, written + read.error().what,
                 of_options ? "use \"iterations\" or \"budget_ms\" of the run" : read.error().remedy);
    } else if (read->size() != 1) {
      faults.add(key, written + "is more than one method", "give each its own label");
    } else {
      methods.push_back(std::move(read->front()));
      methods.back().label = m.label;
      methods.back().iterations = m.iterations;
    }
  }
  return methods;
}

std::vector<std::string> probes_of(const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneProbe& probe : scene.probes) names.push_back(probe.name);
  return names;
}

PlannedRun planned(const ExperimentRun& run, Scene scene, Faults& faults) {
  const std::string key = "runs." + run.name;
  PlannedRun plan;
  plan.run = run;
  plan.scene = std::move(scene);
  ComparisonOptions& comparing = plan.comparing;
  comparing.methods = methods_of(run, plan.scene, faults);
  comparing.iterations = run.iterations;
  comparing.budget = run.budget;
  comparing.at_frame = run.at_frame;
  comparing.steps = run.steps;
  comparing.frames = run.frames;
  comparing.reference = run.reference;
  comparing.plot = run.plot;
  comparing.threads = run.threads;

  const double frames = std::round(plan.scene.time.duration / plan.scene.time.frame_dt);
  if (static_cast<double>(run.at_frame) > frames)
    faults.add(key + ".at_frame",
               format(" = %lld: the scene has frames 0 to %.0f", static_cast<long long>(run.at_frame), frames),
               "choose one of them, or a longer time.duration");
  for (size_t k = 0; k < run.plot.size(); ++k)
    if (const auto measures = measures_named({run.plot[k]}, probes_of(plan.scene)); !measures)
      faults.add(format("%s.plot.%zu", key.c_str(), k), ": " + measures.error().what, measures.error().remedy);
  return plan;
}

// Adds the names of everything that the run will measure, if no method rejects the scene, so that claims can be parsed.
// The values are meaningless.
void expect(const PlannedRun& plan, Findings& findings) {
  if (plan.run.colors) add_colors(plan.run.name, {}, findings);
  if (plan.run.methods.empty()) return;
  Comparison comparison;
  comparison.probes = probes_of(plan.scene);
  ShapeMeasures shape;
  shape.probes.resize(comparison.probes.size());
  for (const ComparedMethod& method : plan.comparing.methods) {
    Curve& curve = comparison.curves.emplace_back();
    curve.label = method.label;
    curve.points.emplace_back();
    curve.points.back().iteration = 1;
    curve.points.back().shape = shape;
    curve.trajectory.emplace_back();
    curve.trajectory.back().shape = shape;
  }
  add_comparison(plan.run.name, comparison, findings);
}

// The runs due at this size: those named by a sweep, or all of the experiment.
std::vector<PlannedRun> plan_runs(const Experiment& experiment, bool full, const std::vector<std::string>& named,
                                  const LastOverrides& last, Faults& faults) {
  std::vector<PlannedRun> plans;
  for (const ExperimentRun& described : experiment.runs) {
    if (described.full_only && !full) continue;
    if (!named.empty() && std::find(named.begin(), named.end(), described.name) == named.end()) continue;
    const std::vector<Override> overrides = overrides_of(experiment, described, full, last);
    Result<Scene> scene = scene_of(experiment, overrides, overrides.size());
    if (scene)
      plans.push_back(planned(at_size(described, full), std::move(*scene), faults));
    else
      add_scene_fault(experiment, overrides, scene.error(), faults);
  }
  return plans;
}

}  // namespace

std::string source_of(const Experiment& experiment) {
  return experiment.file.empty() ? experiment.name : experiment.file;
}

Result<Plan> plan(const Experiment& experiment, bool full) {
  Plan plan;
  Faults faults;
  plan.runs = plan_runs(experiment, full, {}, {}, faults);
  if (!faults.empty()) return faults.error(source_of(experiment));

  Findings findings;
  for (const PlannedRun& run : plan.runs) expect(run, findings);
  for (size_t k = 0; k < experiment.claims.size(); ++k) {
    const ExperimentClaim& claim = experiment.claims[k];
    if (claim.full_only && !full) continue;
    plan.claims.push_back(k);
    if (const Result<Judgement> judged = judge_claim(claim.holds, findings); !judged)
      faults.add(format("claims.%zu.holds", k), " = \"" + claim.holds + "\": " + judged.error().what,
                 judged.error().remedy);
  }
  if (!faults.empty()) return faults.error(source_of(experiment));
  return plan;
}

Result<Plan> plan_sweep(const Experiment& experiment, bool full, size_t sweep, size_t value) {
  const ExperimentSweep& swept = experiment.sweeps[sweep];
  const ExperimentSweep::Value& tried = swept.values[value];
  const std::string key = format("sweeps.%zu", sweep);
  Plan plan;
  Faults faults;
  plan.runs = plan_runs(experiment, full, swept.runs, {key + ".values." + tried.label, tried.set}, faults);

  Findings findings;
  for (const PlannedRun& run : plan.runs) expect(run, findings);
  for (size_t k = 0; k < experiment.claims.size(); ++k)
    if (judge_claim(experiment.claims[k].holds, findings)) plan.claims.push_back(k);
  if (faults.empty() && plan.claims.empty() && !plan.runs.empty())
    faults.add(key + ".runs", ": no claim is about these runs alone", "name the runs of a claim, or leave the key out");
  if (!faults.empty()) return faults.error(source_of(experiment));
  return plan;
}

Status check_experiment(const Experiment& experiment, bool full) {
  if (const Result<Plan> planned = plan(experiment, full); !planned) return planned.error();
  for (size_t s = 0; s < experiment.sweeps.size(); ++s)
    for (size_t v = 0; v < experiment.sweeps[s].values.size(); ++v)
      if (const Result<Plan> planned = plan_sweep(experiment, full, s, v); !planned) return planned.error();
  return {};
}

}  // namespace sinew
