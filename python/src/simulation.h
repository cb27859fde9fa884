#pragma once

#include <pybind11/pybind11.h>

#include "session.h"

namespace sinew::python {

void bind_live(pybind11::module_& m);                             // handles, and what a simulation answers
pybind11::class_<Session> bind_simulation(pybind11::module_& m);  // after it

}  // namespace sinew::python
