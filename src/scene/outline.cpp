#include "scene/outline.h"

namespace sinew {

namespace {

using Kind = Outline::Kind;

class Outliner {
 public:
  explicit Outliner(Outline& root) : at_(&root) {}

  void number(const Key& key, double& value) { add(Kind::number, key).default_value = Json(value); }
  void number(const Key& key, std::optional<double>&) { add(Kind::number, key); }
  void number_or_auto(const Key& key, std::optional<double>&) {
    add(Kind::number_or_auto, key).default_value = Json("auto");
  }
  void whole(const Key& key, int& value) { add(Kind::whole, key).default_value = Json(value); }
  void toggle(const Key& key, bool& value) { add(Kind::toggle, key).default_value = Json(value); }
  void toggle(const Key& key, std::optional<bool>&) { add(Kind::toggle, key); }
  void text(const Key& key, std::string&) { add(Kind::text, key); }
  void choice(const Key& key, int& index, const Words& words) {
    Outline& o = add(Kind::choice, key);
    o.default_value = Json(words[static_cast<size_t>(index)]);
    o.allowed = words;
  }
  void choice(const Key& key, std::optional<int>&, const Words& words) { add(Kind::choice, key).allowed = words; }
  void choice(const Key& key, std::string& value, const Words& words) {
    Outline& o = add(Kind::choice, key);
    o.default_value = Json(value);
    o.allowed = words;
  }
  void vector(const Key& key, Real3& value) { add(Kind::vector, key).default_value = list_of(value); }
  void vector(const Key& key, std::optional<Real3>&) { add(Kind::vector, key); }
  void cells(const Key& key, std::array<int, 3>& value) { add(Kind::cells, key).default_value = list_of(value); }
  void words(const Key& key, std::vector<std::string>& values, const Words& words) {
    Outline& o = add(Kind::words, key);
    o.default_value = list_of(values);
    o.allowed = words;
  }
  void numbers(const Key& key, std::vector<double>&) { add(Kind::numbers, key); }
  void indices(const Key& key, std::vector<int64_t>&) { add(Kind::indices, key); }
  void labels(const Key& key, std::vector<std::pair<RegionId, std::string>>&) { add(Kind::labels, key); }
  void region(const Key& key, RegionId&) { add(Kind::region, key); }
  void shape(const Key& key, SceneShape&) { add(Kind::shape, key); }
  void ignored(const Key& key) { add(Kind::ignored, key); }

  template <class Body>
  void object(const Key& key, Body body) {
    inside(add(Kind::object, key), body);
  }
  template <class T>
  void list(const Key& key, std::vector<T>&) {
    T item{};
    inside(add(Kind::list, key), [&] { describe(*this, item); });
  }
  template <class T>
  void named(const Key& key, std::vector<T>&) {
    T item{};
    inside(add(Kind::named, key), [&] { describe(*this, item); });
  }
  template <class Body>
  void word_or_object(const Key& key, const Words& words, int& index, Body body) {
    Outline& o = add(Kind::word_or_object, key);
    o.allowed = words;
    if (index >= 0 && !key.required) o.default_value = Json(words[static_cast<size_t>(index)]);
    inside(o, body);
  }
  template <class Body>
  void alternatives(Groups groups, size_t&, bool required, Body body) {
    Outline::Choice choice;
    choice.required = required;
    for (const auto& group : groups) choice.groups.emplace_back(group.begin(), group.end());
    at_->choices.push_back(std::move(choice));
    in_group_ = true;
    for (size_t k = 0; k < groups.size(); ++k) body(k);
    in_group_ = false;
  }
  void options(const MethodList& list, const std::string&, std::vector<OptionValue>&) {
    for (const MethodEntry& method : list) {
      Outline::Method entry{
          std::string(method.name), std::string(method.summary), {}, method.accelerates, refused_words(method.name)};
      for (const Option& option : method.options) entry.options.push_back(outline_of(option));
      at_->methods.push_back(std::move(entry));
    }
  }
  void parameters(SceneMaterial& material) {
    for (int k = 0; k < material_count; ++k) {
      const MaterialTraits& traits = traits_of(MaterialKind(k));
      Outline::Model model{traits.name, traits.summary, {}, material.model == traits.name};
      for (const MaterialForm& form : material_forms(MaterialKind(k))) {
        model.forms.emplace_back();
        for (const MaterialParameter& p : form.parameters) {
          Outline o;
          o.kind = Kind::number;
          o.key = key_of(p);
          if (p.default_value) o.default_value = Json(*p.default_value);
          o.in_group = true;
          model.forms.back().push_back(std::move(o));
        }
      }
      at_->models.push_back(std::move(model));
    }
  }

 private:
  template <class List>
  static Json list_of(const List& values) {
    Json json = Json::array();
    for (const auto& value : values) json.add(value);
    return json;
  }
  static Outline outline_of(const Option& option) {
    Outline o;
    o.key = {.name = option.name, .meaning = option.meaning, .unit = option.unit, .range = option.range};
    if (const bool* toggle = std::get_if<bool>(&option.default_value)) o.default_value = Json(*toggle);
    if (const std::string* word = std::get_if<std::string>(&option.default_value)) o.default_value = Json(*word);
    if (const double* number = std::get_if<double>(&option.default_value)) o.default_value = Json(*number);
    switch (option.kind) {
      case Option::Kind::number:
        o.kind = Kind::number;
        break;
      case Option::Kind::whole:
        o.kind = Kind::whole;
        o.default_value.whole = true;
        break;
      case Option::Kind::toggle:
        o.kind = Kind::toggle;
        break;
      case Option::Kind::choice:
        o.kind = Kind::choice;
        break;
    }
    o.allowed.assign(option.choices.begin(), option.choices.end());
    return o;
  }

  // A required key has no default.
  Outline& add(Kind kind, const Key& key) {
    Outline o;
    o.kind = kind;
    o.key = key;
    o.in_group = in_group_;
    return at_->members.emplace_back(std::move(o));
  }
  // `o` is the last member of at_, so it stays in place while its own members are added.
  template <class Body>
  void inside(Outline& o, Body body) {
    Outline* outer = std::exchange(at_, &o);
    const bool outer_group = std::exchange(in_group_, false);
    body();
    at_ = outer;
    in_group_ = outer_group;
  }

  Outline* at_;
  bool in_group_ = false;
};

// The defaults of required keys are placeholders in the structs, not defaults of the format.
void drop_required_defaults(Outline& outline) {
  if (outline.key.required) outline.default_value = Json();
  for (Outline& member : outline.members) drop_required_defaults(member);
}

}  // namespace

Outline scene_outline() {
  Outline root;
  Scene scene;
  Outliner outliner(root);
  describe(outliner, scene);
  drop_required_defaults(root);
  return root;
}

}  // namespace sinew
