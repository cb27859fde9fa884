#include "scene/shape_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include "base/format.h"
#include "base/nearest.h"
#include "meshing/shape_parameters.h"
#include "scene/places.h"
#include "scene/value_text.h"

namespace sinew {
namespace {

constexpr std::string_view parts_key = "parts";

Words kind_names() {
  Words names;
  for (const ShapeKind& kind : shape_kinds()) names.push_back(kind.name);
  return names;
}
// The index of a kind; the number of kinds if there is none of this name.
size_t number_of(std::string_view name) {
  const auto kinds = shape_kinds();
  const auto at = std::find_if(kinds.begin(), kinds.end(), [&](const ShapeKind& k) { return k.name == name; });
  return static_cast<size_t>(at - kinds.begin());
}
std::vector<ShapeParameter> parameters_of(size_t kind) {
  std::vector<ShapeParameter> all = shape_parameters(kind);
  for (ShapeParameter& p : placement_parameters()) all.push_back(p);
  return all;
}

// A value of the parameter's type.
std::optional<ShapeValue> value_of(const Json& json, const ShapeParameter& parameter) {
  if (std::holds_alternative<bool>(parameter.default_value)) {
    if (json.is_boolean()) return json.boolean;
  } else if (std::holds_alternative<Vec3d>(parameter.default_value)) {
    const bool triple = json.is_array() && json.items.size() == 3 &&
                        std::all_of(json.items.begin(), json.items.end(), [](const Json& j) { return j.is_number(); });
    if (triple) return Real3{json.items[0].number, json.items[1].number, json.items[2].number};
  } else if (json.is_number()) {
    if (std::holds_alternative<int>(parameter.default_value) && json.number != std::floor(json.number)) return {};
    return json.number;
  }
  return {};
}
const char* type_text(const ShapeParameter& parameter) {
  constexpr const char* texts[] = {"a number", "a whole number", "true or false", "a list of three numbers"};
  return texts[parameter.default_value.index()];
}

// Sets the parameters that are given.
class Setter {
 public:
  explicit Setter(const SceneShape& shape) : shape_(shape) {}
  template <class T>
  void operator()(const ShapeKey& key, T& value) const {
    for (const auto& [name, given] : shape_.values) {
      if (name != key.name) continue;
      if constexpr (std::is_same_v<T, bool>) {
        if (const bool* b = std::get_if<bool>(&given)) value = *b;
      } else if constexpr (std::is_same_v<T, Vec3d>) {
        if (const Real3* p = std::get_if<Real3>(&given)) value = to_vec(*p);
      } else if (const double* d = std::get_if<double>(&given)) {
        // A value beyond int is also out of range, and is reported as such.
        if constexpr (std::is_same_v<T, int>)
          value = static_cast<int>(std::clamp(*d, -2147483648.0, 2147483647.0));
        else
          value = *d;
      }
    }
  }

 private:
  const SceneShape& shape_;
};

// Converts "parts[2].radius" to a path in a scene: "difference.parts.2.ball.radius".
std::string place_in(const SceneShape& shape, std::string_view place) {
  std::string text = shape.kind;
  const SceneShape* at = &shape;
  while (!place.empty()) {
    const size_t end = std::min(place.find('.'), place.size());
    const std::string_view token = place.substr(0, end);
    place.remove_prefix(std::min(end + 1, place.size()));
    const size_t bracket = token.find('[');
    if (bracket == std::string_view::npos) {
      text += joined({".", token});
      continue;
    }
    const std::string_view number = token.substr(bracket + 1, token.size() - bracket - 2);
    at = &at->parts[static_cast<size_t>(std::atoi(std::string(number).c_str()))];
    text += joined({".", token.substr(0, bracket), ".", number, ".", at->kind});
  }
  return text;
}

// Checks that all kinds and parameters are known and that parts are not nested too deep.
bool check_words(const SceneShape& shape, const std::string& path, Faults& faults, int depth = 0) {
  if (depth > deepest_shape) {
    faults.add(path, format(": parts lie within each other more than %d deep", deepest_shape),
               "put more parts side by side");
    return false;
  }
  const size_t kind = number_of(shape.kind);
  if (kind == shape_kinds().size()) {
    faults.add(path, ": there is no shape '" + shape.kind + "'", did_you_mean(shape.kind, kind_names()));
    return false;
  }
  bool good = true;
  const std::vector<ShapeParameter> parameters = parameters_of(kind);
  Words names;
  for (const ShapeParameter& p : parameters) names.push_back(p.name);
  for (const auto& [name, value] : shape.values) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    faults.add(joined({path, ".", shape.kind, ".", name}), ": unknown key", did_you_mean(name, names));
    good = false;
  }
  for (size_t k = 0; k < shape.parts.size(); ++k)
    good &=
        check_words(shape.parts[k], joined({path, ".", shape.kind, ".parts.", std::to_string(k)}), faults, depth + 1);
  return good;
}

}  // namespace

SceneShape shape_from_json(const Json& json, const std::string& path, Faults& faults) {
  SceneShape shape;
  if (!json.is_object() || json.items.size() != 1) {
    faults.add(path, " = " + brief_json(json) + R"(: must be an object { "KIND": { ... } })",
               R"(e.g. { "ball": { "radius": 0.5 } })");
    return shape;
  }
  shape.kind = json.keys[0];
  const Json& body = json.items[0];
  const std::string at = path + "." + shape.kind;
  const size_t kind = number_of(shape.kind);
  if (kind == shape_kinds().size()) {
    faults.add(at, ": there is no such shape", did_you_mean(shape.kind, kind_names()));
    return shape;
  }
  if (!body.is_object()) {
    faults.add(at, " = " + brief_json(body) + ": its parameters must be an object { }",
               joined({"{ \"", shape.kind, "\": { } } has their defaults"}));
    return shape;
  }
  const std::vector<ShapeParameter> parameters = parameters_of(kind);
  const bool has_parts = shape_kinds()[kind].most_parts > 0;
  Words known;
  for (const ShapeParameter& p : parameters) known.push_back(p.name);
  if (has_parts) known.push_back(parts_key);
  for (size_t k = 0; k < body.items.size(); ++k) {
    const std::string& name = body.keys[k];
    const Json& value = body.items[k];
    const std::string place = joined({at, ".", name});
    if (has_parts && name == parts_key) {
      if (!value.is_array()) faults.add(place, " = " + brief_json(value) + ": must be a list of shapes");
      for (size_t n = 0; n < value.items.size() && value.is_array(); ++n)
        shape.parts.push_back(shape_from_json(value.items[n], place + "." + std::to_string(n), faults));
      continue;
    }
    const auto parameter =
        std::find_if(parameters.begin(), parameters.end(), [&](const ShapeParameter& p) { return p.name == name; });
    if (parameter == parameters.end()) {
      faults.add(place, ": unknown key", did_you_mean(name, known));
    } else if (const std::optional<ShapeValue> given = value_of(value, *parameter)) {
      shape.values.emplace_back(name, *given);
    } else {
      faults.add(place, joined({" = ", brief_json(value), ": must be ", type_text(*parameter)}));
    }
  }
  return shape;
}

Json json_from_shape(const SceneShape& shape) {
  Json body = Json::object();
  for (const auto& [name, value] : shape.values) {
    if (const bool* b = std::get_if<bool>(&value)) body.add(name, *b);
    if (const double* d = std::get_if<double>(&value)) body.add(name, *d);
    if (const Real3* p = std::get_if<Real3>(&value)) {
      Json triple = Json::array();
      for (const double c : *p) triple.add(c);
      body.add(name, std::move(triple));
    }
  }
  if (!shape.parts.empty()) {
    Json parts = Json::array();
    for (const SceneShape& part : shape.parts) parts.add(json_from_shape(part));
    body.add(parts_key, std::move(parts));
  }
  Json json = Json::object();
  json.add(shape.kind, std::move(body));
  return json;
}

Shape shape_of(const SceneShape& shape) {
  Shape result = default_shape(number_of(shape.kind));
  const Setter setter(shape);
  describe(setter, result.form);
  describe(setter, result.placement);
  for (const SceneShape& part : shape.parts) result.parts.push_back(shape_of(part));
  return result;
}

void check_shape(const SceneShape& shape, const std::string& path, Faults& faults) {
  if (!check_words(shape, path, faults)) return;
  for (const Error& fault : shape_faults(shape_of(shape))) {
    faults.add(joined({path, ".", place_in(shape, fault.where)}),
               (fault.what.starts_with('=') ? " " : ": ") + fault.what, fault.remedy);
  }
}

Result<SceneShape> parse_shape(std::string_view text, const std::string& name) {
  const Result<Json> json = parse_json(text, name);
  if (!json) return json.error();
  Faults faults;
  SceneShape shape = shape_from_json(*json, "shape", faults);
  if (!faults.empty()) return faults.error(name);
  return shape;
}

}  // namespace sinew
