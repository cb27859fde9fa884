// Errors of the library as Python's exceptions.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "sinew/result.h"

namespace sinew::python {

namespace py = pybind11;

// Thrown without the interpreter's lock too; becomes a sinew.Error where Python called.
struct Failure {
  Error error;
};

[[noreturn]] inline void fail(std::string where, std::string what, std::string remedy) {
  throw Failure{{std::move(where), std::move(what), std::move(remedy)}};
}
inline void check(const Status& status) {
  if (!status) throw Failure{status.error()};
}
template <class T>
T value_of(Result<T> result) {
  if (!result) throw Failure{result.error()};
  return std::move(*result);
}

void bind_errors(py::module_& m);

}  // namespace sinew::python
