// The description of a scene file (describe.h) as a tree, for the schema and the reference page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/describe.h"
#include "scene/json.h"

namespace sinew {

struct Outline {
  enum class Kind {
    number,
    number_or_auto,
    whole,
    toggle,
    text,
    choice,
    vector,
    cells,
    words,
    numbers,
    indices,
    labels,
    region,
    shape,
    object,
    list,            // with these members in each item
    named,           // the same, under names
    word_or_object,  // one of words, or an object
    ignored
  };
  // Groups of keys of which one may be used.
  struct Choice {
    std::vector<std::vector<std::string>> groups;
    bool required = false;
  };
  // The members that belong to a value of the key "type".
  struct Method {
    std::string name, summary;
    std::vector<Outline> options;
    bool accelerates = true;
    std::vector<RefusedWord> refused;  // by accelerators
  };

  // What a material's model is given by: the members of one of its forms.
  struct Model {
    std::string name, summary;
    std::vector<std::vector<Outline>> forms;
    bool is_default;
  };

  Kind kind = Kind::object;
  Key key;
  Json default_value;  // null: none
  Words allowed;       // values of choice, words and word_or_object
  bool in_group = false;
  std::vector<Outline> members;
  std::vector<Choice> choices;
  std::vector<Method> methods;
  std::vector<Model> models;
};

Outline scene_outline();

}  // namespace sinew
