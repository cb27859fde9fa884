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
    list,            // of items with these members
    named,           // the same under names
    word_or_object,  // one of words, or an object
    ignored
  };
  // Of several groups of keys, one.
  struct Choice {
    std::vector<std::vector<std::string>> groups;
    bool required = false;
  };
  // The members that come with a word for the key "type".
  struct Method {
    std::string name, summary;
    std::vector<Outline> options;
    bool accelerates = true;
    std::vector<RefusedWord> refused;  // of accelerators
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
  Words allowed;       // of a choice, of words, of word_or_object
  bool in_group = false;
  std::vector<Outline> members;
  std::vector<Choice> choices;
  std::vector<Method> methods;
  std::vector<Model> models;
};

Outline scene_outline();

}  // namespace sinew
