#include "scene/writer.h"

#include <algorithm>

#include "scene/describe.h"
#include "scene/region_labels.h"
#include "scene/shape_text.h"
#include "scene/walker.h"
#include "sinew/scene_file.h"

namespace sinew {

namespace {

class Writer : public Walker {
 public:
  void number(const Key& key, double& value) { put(key, value); }
  void number(const Key& key, std::optional<double>& value) {
    if (value) put(key, *value);
  }
  void number_or_auto(const Key& key, std::optional<double>& value) { put(key, value ? Json(*value) : Json("auto")); }
  void whole(const Key& key, int& value) { put(key, value); }
  void toggle(const Key& key, bool& value) { put(key, value); }
  void toggle(const Key& key, std::optional<bool>& value) {
    if (value) put(key, *value);
  }
  void text(const Key& key, std::string& value) { put(key, value); }
  void choice(const Key& key, int& index, const Words& words) {
    const auto at = static_cast<size_t>(index);
    put(key, at < words.size() ? words[at] : "?");  // an enum without that value
  }
  void choice(const Key& key, std::optional<int>& index, const Words& words) {
    if (index) choice(key, *index, words);
  }
  void choice(const Key& key, std::string& value, const Words&) { put(key, value); }
  void vector(const Key& key, Real3& value) { put(key, list_of(value)); }
  void vector(const Key& key, std::optional<Real3>& value) {
    if (value) put(key, list_of(*value));
  }
  void cells(const Key& key, std::array<int, 3>& value) { put(key, list_of(value)); }
  void words(const Key& key, std::vector<std::string>& values, const Words&) { put(key, list_of(values)); }
  void numbers(const Key& key, std::vector<double>& values) { put(key, list_of(values)); }
  void indices(const Key& key, std::vector<int64_t>& values) { put(key, list_of(values)); }
  void region(const Key& key, RegionId& value) {
    std::visit([&](const auto& id) { put(key, id); }, value);
  }
  void labels(const Key& key, std::vector<std::pair<RegionId, std::string>>& values) {
    Json json = Json::object();
    for (const auto& [region, material] : values) json.add(region_text(region), material);
    put(key, std::move(json));
  }

  void shape(const Key& key, SceneShape& value) { put(key, json_from_shape(value)); }

  template <class Body>
  void object(const Key& key, Body body) {
    put(key, inside(body));
  }
  template <class T>
  void list(const Key& key, std::vector<T>& items) {
    Json json = Json::array();
    for (T& item : items) json.add(inside([&] { describe(*this, item); }));
    put(key, std::move(json));
  }
  template <class T>
  void named(const Key& key, std::vector<T>& items) {
    Json json = Json::object();
    for (T& item : items) json.add(item.name, inside([&] { describe(*this, item); }));
    put(key, std::move(json));
  }
  template <class Body>
  void word_or_object(const Key& key, const Words& words, int& index, Body body) {
    if (index >= 0)
      put(key, words[static_cast<size_t>(index)]);
    else
      put(key, inside(body));
  }
  // Writes them in the order of the table, with the defaults of those that are not set.
  void options(const MethodList& list, const std::string& type, std::vector<OptionValue>& values) {
    const MethodEntry* method = find_method(list, type);
    if (!method) return;
    for (const Option& option : method->options) {
      const auto at = [&](std::string_view name) {
        return std::find_if(values.begin(), values.end(), [&](const OptionValue& v) { return v.name == name; });
      };
      const auto given = [&](std::string_view name) { return at(name) != values.end(); };
      const OptionScalar value = given(option.name) ? at(option.name)->value : option.default_beside(given);
      Json json;
      if (const bool* toggle = std::get_if<bool>(&value)) json = Json(*toggle);
      if (const std::string* word = std::get_if<std::string>(&value)) json = Json(*word);
      if (const double* number = std::get_if<double>(&value)) json = Json(*number);
      json.whole = option.kind == Option::Kind::whole;
      at_->add(option.name, std::move(json));
    }
  }

  void parameters(SceneMaterial& material) {
    const auto kind = material_named(material.model);
    if (!kind) return;
    const std::vector<MaterialForm>& forms = material_forms(*kind);
    const MaterialForm& form = forms[form_given(forms, material)];
    const std::vector<double> values = values_of(form, material);
    for (size_t k = 0; k < values.size(); ++k) put(key_of(form.parameters[k]), values[k]);
  }

  template <class Body>
  Json inside(Body body) {
    Json json = Json::object();
    Json* outer = std::exchange(at_, &json);
    body();
    at_ = outer;
    return json;
  }

 private:
  template <class List>
  static Json list_of(const List& values) {
    Json json = Json::array();
    for (const auto& value : values) json.add(value);
    return json;
  }
  void put(const Key& key, Json value) { at_->add(key.name, std::move(value)); }

  Json* at_ = nullptr;  // the object that is being written
};

}  // namespace

Json json_from_scene(const Scene& scene) {
  Scene copy = scene;  // because visitors may write
  Writer writer;
  return writer.inside([&] { describe(writer, copy); });
}

std::string resolved_json(const Scene& scene) {
  return write_json(json_from_scene(scene));
}

}  // namespace sinew
