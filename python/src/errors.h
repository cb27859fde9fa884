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
// Of threads, or of workers: as many are started.
inline void check_threads(int threads, const char* where = "threads") {
  constexpr int most = 1024;
  if (threads < 0) fail(where, "= " + std::to_string(threads) + ": must not be negative", "0: one per core");
  if (threads > most)
    fail(where, "= " + std::to_string(threads) + ": must be at most " + std::to_string(most), "0: one per core");
}
inline void check(const Status& status) {
  if (!status) throw Failure{status.error()};
}
template <class T>
T value_of(Result<T> result) {
  if (!result) throw Failure{result.error()};
  return std::move(*result);
}

// An Error in Python's words: what the command line has as options are arguments here. `overrides`: what "--set" is.
Error in_python(Error error, const std::string& overrides);

// As value_of, for what takes overrides.
template <class T>
T value_of(Result<T> result, const std::string& overrides) {
  if (!result) throw Failure{in_python(result.error(), overrides)};
  return std::move(*result);
}

void bind_errors(py::module_& m);

}  // namespace sinew::python
