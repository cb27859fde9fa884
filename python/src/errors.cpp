#include "errors.h"

#include <exception>
#include <utility>

namespace sinew::python {

void bind_errors(py::module_& m) {
  m.def("message", [](const std::string& where, const std::string& what, const std::string& remedy) {
    return Error{where, what, remedy}.message();
  });
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const Failure& failure) {
      const auto& [where, what, remedy] = failure.error;
      const py::object type = py::module_::import("sinew._error").attr("Error");
      PyErr_SetObject(type.ptr(), py::make_tuple(where, what, remedy).ptr());
    }
  });
}

}  // namespace sinew::python
