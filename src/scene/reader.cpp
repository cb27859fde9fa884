#include "scene/reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "io/scanner.h"
#include "scene/describe.h"
#include "scene/not_yet.h"
#include "scene/other_place.h"
#include "scene/region_labels.h"
#include "scene/shape_text.h"
#include "scene/value_text.h"

namespace sinew {

namespace {

class Reader {
 public:
  explicit Reader(Faults& faults) : faults_(faults) {}

  void read(const Json& document, Scene& scene) {
    if (!document.is_object()) {
      faults_.add("", "the document is " + std::string(kind_of(document)) + ", not an object",
                  "a scene looks like { \"sinew\": 1, \"materials\": {...}, \"objects\": {...} }");
      return;
    }
    inside(document, "", [&] { describe(*this, scene); });
  }

  void number(const Key& key, double& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_number()) return wrong_type(path, *json, "a number", key.unit);
    if (check_number(faults_, path, key, json->number, brief_json(*json))) value = json->number;
  }
  void number(const Key& key, std::optional<double>& value) {
    double read = std::nan("");
    number(key, read);
    if (!std::isnan(read)) value = read;
  }
  void number_or_auto(const Key& key, std::optional<double>& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (json->is_number()) {
      if (check_number(faults_, path, key, json->number, brief_json(*json))) value = json->number;
    } else if (json->is_string() && json->text == "auto") {
      value.reset();
    } else {
      wrong_type(path, *json, "a number or \"auto\"", key.unit);
    }
  }
  void whole(const Key& key, int& value) {
    const auto [json, path] = look_up(key);
    if (json) whole(key, *json, path, value);
  }
  void toggle(const Key& key, bool& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_boolean()) return wrong_type(path, *json, "true or false");
    value = json->boolean;
  }
  void toggle(const Key& key, std::optional<bool>& value) {
    bool read = value.value_or(false);
    toggle(key, read);
    if (object_->find(key.name)) value = read;
  }
  void text(const Key& key, std::string& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_string()) return wrong_type(path, *json, "text");
    if (check_text(faults_, path, key, json->text)) value = json->text;
  }
  void choice(const Key& key, int& index, const Words& words) {
    const auto [json, path] = look_up(key);
    if (json) index = word(path, *json, words, {}, key.remedy, key.others).value_or(index);
  }
  void choice(const Key& key, std::optional<int>& index, const Words& words) {
    int read = -1;
    choice(key, read, words);
    if (read >= 0) index = read;
  }
  void choice(const Key& key, std::string& value, const Words& words) {
    int index = -1;
    choice(key, index, words);
    if (index >= 0) value = words[static_cast<size_t>(index)];
  }
  void vector(const Key& key, Real3& value) {
    std::optional<Real3> read;
    vector(key, read);
    if (read) value = *read;
  }
  void vector(const Key& key, std::optional<Real3>& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    Real3 read{};
    if (key.uniform && json->is_number()) {
      if (!check_number(faults_, path, key, json->number, brief_json(*json))) return;
      value = Real3{json->number, json->number, json->number};
      return;
    }
    if (!is_triple(path, *json, key)) return;
    for (size_t k = 0; k < 3; ++k) {
      if (!check_number(faults_, path, key, json->items[k].number, brief_json(*json))) return;
      read[k] = json->items[k].number;
    }
    value = read;
  }
  void cells(const Key& key, std::array<int, 3>& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (json->is_number()) {
      int one = value[0];
      whole(key, *json, path, one);
      value = {one, one, one};
      return;
    }
    if (!is_triple(path, *json, key)) return;
    for (size_t k = 0; k < 3; ++k) whole(key, json->items[k], path + "." + std::to_string(k), value[k]);
  }
  void words(const Key& key, std::vector<std::string>& value, const Words& allowed) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_array()) return wrong_type(path, *json, "a list of words");
    std::vector<std::string> read;
    for (size_t k = 0; k < json->items.size(); ++k) {
      const std::string at = path + "." + std::to_string(k);
      const auto index = word(at, json->items[k], allowed);
      if (!index) continue;
      const std::string_view name = allowed[static_cast<size_t>(*index)];
      if (std::find(read.begin(), read.end(), name) != read.end())
        faults_.add(at, " = \"" + std::string(name) + "\": listed twice");
      read.emplace_back(name);
    }
    value = read;
  }
  void numbers(const Key& key, std::vector<double>& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_array()) return wrong_type(path, *json, "a list of numbers", key.unit);
    value.clear();
    for (size_t k = 0; k < json->items.size(); ++k) {
      const Json& item = json->items[k];
      if (item.is_number() && key.range.contains(item.number)) {
        value.push_back(item.number);
        continue;
      }
      const std::string place = path + "." + std::to_string(k);
      if (item.is_number())
        check_number(faults_, place, key, item.number, brief_json(item));
      else
        wrong_type(place, item, "a number", key.unit);
    }
  }
  void indices(const Key& key, std::vector<int64_t>& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_array()) return wrong_type(path, *json, "a list of vertex numbers");
    value.clear();
    for (size_t k = 0; k < json->items.size(); ++k) {
      const Json& item = json->items[k];
      if (!item.is_number() || item.number != std::floor(item.number) || item.number < 0 || item.number > 2147483647.0)
        faults_.add(path + "." + std::to_string(k), " = " + brief_json(item) + ": must be a vertex number from 0");
      else
        value.push_back(static_cast<int64_t>(item.number));
    }
  }
  void region(const Key& key, RegionId& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (json->is_string() && !json->text.empty())
      value = json->text;
    else if (json->is_number())
      whole({.name = key.name, .meaning = key.meaning, .unit = "-", .range = {-2147483648.0, 2147483647.0}}, *json,
            path, hold<int>(value));
    else
      wrong_type(path, *json, "a region's label or its name");
  }
  void labels(const Key& key, std::vector<std::pair<RegionId, std::string>>& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_object()) return wrong_type(path, *json, "an object {\"region\": \"material\"}");
    value.clear();
    for (size_t k = 0; k < json->items.size(); ++k) {
      const std::string at = path + "." + json->keys[k];
      if (json->items[k].is_string())
        value.emplace_back(region_of_key(json->keys[k]), json->items[k].text);
      else
        wrong_type(at, json->items[k], "the name of a material");
    }
  }

  void shape(const Key& key, SceneShape& value) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    const size_t before = faults_.count();
    value = shape_from_json(*json, path, faults_);
    if (faults_.count() == before) check_shape(value, path, faults_);
  }

  template <class Body>
  void object(const Key& key, Body body) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_object()) return wrong_type(path, *json, "an object { }");
    inside(*json, path, body);
  }
  template <class T>
  void list(const Key& key, std::vector<T>& items) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_array()) return wrong_type(path, *json, "a list [ ]");
    items.clear();
    for (size_t k = 0; k < json->items.size(); ++k) {
      const std::string at = path + "." + std::to_string(k);
      if (!json->items[k].is_object()) {
        wrong_type(at, json->items[k], "an object { }");
        continue;
      }
      T item{};
      inside(json->items[k], at, [&] { describe(*this, item); });
      items.push_back(std::move(item));
    }
  }
  template <class T>
  void named(const Key& key, std::vector<T>& items) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (!json->is_object()) return wrong_type(path, *json, "an object {\"name\": {...}}");
    items.clear();
    for (size_t k = 0; k < json->items.size(); ++k) {
      const std::string at = path + "." + json->keys[k];
      T item{};
      item.name = json->keys[k];
      if (json->items[k].is_object())
        inside(json->items[k], at, [&] { describe(*this, item); });
      else
        wrong_type(at, json->items[k], "an object { }");
      items.push_back(std::move(item));  // faulty ones too, so that references to them are valid
    }
  }
  template <class Body>
  void word_or_object(const Key& key, const Words& words, int& index, Body body) {
    const auto [json, path] = look_up(key);
    if (!json) return;
    if (json->is_string()) {
      index = word(path, *json, words, key.inside).value_or(index);
    } else if (json->is_object()) {
      index = -1;
      inside(*json, path, body);
    } else {
      wrong_type(path, *json, one_of(words, key.inside));
    }
  }
  template <class Body>
  void alternatives(Groups groups, size_t& current, bool required, Body body) {
    one_of_groups(std::vector<Words>(groups.begin(), groups.end()), current, required, body);
  }
  void parameters(SceneMaterial& material) {
    const Json* word = object_->find("model");
    const auto kind = material_named(material.model);
    if (!kind || (word && (!word->is_string() || word->text != material.model))) {  // that has been reported
      for (int k = 0; k < material_count; ++k)
        for (const Words& names : parameter_groups(MaterialKind(k)))
          for (const std::string_view name : names) know(name);
      return;
    }
    const std::vector<MaterialForm>& forms = material_forms(*kind);
    const std::vector<Words> groups = parameter_groups(*kind);
    size_t form = 0;
    one_of_groups(groups, form, false, [&](size_t which) {
      for (const MaterialParameter& p : forms[which].parameters) {
        double value = p.default_value.value_or(0);
        number(key_of(p), value);
        material.set(p.name, value);
      }
    });
    if (material.parameters.empty())
      for (const MaterialParameter& p : forms[form].parameters) material.set(p.name, p.default_value.value_or(0));
    // Those of other models.
    for (int k = 0; k < material_count; ++k)
      for (const Words& names : parameter_groups(MaterialKind(k)))
        for (const std::string_view name : names) {
          if (!object_->find(name) || std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
          know(name);
          faults_.add(path_ + std::string(name), joined({": is no parameter of ", material.model}),
                      "it has " + parameter_list(*kind));
        }
  }
  void options(const MethodList& list, const std::string& type, std::vector<OptionValue>& values) {
    const MethodEntry* method = find_method(list, type);
    if (!method) return;
    values.clear();
    for (const Option& option : method->options) {
      const auto [json, path] = look_up(Key{option.name, option.meaning});
      const auto given = [&](std::string_view name) { return object_->find(name) != nullptr; };
      OptionScalar value = option.default_beside(given);
      if (json) {
        if (json->is_boolean()) value = json->boolean;
        if (json->is_number()) value = json->number;
        if (json->is_string()) value = json->text;
        const Error fault = option_fault(option, value);
        if (json->is_array() || json->is_object() || json->type == Json::Type::null)
          wrong_type(path, *json, "true or false, a number or a word");
        else if (!fault.what.empty())
          faults_.add(path, " " + fault.what, fault.remedy);
      }
      values.push_back({std::string(option.name), value});
    }
  }
  void ignored(const Key& key) { know(key.name); }

 private:
  struct Found {
    const Json* json;  // null: the key is not there
    std::string path;
  };

  template <class Body>
  void one_of_groups(const std::vector<Words>& groups, size_t& current, bool required, Body body) {
    std::vector<std::string> found;
    size_t used = current, index = 0;
    for (const auto& group : groups) {
      std::string first;
      for (const std::string_view key : group) {
        know(key);
        if (first.empty() && object_->find(key)) first = key;
      }
      if (!first.empty()) {
        found.push_back(first);
        used = index;
      }
      ++index;
    }
    if (found.size() > 1) {
      faults_.add(trimmed(path_), (path_.empty() ? "" : ": ") + word_list(found) + ": only one of these may be given");
      return;
    }
    if (found.empty()) {
      if (required) {
        Words names;
        for (const auto& group : groups) names.push_back(group.front());
        faults_.add(trimmed(path_), ": one of these is missing: " + word_list(names));
      }
      return;
    }
    current = used;
    body(used);
  }

  // All alternatives are known before the one in use is read.
  void know(std::string_view key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  }
  Found look_up(const Key& key) {
    know(key.name);
    const Json* json = object_->find(key.name);
    std::string_view name = key.name;
    if (!key.alias.empty()) {
      know(key.alias);
      if (const Json* other = object_->find(key.alias)) {
        if (json)
          faults_.add(path_ + std::string(key.alias), ": the same as " + std::string(key.name) + ", which is given too",
                      "keep one of them");
        json = other;
        name = key.alias;
      }
    }
    if (!json && key.required)
      faults_.add(path_ + std::string(key.name), ": missing",
                  std::string(key.missing.empty() ? key.meaning : key.missing));
    return {json, path_ + std::string(name)};
  }

  template <class Body>
  void inside(const Json& json, const std::string& path, Body body) {
    const Json* outer_object = std::exchange(object_, &json);
    std::string outer_path = std::exchange(path_, path.empty() ? "" : path + ".");
    Words outer_known = std::exchange(known_, {});
    body();
    for (const std::string& key : json.keys) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      if (const NotYet* wish = not_yet(key))
        faults_.add(path_ + brief(key), not_yet_fault(*wish), not_yet_remedy(*wish));
      else
        faults_.add(path_ + brief(key), ": unknown key", remedy_of(key));
    }
    object_ = outer_object;
    path_ = std::move(outer_path);
    known_ = std::move(outer_known);
  }

  std::string remedy_of(std::string_view unknown) const {
    const std::string_view place = nearest_word(unknown, known_).empty() ? other_place(unknown) : std::string_view();
    return place.empty() ? did_you_mean(unknown, known_) : std::string(place);
  }

  // What the word stands for in other programs, or "".
  static std::string_view meant_by(std::string_view written, std::span<const OtherNames> others) {
    std::string plain;
    for (const char c : written)
      if (c != ' ' && c != '-' && c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const OtherNames& names : others)
      if (!plain.empty() && std::find(names.written.begin(), names.written.end(), plain) != names.written.end())
        return names.meant;
    return {};
  }

  void whole(const Key& key, const Json& json, const std::string& path, int& value) {
    if (!json.is_number()) return wrong_type(path, json, "a whole number", key.unit);
    Range range = key.range;
    range.low = std::max(range.low, -2147483648.0);
    range.high = std::min(range.high, 2147483647.0);
    if (json.number != std::floor(json.number))
      return faults_.add(path, " = " + brief_json(json) + unit_text(key.unit) + ": must be a whole number");
    Key limited = key;
    limited.range = range;
    if (check_number(faults_, path, limited, json.number, brief_json(json))) value = static_cast<int>(json.number);
  }
  // `inside`: keys of an object that may replace the word.
  static std::string one_of(const Words& words, std::string_view inside) {
    const std::string word = words.size() == 1 ? joined({"\"", words[0], "\""}) : "one of " + word_list(words);
    return inside.empty() ? word : joined({word, ", or an object { } with ", inside});
  }
  std::optional<int> word(const std::string& path, const Json& json, const Words& words, std::string_view inside = {},
                          std::string_view remedy = {}, std::span<const OtherNames> others = {}) {
    if (!json.is_string()) {
      wrong_type(path, json, one_of(words, inside));
      return std::nullopt;
    }
    const auto at = std::find(words.begin(), words.end(), json.text);
    if (at != words.end()) return static_cast<int>(at - words.begin());
    const std::string_view meant = meant_by(json.text, others);
    const std::string_view near = meant.empty() ? nearest_word(json.text, words) : meant;
    // A remedy of the key itself is more specific.
    if (const NotYet* wish = remedy.empty() && meant.empty() ? not_yet(json.text) : nullptr) {
      faults_.add(path, " = " + brief_json(json) + not_yet_fault(*wish), not_yet_remedy(*wish));
      return std::nullopt;
    }
    faults_.add(path, " = " + brief_json(json) + ": must be " + one_of(words, inside),
                near.empty() ? std::string(remedy) : "did you mean '" + std::string(near) + "'?");
    return std::nullopt;
  }
  bool is_triple(const std::string& path, const Json& json, const Key& key) {
    const bool right = json.is_array() && json.items.size() == 3 &&
                       std::all_of(json.items.begin(), json.items.end(), [](const Json& j) { return j.is_number(); });
    if (!right)
      faults_.add(path, " = " + brief_json(json) + unit_text(key.unit) + ": must be " +
                            (key.uniform ? "a number or " : "") + "a list of three numbers");
    return right;
  }
  void wrong_type(const std::string& path, const Json& json, const std::string& expected, std::string_view unit = {}) {
    faults_.add(path, " = " + brief_json(json) + unit_text(unit) + ": must be " + expected + ", not " +
                          std::string(kind_of(json)));
  }

  static std::string trimmed(const std::string& path) { return path.empty() ? path : path.substr(0, path.size() - 1); }
  // A key as text for one line of a message.
  static std::string brief(const std::string& key) {
    const std::string text = brief_json(Json(key));
    return text.size() == key.size() + 2 && !key.empty() ? key : text;
  }

  Faults& faults_;
  const Json* object_ = nullptr;
  std::string path_;  // of the object, with a trailing dot
  Words known_;       // the keys it may have
};

// Adds the options of a method that is given by name only.
void complete(const MethodList& list, const std::string& type, std::vector<OptionValue>& values) {
  const MethodEntry* method = find_method(list, type);
  if (!method || !values.empty()) return;
  for (const Option& option : method->options) values.push_back({std::string(option.name), option.default_value});
}

}  // namespace

Scene scene_from_json(const Json& document, Faults& faults) {
  Scene scene;
  Reader(faults).read(document, scene);
  complete(solver_methods(), scene.solver.type, scene.solver.options);
  complete(accelerator_methods(), scene.solver.accelerator, scene.solver.accelerator_options);
  return scene;
}

}  // namespace sinew
