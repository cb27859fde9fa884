#pragma once

#include <pybind11/pybind11.h>

namespace sinew::python {

void bind_reproduction(pybind11::module_& m);

}  // namespace sinew::python
