// Paths and text between Python and the library. Bytes of a path that are not UTF-8 are lone surrogates in Python.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace sinew::python {

namespace py = pybind11;

// What Python gives for `where`. Errors: no path; characters that no path has.
std::string path_from(const py::handle& given, const std::string& where);

// A str. Errors: lone surrogates, which are no text.
std::string text_from(const py::handle& given, const std::string& where);

// The library's text, in which there may be paths.
py::str text_of(const std::string& text);
py::list texts_of(const std::vector<std::string>& texts);

}  // namespace sinew::python
