// Making and checking data sets.
#pragma once

#include <pybind11/pybind11.h>

namespace sinew::python {

namespace py = pybind11;

void bind_datasets(py::module_& m);

}  // namespace sinew::python
