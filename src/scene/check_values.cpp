#include <algorithm>
#include <cmath>

#include "scene/check.h"
#include "scene/describe.h"
#include "scene/shape_text.h"
#include "scene/value_text.h"
#include "scene/walker.h"

namespace sinew {

namespace {

class ValueCheck : public Walker {
 public:
  explicit ValueCheck(Faults& faults) : faults_(faults) {}

  void number(const Key& key, double& value) { check_number(faults_, path_of(key), key, value, number_text(value)); }
  void number(const Key& key, std::optional<double>& value) {
    if (value) number(key, *value);
  }
  void number_or_auto(const Key& key, std::optional<double>& value) { number(key, value); }
  void whole(const Key& key, int& value) { check_number(faults_, path_of(key), key, value, std::to_string(value)); }
  void toggle(const Key&, bool&) {}
  void toggle(const Key&, std::optional<bool>&) {}
  void text(const Key& key, std::string& value) { check_text(faults_, path_of(key), key, value); }
  void choice(const Key& key, int& value, const Words& words) {
    if (value < 0 || static_cast<size_t>(value) >= words.size())
      faults_.add(path_of(key), " = " + std::to_string(value) + ": must be one of " + word_list(words));
  }
  void choice(const Key& key, std::optional<int>& value, const Words& words) {
    if (value) choice(key, *value, words);
  }
  void choice(const Key& key, std::string& value, const Words& words) { word(path_of(key), value, words); }
  void vector(const Key& key, Real3& value) {
    for (const double v : value)
      if (!check_number(faults_, path_of(key), key, v, vector_text(value))) return;
  }
  void vector(const Key& key, std::optional<Real3>& value) {
    if (value) vector(key, *value);
  }
  void cells(const Key& key, std::array<int, 3>& value) {
    for (const int v : value)
      if (!check_number(faults_, path_of(key), key, v, std::to_string(v))) return;
  }
  void words(const Key& key, std::vector<std::string>& values, const Words& allowed) {
    for (size_t k = 0; k < values.size(); ++k) word(path_of(key) + "." + std::to_string(k), values[k], allowed);
  }
  void numbers(const Key& key, std::vector<double>& values) {
    for (size_t k = 0; k < values.size(); ++k)
      if (!key.range.contains(values[k]) || !std::isfinite(values[k]))  // no text for valid values
        check_number(faults_, path_of(key) + "." + std::to_string(k), key, values[k], number_text(values[k]));
  }
  void indices(const Key&, std::vector<int64_t>&) {}  // compared with the object's vertices when the scene is compiled
  void labels(const Key&, std::vector<std::pair<RegionId, std::string>>&) {}
  void region(const Key&, RegionId&) {}

  void shape(const Key& key, SceneShape& value) { check_shape(value, path_of(key), faults_); }

  template <class Body>
  void object(const Key& key, Body body) {
    under(std::string(key.name), body);
  }
  template <class T>
  void list(const Key& key, std::vector<T>& items) {
    under(std::string(key.name), [&] {
      for (size_t k = 0; k < items.size(); ++k) under(std::to_string(k), [&] { describe(*this, items[k]); });
    });
  }
  template <class T>
  void named(const Key& key, std::vector<T>& items) {
    under(std::string(key.name), [&] {
      for (T& item : items) under(item.name, [&] { describe(*this, item); });
    });
  }
  template <class Body>
  void word_or_object(const Key& key, const Words&, int& index, Body body) {
    if (index < 0) under(std::string(key.name), body);
  }
  void options(const MethodList& list, const std::string& type, std::vector<OptionValue>& values) {
    const MethodEntry* method = find_method(list, type);
    if (!method) return;
    Words names;
    for (const Option& option : method->options) names.push_back(option.name);
    for (const OptionValue& given : values) {
      const Option* option = find_option(method->options, given.name);
      if (!option) {
        faults_.add(path_ + given.name, ": unknown option of " + type, did_you_mean(given.name, names));
        continue;
      }
      if (const Error fault = option_fault(*option, given.value); !fault.what.empty())
        faults_.add(path_ + given.name, " " + fault.what, fault.remedy);
    }
  }

  void parameters(SceneMaterial& material) {
    const auto kind = material_named(material.model);
    if (!kind) return;
    const std::vector<MaterialForm>& forms = material_forms(*kind);
    const MaterialForm& form = forms[form_given(forms, material)];
    for (ParameterValue& given : material.parameters) {
      const auto is_it = [&](const MaterialParameter& p) { return p.name == given.name; };
      if (const auto at = std::find_if(form.parameters.begin(), form.parameters.end(), is_it);
          at != form.parameters.end()) {
        number(key_of(*at), given.value);
        continue;
      }
      const bool of_other_form = std::any_of(forms.begin(), forms.end(), [&](const MaterialForm& other) {
        return std::any_of(other.parameters.begin(), other.parameters.end(), is_it);
      });
      if (of_other_form)
        faults_.add(path_ + given.name, ": does not go together with the other parameters",
                    joined({material.model, " has ", parameter_list(*kind)}));
      else
        faults_.add(path_ + given.name, joined({": is no parameter of ", material.model}),
                    "it has " + parameter_list(*kind));
    }
    for (const MaterialParameter& p : form.parameters)
      if (!p.default_value && std::none_of(material.parameters.begin(), material.parameters.end(),
                                           [&](const ParameterValue& given) { return given.name == p.name; }))
        faults_.add(path_ + std::string(p.name), ": missing", std::string(p.meaning));
  }

 private:
  void word(const std::string& path, const std::string& value, const Words& words) {
    if (std::find(words.begin(), words.end(), value) != words.end()) return;
    const std::string_view near = nearest_word(value, words);
    faults_.add(path, " = \"" + value + "\": must be one of " + word_list(words),
                near.empty() ? "" : "did you mean '" + std::string(near) + "'?");
  }

  Faults& faults_;
};

}  // namespace

void check_values(const Scene& scene, Faults& faults) {
  Scene copy = scene;  // because visitors may write
  ValueCheck check(faults);
  describe(check, copy);
}

}  // namespace sinew
