#include "errors.h"

#include <exception>
#include <regex>
#include <utility>

#include "text.h"

namespace sinew::python {

Error in_python(Error error, const std::string& overrides) {
  static const std::regex set_path("--set (?=\\S)"), set("--set\\b"), output("with -o\\b"),
      option("(^|[ '(])--(?=[a-z])");
  for (std::string* text : {&error.where, &error.what, &error.remedy}) {
    *text = std::regex_replace(*text, set_path, overrides + ": ");
    *text = std::regex_replace(*text, set, overrides);
    *text = std::regex_replace(*text, output, "as output");
    *text = std::regex_replace(*text, option, "$1");
  }
  return error;
}

void bind_errors(py::module_& m) {
  m.def("message", [](const py::str& where, const py::str& what, const py::str& remedy) {
    const auto raw = [](const py::str& text) {
      return std::string(py::bytes(text.attr("encode")("utf-8", "surrogatepass")));
    };
    return py::bytes(Error{raw(where), raw(what), raw(remedy)}.message()).attr("decode")("utf-8", "surrogatepass");
  });
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const Failure& failure) {
      const auto& [where, what, remedy] = in_python(failure.error, "set");
      const py::object type = py::module_::import("sinew._error").attr("Error");
      PyErr_SetObject(type.ptr(), py::make_tuple(text_of(where), text_of(what), text_of(remedy)).ptr());
    }
  });
}

}  // namespace sinew::python
