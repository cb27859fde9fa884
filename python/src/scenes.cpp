#include "scenes.h"

#include <pybind11/stl.h>

#include <cstdio>
#include <filesystem>

#include "errors.h"
#include "sinew/scene_file.h"
#include "text.h"

namespace sinew::python {
namespace {

// Files cannot be told from JSON by their names alone: text is JSON if it begins as a scene does.
bool is_json(const py::object& given) {
  const std::string text = py::bytes(given.attr("encode")("utf-8", "surrogatepass"));
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return true;  // which is then refused as JSON
  return text[begin] == '{' || text.compare(begin, 2, "//") == 0 || text.compare(begin, 2, "/*") == 0;
}

std::string type_name(const py::object& given) {
  return py::str(py::type::of(given).attr("__name__"));
}

}  // namespace

std::vector<std::string> overrides_from(const py::object& given) {
  std::vector<std::string> overrides;
  if (given.is_none()) return overrides;
  if (!py::hasattr(given, "keys"))
    fail("overrides", "is a " + type_name(given), "give a dict: {\"solver.iterations\": 40}");
  for (const auto& [key, value] : py::dict(given)) {
    const std::string path = text_from(py::str(key), "overrides");
    overrides.push_back(path + "=" + json_from(py::reinterpret_borrow<py::object>(value), "overrides: " + path));
  }
  return overrides;
}

bool has_keys(const py::object& given) {
  return py::module_::import("sinew._json").attr("has_keys")(given).cast<bool>();
}

std::string json_from(const py::object& given, const std::string& path) {
  return text_from(py::module_::import("sinew._json").attr("text")(given, text_of(path)), path);
}

std::vector<std::string> assignments_from(const py::dict& values) {
  std::vector<std::string> assignments;
  for (const py::handle assignment : py::module_::import("sinew._json").attr("assignments")(values))
    assignments.push_back(text_from(assignment, "arguments"));
  return assignments;
}

Scene scene_from(const py::object& given, const py::object& overrides, const py::object& folder) {
  const std::vector<std::string> changes = overrides_from(overrides);
  const bool is_text = py::isinstance<py::str>(given);
  std::string text;
  if (py::isinstance<Scene>(given)) {
    if (changes.empty() && folder.is_none()) return given.cast<Scene>();
    text = resolved_json(given.cast<const Scene&>());
  } else if (is_text && is_json(given)) {
    text = text_from(given, "scene");
  } else if (is_text || py::hasattr(given, "__fspath__")) {
    return value_of(read_scene(path_from(given, "scene"), changes), "overrides");
  } else if (has_keys(given)) {
    text = json_from(given);
  } else {
    fail("scene", "is a " + type_name(given), "give a path, a dict, an object with its keys, JSON as text, or a Scene");
  }
  std::string base = folder.is_none() ? std::string() : path_from(folder, "folder");
  if (base.empty() && py::isinstance<Scene>(given)) base = given.cast<const Scene&>().base_folder;
  return value_of(parse_scene(text, "scene", base, changes), "overrides");
}

std::string hash_text(uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

void bind_scenes(py::module_& m) {
  const auto none = py::none();
  py::class_<Scene>(m, "Scene",
                    "A scene that was read: what files, dicts and text become.\n\n"
                    "scene: the path of a file; a dict or an object with the keys of the scene reference, in which "
                    "arrays of NumPy may stand for lists, and meshes of sinew.mesh or meshio for `mesh`; JSON as text; "
                    "or another Scene.\n"
                    "overrides: a dict of values by their paths: {\"solver.iterations\": 40}.\n"
                    "folder: base of relative paths in a dict or text; by default the working folder.")
      .def(py::init(&scene_from), py::arg("scene"), py::arg("overrides") = none, py::arg("folder") = none)
      .def_property_readonly("name", [](const Scene& scene) { return text_of(scene.name); })
      .def("to_json", &resolved_json, "The scene with every default written out, as JSON.")
      .def(
          "to_dict", [](const Scene& scene) { return py::module_::import("json").attr("loads")(resolved_json(scene)); },
          "The scene with every default written out, as a dict.")
      .def(
          "__eq__", [](const Scene& a, const Scene& b) { return a == b; }, py::is_operator())
      .def(py::pickle(
          [](const Scene& scene) { return py::make_tuple(resolved_json(scene), text_of(scene.base_folder)); },
          [](const py::tuple& parts) {
            return value_of(parse_scene(parts[0].cast<std::string>(), "scene", path_from(parts[1], "folder")));
          }))
      .def("__repr__",
           [](const Scene& scene) { return "<sinew.Scene " + std::string(py::repr(text_of(scene.name))) + ">"; });
  m.def("scene_schema", &scene_schema, "The JSON Schema of a scene.");
  m.def("scene_reference", &scene_reference, "The reference of every key of a scene, as Markdown.");
}

}  // namespace sinew::python
