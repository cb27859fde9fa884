// Tetrahedra from surfaces and shapes.
#include "meshes.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <optional>
#include <string>

#include "arrays.h"
#include "errors.h"
#include "interrupt.h"
#include "pickled.h"
#include "scenes.h"
#include "sinew/mesher.h"
#include "text.h"

namespace sinew::python {
namespace {

FilledSolid mesh(const py::object& source, std::optional<double> cell, std::optional<double> cells,
                 std::optional<double> tets, int smoothing, bool fit, int coarsest, bool sharp_edges, bool thin_pieces,
                 const std::string& mesher, int threads) {
  check_threads(threads);
  const std::optional<Mesher> by = named<Mesher>(mesher);
  if (!by) fail("mesher", "= \"" + mesher + "\": is not known", "use stuffing or tetgen");
  const MesherSettings settings{cell, cells, tets, smoothing, fit, coarsest, sharp_edges, thin_pieces, *by};
  const auto filled = [&](const auto& fill, const auto& from) {
    return interruptible<FilledSolid>([&](const Listener<Progress>& watch) {
      return fill(from, settings, MesherOptions{.threads = threads}, MesherObserver{.on_progress = watch});
    });
  };
  if (has_keys(source)) return filled(mesh_shape, value_of(parse_shape(json_from(source, "shape"), "shape")));
  return filled(mesh_file, std::filesystem::path(path_from(source, "source")));
}

}  // namespace

void bind_meshes(py::module_& m) {
  py::class_<FilledSolid>(m, "Mesh", "A solid filled with tets.")
      .def_property_readonly(
          "vertices", [](const FilledSolid& s) { return array_of(s.vertices); }, "[m] (N, 3)")
      .def_property_readonly(
          "tets", [](const FilledSolid& s) { return array_of(s.tets); }, "(E, 4)")
      .def_readonly("cell", &FilledSolid::cell, "[m] the cell used.")
      .def_property_readonly(
          "warnings", [](const FilledSolid& s) { return texts_of(s.warnings); }, "What needs attention.")
      .def_property_readonly("notes", [](const FilledSolid& s) { return texts_of(s.notes); })
      .def(
          "write", [](const FilledSolid& s, const std::filesystem::path& file) { check(write_mesh(file, s)); },
          py::arg("file"), "Writes .node/.ele, .mesh, .msh, .vtk or .vtu.")
      .def(pickled<FilledSolid>(&FilledSolid::vertices, &FilledSolid::tets, &FilledSolid::cell, &FilledSolid::enclosed,
                                &FilledSolid::warnings, &FilledSolid::notes, &FilledSolid::milliseconds))
      .def("__repr__", [](const FilledSolid& s) {
        return "<sinew.Mesh " + std::to_string(s.vertices.size()) + " vertices, " + std::to_string(s.tets.size()) +
               " tets>";
      });

  const MesherSettings usual;
  const auto none = py::none();
  m.def("mesh", &mesh, py::arg("source"), py::kw_only(), py::arg("cell") = none, py::arg("cells") = none,
        py::arg("tets") = none, py::arg("smoothing") = usual.smoothing, py::arg("fit") = usual.fit,
        py::arg("coarsest") = usual.coarsest, py::arg("sharp_edges") = usual.sharp_edges,
        py::arg("thin_pieces") = usual.thin_pieces, py::arg("mesher") = name_of(usual.mesher), py::arg("threads") = 0,
        "Fills a solid with tets: a surface or a shape in a file, or a shape as a dict, as scenes have it. At most one "
        "of `cell` [m], `cells` along the longest side, and `tets`, their number, is given.");
}

}  // namespace sinew::python
