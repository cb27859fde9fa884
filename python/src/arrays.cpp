#include "arrays.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "errors.h"

namespace sinew::python {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

// Real numbers of any type, in rows. What is not even an array of those has no shape to complain about.
Doubles numbers_from(const py::handle& given, const char* where, const char* remedy) {
  const py::array any = py::array::ensure(given);
  if (!any) {
    PyErr_Clear();
    fail(where, "is no array of numbers", remedy);
  }
  const char kind = any.dtype().kind();
  if (any.size() > 0 && kind != 'f' && kind != 'i' && kind != 'u')
    fail(where, "has the type " + std::string(py::str(any.dtype())), remedy);
  return Doubles(any);
}

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape"));
}

std::vector<int32_t> masked(const py::array_t<bool>& mask, const char* where, int32_t vertices) {
  if (mask.ndim() != 1 || mask.shape(0) != vertices)
    fail(where, "is a mask of the shape " + shape_text(mask),
         "give a mask of all " + std::to_string(vertices) + " vertices, or their numbers");
  std::vector<int32_t> numbers;
  for (int32_t v = 0; v < vertices; ++v)
    if (mask.at(v)) numbers.push_back(v);
  return numbers;
}

}  // namespace

Real3 real3_from(const py::handle& given, const char* where) {
  constexpr const char* remedy = "give x, y and z";
  const Doubles numbers = numbers_from(given, where, remedy);
  if (numbers.ndim() != 1 || numbers.shape(0) != 3) fail(where, "has the shape " + shape_text(numbers), remedy);
  return {numbers.at(0), numbers.at(1), numbers.at(2)};
}

std::vector<Real3> points_from(const py::handle& given, const char* where) {
  constexpr const char* remedy = "give an array of shape (N, 3): x, y and z of each";
  const Doubles numbers = numbers_from(given, where, remedy);
  if (numbers.ndim() != 2 || numbers.shape(1) != 3) fail(where, "has the shape " + shape_text(numbers), remedy);
  std::vector<Real3> points(static_cast<size_t>(numbers.shape(0)));
  const double* at = numbers.data();
  for (Real3& p : points) {
    p = {at[0], at[1], at[2]};
    at += 3;
  }
  return points;
}

std::vector<int32_t> vertices_from(const py::handle& given, const char* where, int32_t vertices) {
  constexpr const char* remedy = "give a list of vertex numbers, from 0, or a mask of all vertices";
  if (const py::array mask = py::array::ensure(given); mask && mask.size() > 0 && mask.dtype().kind() == 'b')
    return masked(py::array_t<bool>(mask), where, vertices);
  PyErr_Clear();
  const Doubles numbers = numbers_from(given, where, remedy);
  if (numbers.ndim() != 1) fail(where, "has the shape " + shape_text(numbers), remedy);
  std::vector<int32_t> indices(static_cast<size_t>(numbers.shape(0)));
  for (size_t k = 0; k < indices.size(); ++k) {
    const double number = numbers.at(static_cast<py::ssize_t>(k));
    if (number != std::floor(number) || std::abs(number) > std::numeric_limits<int32_t>::max())
      fail(where, "has the number " + std::string(py::str(py::float_(number))), remedy);
    indices[k] = static_cast<int32_t>(number);
  }
  return indices;
}

py::array view_of(const std::shared_ptr<Numbers>& numbers, py::ssize_t columns) {
  using Kept = std::shared_ptr<Numbers>;
  const py::capsule owner(new Kept(numbers), [](void* kept) { delete static_cast<Kept*>(kept); });
  const auto rows = static_cast<py::ssize_t>(numbers->size()) / columns;
  const std::vector<py::ssize_t> shape = columns == 1 ? std::vector{rows} : std::vector{rows, columns};
  return frozen(py::array_t<double>(shape, numbers->data(), owner));
}

py::array array_of(std::span<const double> numbers, py::ssize_t columns) {
  const auto count = static_cast<py::ssize_t>(numbers.size());
  py::array_t<double> array(columns == 1 ? std::vector{count} : std::vector{count / columns, columns});
  std::copy(numbers.begin(), numbers.end(), array.mutable_data());
  return array;
}

py::array frozen(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace sinew::python
