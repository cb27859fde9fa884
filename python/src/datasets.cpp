#include "datasets.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <mutex>
#include <string>

#include "errors.h"
#include "interrupt.h"
#include "scenes.h"
#include "sinew/dataset.h"
#include "sinew/lanes.h"
#include "text.h"

namespace sinew::python {
namespace {

DatasetPlan plan_from(const py::object& given, const py::object& overrides, const py::object& folder) {
  const std::vector<std::string> changes = overrides_from(overrides);
  if (py::isinstance<py::str>(given) || py::hasattr(given, "__fspath__"))
    return value_of(read_dataset_plan(path_from(given, "plan"), changes));
  if (!has_keys(given))
    fail("plan", "is a " + std::string(py::str(py::type::of(given).attr("__name__"))),
         "give the path of a file or a dict");
  return value_of(parse_dataset_plan(json_from(given), "plan",
                                     folder.is_none() ? std::string() : path_from(folder, "folder"), changes));
}

// Lanes are of the whole program: data sets that are made at once have the same.
class LanesOfDataset {
 public:
  // 0: those in use. Errors: no such lanes; others are in use for another data set.
  explicit LanesOfDataset(int lanes) {
    const std::lock_guard lock(busy_);
    before_ = lanes_in_use();
    changed_ = lanes != 0 && lanes != before_;
    if (making_ > 0 && (changed_ || differ_))
      fail("lanes", "another data set is being made in this process, with other lanes",
           "wait for its end, or use another process");
    if (changed_) check(set_lanes(lanes));
    differ_ = changed_;
    ++making_;
  }
  ~LanesOfDataset() {
    const std::lock_guard lock(busy_);
    if (--making_ > 0 || !changed_) return;
    differ_ = false;
    static_cast<void>(set_lanes(before_));
  }
  LanesOfDataset(const LanesOfDataset&) = delete;
  LanesOfDataset& operator=(const LanesOfDataset&) = delete;

 private:
  static inline std::mutex busy_;
  static inline int making_ = 0;
  static inline bool differ_ = false;
  int before_ = 0;
  bool changed_ = false;
};

DatasetOutcome make(const py::object& plan, const std::filesystem::path& output, int workers, int lanes,
                    const py::object& overrides, const py::object& folder) {
  check_threads(workers, "workers");
  const DatasetPlan taken = plan_from(plan, overrides, folder);
  const LanesOfDataset of_all(lanes);
  DatasetOptions options;
  options.folder = output;
  options.workers = workers;
  return interruptible<DatasetOutcome>([&](auto&& watch) {
    return make_dataset(taken, options, [&watch](const DatasetProgress&) { return watch(Progress{}); });
  });
}

DatasetVerdict verify(const std::filesystem::path& folder, bool residuals, int workers) {
  check_threads(workers, "workers");
  const VerifyOptions options{.residuals = residuals, .workers = workers};
  return interruptible<DatasetVerdict>(
      [&](auto&& watch) { return verify_dataset(folder, options, Listener<Progress>(watch)); });
}

}  // namespace

void bind_datasets(py::module_& m) {
  py::class_<DatasetOutcome>(m, "DatasetOutcome", "What was made of a data set.")
      .def_readonly("complete", &DatasetOutcome::complete, "All samples are there, and the files that join them.")
      .def_readonly("interrupted", &DatasetOutcome::interrupted)
      .def_readonly("made", &DatasetOutcome::made, "Samples, by this call.")
      .def_readonly("failed", &DatasetOutcome::failed, "Of all that are finished.")
      .def_readonly("solving", &DatasetOutcome::solving, "[s] of all workers.")
      .def_readonly("setting_up", &DatasetOutcome::setting_up, "[s] of all workers.")
      .def_readonly("writing", &DatasetOutcome::writing, "[s] of all workers.");
  py::class_<DatasetVerdict>(m, "DatasetVerdict", "Whether a data set is as it was written.")
      .def_readonly("samples", &DatasetVerdict::samples, "That could be read.")
      .def_readonly("failed", &DatasetVerdict::failed, "Of them, those that are recorded as failed.")
      .def_readonly("residuals", &DatasetVerdict::residuals, "That were computed anew.")
      .def_readonly("worst", &DatasetVerdict::worst, "Their largest difference from the files, over the tolerance.")
      .def_readonly("unchecked", &DatasetVerdict::unchecked, "Why residuals were not computed, or empty.")
      .def_property_readonly(
          "faults",
          [](const DatasetVerdict& v) {
            py::list texts;
            for (const Error& fault : v.faults) texts.append(text_of(fault.message()));
            return texts;
          },
          "What is missing, cut short or altered.")
      .def_property_readonly(
          "checksum",
          [](const DatasetVerdict& v) { return v.checksum ? std::optional(hash_text(*v.checksum)) : std::nullopt; },
          "Of all samples, without seconds: equal for equal data sets. None where there are faults.");

  const auto none = py::none();
  m.def("make_dataset", &make, py::arg("plan"), py::arg("output"), py::kw_only(), py::arg("workers") = 0,
        py::arg("lanes") = 0, py::arg("overrides") = none, py::arg("folder") = none,
        "Makes the data set of a plan in a folder, or goes on with it, as `sinew dataset` does.\n\n"
        "plan: the path of a file, or a dict with its keys; overrides: of its scene; folder: base of a dict's relative "
        "paths; workers: samples at once, 0: one per core; lanes: of SIMD, for what was begun on another machine: "
        "meanwhile they are "
        "those of the whole program; 0: the widest. Ctrl-C keeps what is finished.");
  m.def("verify_dataset", &verify, py::arg("folder"), py::kw_only(), py::arg("residuals") = true,
        py::arg("workers") = 0,
        "Reads all of a data set, compares checksums and computes the residuals of equilibria anew.");
  m.def(
      "dataset_parameters",
      [](const py::object& plan, const py::object& folder) {
        const DatasetPlan taken = plan_from(plan, py::none(), folder);
        const std::vector<double> table = dataset_parameters(taken);
        const auto rows = static_cast<py::ssize_t>(taken.samples);
        py::array_t<double> array({rows, static_cast<py::ssize_t>(taken.parameters.size())});
        std::copy(table.begin(), table.end(), array.mutable_data());
        return array;
      },
      py::arg("plan"), py::arg("folder") = none,
      "The parameters of all samples of a plan, (S, P), without making any.");
}

}  // namespace sinew::python
