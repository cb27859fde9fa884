// Structs that go to other processes, as the tuple of their members.
#pragma once

#include <pybind11/pybind11.h>

#include <type_traits>

namespace sinew::python {

namespace py = pybind11;

template <class T>
auto stored(const T& member) {
  if constexpr (std::is_enum_v<T>)
    return static_cast<int>(member);
  else
    return member;
}
template <class T>
void restore(T& member, const py::handle& stored) {
  if constexpr (std::is_enum_v<T>)
    member = static_cast<T>(stored.cast<int>());
  else
    member = stored.cast<T>();
}

// For py::class_<T>::def: all that makes a T, which are its members or those of its bases.
template <class T, class... Member>
auto pickled(Member... members) {
  return py::pickle([=](const T& whole) { return py::make_tuple(stored(whole.*members)...); },
                    [=](const py::tuple& parts) {
                      T whole;
                      size_t k = 0;
                      (restore(whole.*members, parts[k++]), ...);
                      return whole;
                    });
}

}  // namespace sinew::python
