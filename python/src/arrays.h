// NumPy's arrays to and from what the library takes.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/real3.h"

namespace sinew::python {

namespace py = pybind11;

using Numbers = std::vector<double>;

// What Python gives for `where`. Errors: not numbers, another shape, a whole number that is none or too large.
Real3 real3_from(const py::handle& given, const char* where);
std::vector<Real3> points_from(const py::handle& given, const char* where);  // of shape (N, 3)
// A list of any length, or a mask of `vertices`.
std::vector<int32_t> vertices_from(const py::handle& given, const char* where, int32_t vertices);

// An array that shows `numbers` as rows of `columns` and keeps them alive; not to be written to.
py::array view_of(const std::shared_ptr<Numbers>& numbers, py::ssize_t columns);

// An array of its own. One column: of one dimension.
py::array array_of(std::span<const double> numbers, py::ssize_t columns = 1);
template <class T, size_t columns>
py::array array_of(const std::vector<std::array<T, columns>>& rows) {
  py::array_t<T> array({static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
  T* at = array.mutable_data();
  for (const auto& row : rows)
    for (const T number : row) *at++ = number;
  return array;
}

// The array, not to be written to: what properties return.
py::array frozen(py::array array);

}  // namespace sinew::python
