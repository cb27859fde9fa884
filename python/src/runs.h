#pragma once

#include <pybind11/pybind11.h>

namespace sinew::python {

void bind_runs(pybind11::module_& m);

}  // namespace sinew::python
