// Enums whose values have names: the words by which scene files and command lines give them.
//
//   sinew::name_of(sinew::ColorBy::strain)              // "strain"
//   sinew::named<sinew::ColorBy>("von_mises")           // ColorBy::von_mises; no value for an unknown name
//   for (std::string_view name : sinew::names_of<sinew::ColorBy>()) ...
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace sinew {

// Specialized beside each enum: `names`, in the order of its values, which count from 0.
template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = requires {
  EnumNames<E>::names;
};

template <NamedEnum E>
constexpr std::span<const std::string_view> names_of() {
  return EnumNames<E>::names;
}

// Empty for a number that is none of the values.
template <NamedEnum E>
constexpr std::string_view name_of(E value) {
  const auto index = static_cast<size_t>(value);
  return index < names_of<E>().size() ? names_of<E>()[index] : std::string_view();
}

template <NamedEnum E>
constexpr std::optional<E> named(std::string_view name) {
  for (size_t k = 0; k < names_of<E>().size(); ++k)
    if (names_of<E>()[k] == name) return static_cast<E>(k);
  return std::nullopt;
}

}  // namespace sinew
