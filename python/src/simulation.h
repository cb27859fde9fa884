#pragma once

#include <pybind11/pybind11.h>

namespace sinew::python {

void bind_live(pybind11::module_& m);        // handles, and what a simulation answers
void bind_simulation(pybind11::module_& m);  // after it

}  // namespace sinew::python
