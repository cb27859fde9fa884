// Figures and tables of papers, and what became of their claims.
#include "reproduction.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "errors.h"
#include "interrupt.h"
#include "sinew/experiment.h"
#include "sinew/folder.h"
#include "sinew/text.h"
#include "text.h"

namespace sinew::python {
namespace {

namespace py = pybind11;
namespace fs = std::filesystem;

std::vector<std::string> experiments_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
    if (at->path().extension() == ".json") names.push_back(at->path().stem().string());
  if (names.empty())
    fail(folder.string(), fault ? "cannot be read (" + fault.message() + ")" : "has no experiments",
         "give the folder of the descriptions: `experiments`");
  std::sort(names.begin(), names.end());
  return names;
}

Experiment experiment_from(const std::string& given, const fs::path& folder) {
  if (given.ends_with(".json")) return value_of(read_experiment(given));
  const std::vector<std::string> known = experiments_in(folder);
  if (std::find(known.begin(), known.end(), given) == known.end())
    fail(given, "there is no such experiment",
         did_you_mean(given, std::vector<std::string_view>(known.begin(), known.end())));
  return value_of(read_experiment(folder / (given + ".json")));
}

ExperimentOutcome reproduce_experiment(const py::object& experiment, const std::optional<fs::path>& output, bool full,
                                       bool sweeps, int threads, bool figures, const fs::path& experiments) {
  check_threads(threads);
  const std::string given = path_from(experiment, "experiment");
  const Experiment described = experiment_from(given, experiments);
  ExperimentOptions options;
  options.full = full;
  options.sweeps = sweeps;
  options.threads = threads;
  // Only one program writes into the folder for as long as this takes.
  std::optional<FolderLock> lock;
  if (output) {
    check(check_experiment(described, full));
    check(check_outcome_folder(described, *output));
    lock = value_of(FolderLock::claim(*output));
    if (figures) options.record_to = *output;
  }
  return value_of(interruptible_within([&](const std::atomic<bool>* interrupt) -> Result<ExperimentOutcome> {
    options.interrupt = interrupt;
    Result<ExperimentOutcome> outcome = reproduce(described, options);
    if (outcome && output)
      if (const auto written = write_outcome(*outcome, *output, figures); !written) return written.error();
    return outcome;
  }));
}

template <class Pairs>
py::dict dict_of(const Pairs& pairs) {
  py::dict dict;
  for (const auto& [key, value] : pairs) dict[py::str(key)] = value;
  return dict;
}

}  // namespace

void bind_reproduction(py::module_& m) {
  py::class_<Verdict>(m, "Verdict", "What became of a claim of a paper.")
      .def_property_readonly(
          "says", [](const Verdict& v) { return v.claim.says; }, "The claim in words.")
      .def_property_readonly(
          "rule", [](const Verdict& v) { return v.claim.holds; }, "In the language of claims.")
      .def_property_readonly(
          "paper", [](const Verdict& v) { return v.claim.paper; }, "The paper's number, or \"\".")
      .def_property_readonly(
          "reason", [](const Verdict& v) { return v.claim.reason; },
          "Why it does not hold, where that is known, or \"\".")
      .def_readonly("holds", &Verdict::holds)
      .def_property_readonly(
          "figures", [](const Verdict& v) { return dict_of(v.figures); }, "The measured values of the claim's terms.")
      .def_property_readonly(
          "swept",
          [](const Verdict& v) {
            py::dict swept;
            for (const SweptVerdict& sweep : v.swept) swept[py::str(sweep.over)] = dict_of(sweep.holds);
            return swept;
          },
          "With sweeps: for each choice that the paper leaves open, whether the claim holds by the value chosen.")
      .def("__bool__", [](const Verdict& v) { return v.holds; })
      .def("__repr__", [](const Verdict& v) {
        return "<sinew.Verdict " + v.claim.says + ": " + (v.holds ? "holds>" : "does not hold>");
      });

  py::class_<ExperimentOutcome>(m, "Reproduction", "An experiment that was run, and its verdicts.")
      .def_property_readonly("name", [](const ExperimentOutcome& o) { return o.experiment.name; })
      .def_property_readonly("title", [](const ExperimentOutcome& o) { return o.experiment.title; })
      .def_property_readonly(
          "source", [](const ExperimentOutcome& o) { return o.experiment.source; }, "Paper and figure.")
      .def_property_readonly(
          "note", [](const ExperimentOutcome& o) { return o.experiment.note; }, "What differs from the paper.")
      .def_readonly("full", &ExperimentOutcome::full, "Whether it was run at the paper's size.")
      .def_readonly("seconds", &ExperimentOutcome::seconds)
      .def_readonly("verdicts", &ExperimentOutcome::verdicts)
      .def_property_readonly(
          "comparisons", [](const ExperimentOutcome& o) { return dict_of(o.comparisons); },
          "The Comparison of each run, by its name.")
      .def("__str__", &outcome_text)
      .def("__repr__", [](const ExperimentOutcome& o) {
        const auto held = std::count_if(o.verdicts.begin(), o.verdicts.end(), [](const Verdict& v) { return v.holds; });
        return "<sinew.Reproduction " + o.experiment.name + ", " + std::to_string(held) + " of " +
               std::to_string(o.verdicts.size()) + " claims hold>";
      });

  const ExperimentOptions usual;
  m.def(
      "reproduce", &reproduce_experiment, py::arg("experiment"), py::kw_only(), py::arg("output") = py::none(),
      py::arg("full") = usual.full, py::arg("sweeps") = usual.sweeps, py::arg("threads") = usual.threads,
      py::arg("figures") = true, py::arg("experiments") = "experiments",
      "Runs a figure or table of a paper, as `sinew reproduce` does, and judges its claims. `experiment`: the file of "
      "its description, or a name among those in the folder `experiments`. `output`: a folder for tables and, with "
      "`figures`, figures. `full`: at the paper's size. `sweeps`: also judges the claims for other values of what "
      "the paper leaves open.");
  m.def(
      "experiments", [](const fs::path& folder) { return experiments_in(folder); }, py::arg("folder") = "experiments",
      "The names of the experiments in a folder.");
}

}  // namespace sinew::python
