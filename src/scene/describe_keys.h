// The elements of the description of a scene (describe.h): keys, their ranges, and the alternatives of a variant.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/parameters.h"
#include "material/material_forms.h"
#include "sinew/named.h"

namespace sinew {

// What others call one of the words that a key takes, in lower case and without spaces, hyphens or underscores.
struct OtherNames {
  std::string_view meant;
  std::array<std::string_view, 8> written{};
};

struct Key {
  std::string_view name;
  std::string_view meaning;
  std::string_view unit{};
  Range range{};
  std::string_view alias{};    // a second spelling
  std::string_view remedy{};   // advice for a value that is out of range or not in the list
  std::string_view missing{};  // advice if a required key is missing; empty: the meaning
  std::string_view inside{};   // the keys of the object, for a word or an object
  std::span<const OtherNames> others{};
  bool required = false;
  bool uniform = false;  // for vectors: one number stands for all three
};

inline Key key_of(const MaterialParameter& p) {
  return {.name = p.name,
          .meaning = p.meaning,
          .unit = p.unit,
          .range = p.range,
          .alias = p.alias,
          .remedy = p.remedy,
          .required = !p.default_value};
}

using Words = std::vector<std::string_view>;
// Groups of keys of which only one may be used; alternative spellings belong to their group.
using Groups = std::initializer_list<std::initializer_list<std::string_view>>;

inline constexpr Range share_range{0, 1};
inline constexpr Range count_from_1{1, 1e9};
inline constexpr Range count_from_0{0, 1e9};
// The squares of these are within single precision.
inline constexpr Range in_reach{-1e18, 1e18};
inline constexpr Range factor{-1e9, 1e9};
// For springs; the squares of these are within single precision.
inline constexpr Range spring_stiffness{0, 1e18, true};
inline constexpr Range link_count{1, 1e7};
// Larger angles have too few digits left within a turn.
inline constexpr Range turns{-1e9, 1e9};

// An enum as the choice of one of its names.
template <class Visitor, NamedEnum E>
void choose(Visitor& v, const Key& key, E& value) {
  static const Words names(names_of<E>().begin(), names_of<E>().end());
  int index = static_cast<int>(value);
  v.choice(key, index, names);
  value = static_cast<E>(index);
}
// The same, where it may be left out.
template <class Visitor, NamedEnum E>
void choose(Visitor& v, const Key& key, std::optional<E>& value) {
  static const Words names(names_of<E>().begin(), names_of<E>().end());
  std::optional<int> index;
  if (value) index = static_cast<int>(*value);
  v.choice(key, index, names);
  value.reset();
  if (index) value = static_cast<E>(*index);
}
// A list of an enum's values by their names.
template <class Visitor, NamedEnum E>
void choose(Visitor& v, const Key& key, std::vector<E>& values) {
  static const Words names(names_of<E>().begin(), names_of<E>().end());
  std::vector<std::string> words;
  for (const E value : values) words.emplace_back(name_of(value));
  v.words(key, words, names);
  values.clear();
  for (const std::string& word : words)
    if (const std::optional<E> value = named<E>(word)) values.push_back(*value);
}

// The alternative T of a variant; created if the variant holds another.
template <class T, class Variant>
T& hold(Variant& variant) {
  if (!std::holds_alternative<T>(variant)) variant.template emplace<T>();
  return *std::get_if<T>(&variant);
}

}  // namespace sinew
