// Solvers on one scene, measured alike.
#include "comparison.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <string>
#include <vector>

#include "errors.h"
#include "interrupt.h"
#include "scenes.h"
#include "sinew/compare.h"
#include "text.h"

namespace sinew::python {
namespace {

// As `sinew compare --solvers` takes it.
std::string list_of(const py::object& solvers) {
  try {
    if (py::isinstance<py::str>(solvers)) return solvers.cast<std::string>();
    std::string list;
    for (const std::string& method : solvers.cast<std::vector<std::string>>())
      list += (list.empty() ? "" : ",") + method;
    return list;
  } catch (const py::cast_error&) {
    fail("solvers", "is no list of names", "give one, as [\"vbd\", \"newton\"], or names with commas between them");
  }
}

Comparison compare_methods(const py::object& scene, const py::object& solvers, int iterations, double budget,
                           int64_t at_frame, int64_t steps, bool reference, int threads, const py::object& overrides,
                           const py::object& folder) {
  check_threads(threads);
  const Scene compared = scene_from(scene, overrides, folder);
  ComparisonOptions options;
  options.methods = value_of(parse_methods(list_of(solvers), compared));
  options.iterations = iterations;
  options.budget = budget;
  options.at_frame = at_frame;
  options.steps = steps;
  options.threads = threads;
  options.reference = reference;
  return value_of(interruptible_within([&](const std::atomic<bool>* interrupt) {
    options.interrupt = interrupt;
    return compare(compared, options);
  }));
}

// A row per iterate, which makes a table for pandas.
py::list rows(const Comparison& comparison) {
  py::list rows;
  for (const Curve& curve : comparison.curves) {
    for (const CurvePoint& p : curve.points) {
      py::dict row;
      row["method"] = curve.label;
      row["iteration"] = p.iteration;
      row["milliseconds"] = p.milliseconds;
      row["residual"] = p.evaluation.residual;
      row["relative_residual"] = p.relative_residual;
      row["energy"] = p.evaluation.energy;
      row["relative_loss"] = p.relative_loss;
      row["error_max"] = p.error.max;
      row["error_rms"] = p.error.rms;
      row["change"] = p.change;
      row["inverted"] = p.evaluation.inverted;
      rows.append(row);
    }
  }
  return rows;
}

}  // namespace

void bind_comparison(py::module_& m) {
  py::class_<Curve>(m, "Curve", "One solver of a comparison.")
      .def_readonly("label", &Curve::label, "As it was asked for.")
      .def_readonly("solver", &Curve::solver)
      .def_readonly("accelerator", &Curve::accelerator)
      .def_property_readonly(
          "refused", [](const Curve& c) { return c.refused ? py::object(text_of(c.refused->message())) : py::none(); },
          "Why it does not take the scene, or None.")
      .def_property_readonly("status", [](const Curve& c) { return name_of(c.status); })
      .def_readonly("setup_milliseconds", &Curve::setup_milliseconds)
      .def_readonly("remarks", &Curve::remarks);
  py::class_<Comparison>(m, "Comparison", "Solvers on one scene, measured by one objective in double precision.")
      .def_readonly("curves", &Comparison::curves)
      .def_property_readonly("warnings", [](const Comparison& c) { return texts_of(c.warnings); })
      .def("rows", &rows,
           "A dict for each iterate of each solver: pandas.DataFrame(comparison.rows()). NaN: not known.")
      .def(
          "to_pandas", [](const py::object& c) { return py::module_::import("sinew._comparison").attr("frame")(c); },
          "The rows as a DataFrame of pandas.")
      .def(
          "plot",
          [](const py::object& c, const std::string& quantity, const std::string& over, const py::object& axes) {
            return py::module_::import("sinew._comparison").attr("plot")(c, quantity, over, axes);
          },
          py::arg("quantity") = "relative_residual", py::kw_only(), py::arg("over") = "iteration",
          py::arg("axes") = py::none(),
          "Draws a quantity of `rows` over iterations or \"milliseconds\", a curve for each solver, with Matplotlib; "
          "into `axes` where they are given. Returns the Axes.")
      .def(
          "write",
          [](const Comparison& c, const std::filesystem::path& folder) {
            const ComparisonFiles files =
                interruptible<ComparisonFiles>([&](const Listener<Progress>&) { return write_comparison(c, folder); });
            return files.written;
          },
          py::arg("folder"), "Writes JSON, CSV and, where gnuplot is, figures. Returns the files.")
      .def("__str__", [](const Comparison& c) { return text_of(comparison_table(c)); })
      .def("__repr__", [](const Comparison& c) {
        return text_of("<sinew.Comparison of " + std::to_string(c.curves.size()) + " solvers on " + c.scene + ">");
      });

  const ComparisonOptions usual;
  const auto none = py::none();
  m.def("compare", &compare_methods, py::arg("scene"), py::arg("solvers"), py::kw_only(),
        py::arg("iterations") = usual.iterations, py::arg("budget") = usual.budget,
        py::arg("at_frame") = usual.at_frame, py::arg("steps") = usual.steps, py::arg("reference") = usual.reference,
        py::arg("threads") = usual.threads, py::arg("overrides") = none, py::arg("folder") = none,
        "Runs solvers on one step of a scene. `solvers`: as `sinew compare --solvers` takes them, or a list. `budget` "
        "[ms] of each, instead of iterations. `reference`: whether to measure errors against Newton's solution.");
}

}  // namespace sinew::python
