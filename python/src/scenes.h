// Scenes as Python gives them.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/scene.h"

namespace sinew::python {

namespace py = pybind11;

// A Scene, the path of a file, JSON as text, or a dict with its keys. `overrides`: paths and values; None: none.
// `folder`: base of relative paths of what is no file; None: the working folder. Errors: those of the scene.
Scene scene_from(const py::object& given, const py::object& overrides, const py::object& folder);

// Overrides as of scene_from, "path=value".
std::vector<std::string> overrides_from(const py::object& given);

// Whether it is a dict, or an object that stands for one.
bool has_keys(const py::object& given);

// What Python has for a part of a scene, as JSON. Text is taken as it is. `path`: of the part, for errors.
std::string json_from(const py::object& given, const std::string& path = "");
// Values by their paths as overrides, "path=value"; of dicts within them each member by itself. None: not given.
std::vector<std::string> assignments_from(const py::dict& values);

// A state's fingerprint, as `sinew run` prints it.
std::string hash_text(uint64_t hash);

void bind_scenes(py::module_& m);

}  // namespace sinew::python
