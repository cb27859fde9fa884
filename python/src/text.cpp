#include "text.h"

#include "errors.h"

namespace sinew::python {

std::string path_from(const py::handle& given, const std::string& where) {
  constexpr const char* remedy = "give the path of a file or a folder";
  std::string path;
  try {
    path = py::bytes(py::module_::import("os").attr("fsencode")(given));
  } catch (py::error_already_set& fault) {
    if (fault.matches(PyExc_TypeError))
      fail(where, "is a " + std::string(py::str(py::type::handle_of(given).attr("__name__"))), remedy);
    if (!fault.matches(PyExc_UnicodeEncodeError)) throw;
    fail(where,
         "= " + std::string(py::str(py::module_::import("builtins").attr("ascii")(given))) +
             ": has characters that no path has",
         remedy);
  }
  if (path.find('\0') != std::string::npos) fail(where, "has a character of the number 0, as no path has", remedy);
  return path;
}

std::string text_from(const py::handle& given, const std::string& where) {
  PyObject* const encoded = PyUnicode_AsUTF8String(given.ptr());
  if (encoded) return py::reinterpret_steal<py::bytes>(encoded);
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw py::error_already_set();
  PyErr_Clear();
  fail(where, "has lone surrogates, which are no text", "give text that UTF-8 can write");
}

py::str text_of(const std::string& text) {
  PyObject* const decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (!decoded) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

py::list texts_of(const std::vector<std::string>& texts) {
  py::list list;
  for (const std::string& text : texts) list.append(text_of(text));
  return list;
}

}  // namespace sinew::python
