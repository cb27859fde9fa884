// Pictures as arrays.
#pragma once

#include <pybind11/pybind11.h>

#include "session.h"

namespace sinew::python {

void bind_pictures(py::module_& m, py::class_<Session>& simulation);

}  // namespace sinew::python
