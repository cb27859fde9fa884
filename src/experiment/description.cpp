// Reads an experiment from JSON, strictly: reports every fault with the path of its key.
#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "files/read_file.h"
#include "scene/faults.h"
#include "scene/json.h"
#include "scene/object_members.h"
#include "sinew/experiment.h"

namespace sinew {
namespace {

// Names are used in claims.
void check_name(const std::string& name, const std::string& path, Faults& faults) {
  const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!good || (name[0] >= '0' && name[0] <= '9') || name == "frames" || name == "reference")
    faults.add(path, ": is not a valid name for claims", "use small letters, digits and _, beginning with a letter");
}

void read_methods(const Json& json, const std::string& path, std::vector<ExperimentMethod>& methods, Faults& faults) {
  if (!json.is_object()) {
    faults.add(path, " is " + std::string(kind_of(json)) + ", not an object {\"label\": \"method\"}");
    return;
  }
  for (size_t k = 0; k < json.items.size(); ++k) {
    ExperimentMethod method;
    method.label = json.keys[k];
    const std::string at = path + "." + method.label;
    check_name(method.label, at, faults);
    if (json.items[k].is_string()) {
      method.method = json.items[k].text;
    } else {
      ObjectMembers m(json.items[k], at, faults);
      m.text("method", method.method, true);
      m.whole("iterations", method.iterations, 1);
    }
    methods.push_back(std::move(method));
  }
}

ExperimentRun read_run(const std::string& name, const Json& json, const std::string& path, Faults& faults) {
  ExperimentRun run;
  run.name = name;
  check_name(name, path, faults);
  ObjectMembers m(json, path, faults);
  m.texts("set", run.set);
  if (const Json* methods = m.find("methods")) read_methods(*methods, path + ".methods", run.methods, faults);
  m.whole("iterations", run.iterations, 1);
  m.number("budget_ms", run.budget, 0);
  m.whole("at_frame", run.at_frame, 0);
  m.whole("steps", run.steps, 1);
  m.whole("frames", run.frames, 0);
  m.whole("threads", run.threads, 1, 1024);
  m.exclude("frames", "steps");
  m.exclude("budget_ms", "iterations");
  m.toggle("reference", run.reference);
  m.toggle("colors", run.colors);
  m.texts("plot", run.plot);
  if (m.find("picture")) m.whole("picture", run.picture.emplace(), 0);
  m.toggle("full_only", run.full_only);
  if (const Json* json_of_full = m.find("full")) {
    ObjectMembers full(*json_of_full, path + ".full", faults);
    full.texts("set", run.full.set);
    full.whole("iterations", run.full.iterations, 1);
    full.whole("steps", run.full.steps, 1);
    full.whole("frames", run.full.frames, 1);
    full.exclude("frames", "steps");
    // A run counts in the same units at any size.
    for (const auto& [key, other] : {std::pair{"steps", "frames"}, {"frames", "steps"}, {"iterations", "budget_ms"}})
      if (json.is_object() && json.find(other) && json_of_full->is_object() && json_of_full->find(key))
        faults.add(full.path_of(key), joined({": the run goes by ", other}), "leave out one of them");
  }
  if (const int64_t last = run.frames > 0 ? run.frames : run.steps; run.picture.value_or(0) > last)
    faults.add(path + ".picture", format(": must be 0 to %lld, the frames compared", static_cast<long long>(last)));
  if (run.methods.empty() && !run.colors) faults.add(path, ": does nothing", "give it methods, or \"colors\": true");
  return run;
}

ExperimentSweep read_sweep(const Json& json, const std::string& path, const std::vector<ExperimentRun>& runs,
                           Faults& faults) {
  ExperimentSweep sweep;
  ObjectMembers m(json, path, faults);
  m.text("over", sweep.over, true);
  m.texts("runs", sweep.runs);
  for (size_t k = 0; k < sweep.runs.size(); ++k)
    if (std::none_of(runs.begin(), runs.end(), [&](const ExperimentRun& r) { return r.name == sweep.runs[k]; }))
      faults.add(format("%s.runs.%zu", path.c_str(), k), " = \"" + sweep.runs[k] + "\": there is no such run");
  const Json* values = m.find("values", true);
  if (!values) return sweep;
  if (!values->is_object()) {
    m.wrong("values", *values, "an object {\"label\": [\"PATH=VALUE\", ...]}");
    return sweep;
  }
  ObjectMembers v(*values, path + ".values", faults);
  for (const std::string& label : values->keys) {
    sweep.values.push_back({label, {}});
    v.texts(label, sweep.values.back().set);
  }
  if (values->items.empty()) faults.add(path + ".values", ": there are none");
  return sweep;
}

// Recognizes files that are not experiments at all, for which a syntax error would be no help.
Status check_kind(std::string_view text, const std::string& name) {
  const std::string remedy = "an experiment looks like { \"title\": ..., \"scene\": ..., \"runs\": {...}, ... }";
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Error{name, "is empty", remedy};
  if (std::string_view("{[/").find(text[first]) != std::string_view::npos) return {};
  const bool binary = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n' && c != '\f';
  });
  return Error{name, binary ? "is no experiment but a binary file" : "is no experiment: it does not begin with {",
               remedy};
}

}  // namespace

Result<Experiment> read_experiment(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  if (const Status kind = check_kind(*text, path.string()); !kind) return kind.error();
  const Result<Json> document = parse_json(*text, path.string());
  if (!document) return document.error();

  if (!document->is_object())
    return Error{path.string(), "is " + std::string(kind_of(*document)) + ", not an object",
                 "an experiment is described in docs/experiments.md"};

  Experiment experiment;
  experiment.file = path.string();
  experiment.name = path.stem().string();
  experiment.folder = path.parent_path().string();
  Faults faults;
  {
    ObjectMembers m(*document, "", faults);
    m.text("title", experiment.title, true);
    m.text("source", experiment.source, true);
    m.text("note", experiment.note);
    if (const Json* scene = m.find("scene", true)) {
      if (scene->is_string()) {
        experiment.scene = scene->text;
      } else if (scene->is_object()) {
        experiment.scene = write_json(*scene);
      } else {
        m.wrong("scene", *scene, "a scene or the path of one");
      }
    }
    m.texts("full", experiment.full);
    if (const Json* runs = m.find("runs", true); runs && runs->is_object()) {
      for (size_t k = 0; k < runs->items.size(); ++k)
        experiment.runs.push_back(read_run(runs->keys[k], runs->items[k], "runs." + runs->keys[k], faults));
    } else if (runs) {
      m.wrong("runs", *runs, "an object {\"name\": {...}}");
    }
    if (const Json* sweeps = m.find("sweeps"); sweeps && sweeps->is_array()) {
      for (size_t k = 0; k < sweeps->items.size(); ++k)
        experiment.sweeps.push_back(read_sweep(sweeps->items[k], format("sweeps.%zu", k), experiment.runs, faults));
    } else if (sweeps) {
      m.wrong("sweeps", *sweeps, "a list");
    }
    if (const Json* claims = m.find("claims", true); claims && claims->is_array()) {
      for (size_t k = 0; k < claims->items.size(); ++k) {
        ExperimentClaim claim;
        ObjectMembers c(claims->items[k], format("claims.%zu", k), faults);
        c.text("says", claim.says, true);
        c.text("holds", claim.holds, true);
        c.text("paper", claim.paper);
        c.text("reason", claim.reason);
        c.toggle("full_only", claim.full_only);
        experiment.claims.push_back(std::move(claim));
      }
    } else if (claims) {
      m.wrong("claims", *claims, "a list");
    }
  }
  if (faults.empty() && experiment.runs.empty()) faults.add("runs", ": there are none");
  if (faults.empty() && experiment.claims.empty()) faults.add("claims", ": there are none");
  if (!faults.empty()) return faults.error(path.string());
  return experiment;
}

}  // namespace sinew
