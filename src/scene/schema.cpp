// scene_schema(): JSON Schema, draft-07.
#include <algorithm>

#include "base/nearest.h"
#include "meshing/shape.h"
#include "scene/outline.h"
#include "sinew/scene_file.h"

namespace sinew {

namespace {

using Kind = Outline::Kind;

Json typed(const char* type) {
  Json json = Json::object();
  json.add("type", type);
  return json;
}

Json strings(const std::vector<std::string>& words) {
  Json json = Json::array();
  for (const std::string& word : words) json.add(word);
  return json;
}
Json strings(const Words& words) {
  Json json = Json::array();
  for (const std::string_view word : words) json.add(word);
  return json;
}

// A limit as a number without needless digits.
Json limit(double value) {
  Json json(value);
  json.whole = value == static_cast<double>(static_cast<int64_t>(value));
  return json;
}
Json ranged(const char* type, const Range& range) {
  Json json = typed(type);
  if (range.low != -no_limit) json.add(range.low_open ? "exclusiveMinimum" : "minimum", limit(range.low));
  if (range.high != no_limit) json.add(range.high_open ? "exclusiveMaximum" : "maximum", limit(range.high));
  return json;
}
Json triple(Json item) {
  Json json = typed("array");
  json.add("items", std::move(item));
  json.add("minItems", 3);
  json.add("maxItems", 3);
  return json;
}
Json any_of(Json a, Json b) {
  Json list = Json::array();
  list.add(std::move(a));
  list.add(std::move(b));
  Json json = Json::object();
  json.add("anyOf", std::move(list));
  return json;
}
Json enumeration(const Words& words) {
  Json json = Json::object();
  json.add("enum", strings(words));
  return json;
}
Json required(const std::string& key) {
  Json json = Json::object();
  json.add("required", strings(std::vector{key}));
  return json;
}
Json not_both(const std::string& a, const std::string& b) {
  Json both = Json::object();
  both.add("required", strings(std::vector{a, b}));
  Json json = Json::object();
  json.add("not", std::move(both));
  return json;
}

Json schema_of(const Outline& outline);

void add_property(Json& properties, const Outline& member) {
  properties.add(member.key.name, schema_of(member));
  if (member.key.alias.empty()) return;
  Json other = schema_of(member);
  *other.find("description") = Json(joined({"the same as ", member.key.name}));
  properties.add(member.key.alias, std::move(other));
}

// "none", or the equivalent object.
Json no_accelerator() {
  Json object = Json::object(), words = Json::array(), json = Json::object();
  object.add("type", "none");
  words.add("none");
  words.add(std::move(object));
  json.add("enum", std::move(words));
  return json;
}

// Any accelerator, except with these values of their options.
Json accelerator_without(const std::vector<RefusedWord>& refused) {
  if (refused.empty()) return true;
  Json any = Json::array();
  for (const RefusedWord& r : refused) {
    const auto constant = [](std::string_view word) {
      Json json = Json::object();
      json.add("const", word);
      return json;
    };
    Json properties = Json::object();
    properties.add("type", constant(r.accelerator));
    properties.add(r.option, constant(r.word));
    Json one = typed("object");
    one.add("required", strings(Words{"type", r.option}));
    one.add("properties", std::move(properties));
    any.add(std::move(one));
  }
  Json either = Json::object(), json = Json::object();
  either.add("anyOf", std::move(any));
  json.add("not", std::move(either));
  return json;
}

// The options that belong to each value of "type".
Json methods_of(const Outline& outline, const std::string& default_type) {
  Json all = Json::array();
  for (const Outline::Method& method : outline.methods) {
    Json constant = Json::object();
    constant.add("const", method.name);
    Json type = Json::object();
    type.add("type", std::move(constant));
    Json condition = Json::object();
    condition.add("properties", std::move(type));
    if (method.name != default_type) condition.add("required", strings(std::vector<std::string>{"type"}));

    Json properties = Json::object();
    for (const Outline& member : outline.members) {
      const bool accelerator = member.key.name == "accelerator";
      properties.add(member.key.name, !accelerator          ? Json(true)
                                      : !method.accelerates ? no_accelerator()
                                                            : accelerator_without(method.refused));
    }
    for (const Outline& option : method.options) add_property(properties, option);
    Json then = Json::object();
    then.add("properties", std::move(properties));
    then.add("additionalProperties", false);

    Json rule = Json::object();
    rule.add("if", std::move(condition));
    rule.add("then", std::move(then));
    all.add(std::move(rule));
  }
  return all;
}

// The parameters of all models; for each model one of its forms, and none of another model's.
void add_models(const Outline& outline, Json& properties, Json& rules) {
  std::vector<std::string> all;
  const auto names_of = [](const std::vector<Outline>& form) {
    std::vector<std::string> names;
    for (const Outline& p : form) {
      names.emplace_back(p.key.name);
      if (!p.key.alias.empty()) names.emplace_back(p.key.alias);
    }
    return names;
  };
  for (const Outline::Model& model : outline.models)
    for (const std::vector<Outline>& form : model.forms)
      for (const Outline& p : form) {
        if (properties.find(p.key.name)) continue;
        add_property(properties, p);
        all.emplace_back(p.key.name);
        if (p.key.alias.empty()) continue;
        all.emplace_back(p.key.alias);
        rules.add(not_both(std::string(p.key.name), std::string(p.key.alias)));
      }
  for (const Outline::Model& model : outline.models) {
    Json constant = Json::object(), word = Json::object(), condition = Json::object();
    constant.add("const", model.name);
    word.add("model", std::move(constant));
    condition.add("properties", std::move(word));
    if (!model.is_default) condition.add("required", strings(std::vector<std::string>{"model"}));

    Json none = Json::object(), dependencies = Json::object(), own = Json::array();
    std::vector<std::string> known;
    for (size_t a = 0; a < model.forms.size(); ++a) {
      const std::vector<std::string> names = names_of(model.forms[a]);
      known.insert(known.end(), names.begin(), names.end());
      for (size_t b = a + 1; b < model.forms.size(); ++b)
        for (const std::string& key : names)
          for (const std::string& other : names_of(model.forms[b])) own.add(not_both(key, other));
      // Required parameters of a form come together.
      std::vector<std::string> needed;
      for (const Outline& p : model.forms[a])
        if (p.key.required) needed.emplace_back(p.key.name);
      for (size_t k = 0; k < needed.size() && needed.size() > 1; ++k)
        dependencies.add(needed[k], strings(std::vector{needed[(k + 1) % needed.size()]}));
    }
    for (const std::string& name : all)
      if (std::find(known.begin(), known.end(), name) == known.end()) none.add(name, false);
    Json then = Json::object(), rule = Json::object();
    then.add("properties", std::move(none));
    if (!dependencies.items.empty()) then.add("dependencies", std::move(dependencies));
    if (!own.items.empty()) then.add("allOf", std::move(own));
    rule.add("if", std::move(condition));
    rule.add("then", std::move(then));
    rules.add(std::move(rule));
  }
}

Json object_of(const Outline& outline) {
  Json json = typed("object");
  Json properties = Json::object();
  std::vector<std::string> needed;
  Json rules = Json::array(), dependencies = Json::object();
  std::string default_type;
  for (const Outline& member : outline.members) {
    add_property(properties, member);
    if (member.key.required && !member.in_group) needed.emplace_back(member.key.name);
    if (member.key.name == "type") default_type = member.default_value.text;
    if (!member.key.alias.empty()) rules.add(not_both(std::string(member.key.name), std::string(member.key.alias)));
  }
  for (const Outline::Choice& choice : outline.choices) {
    Json one = Json::array();
    for (size_t a = 0; a < choice.groups.size(); ++a) {
      for (const std::string& key : choice.groups[a]) one.add(required(key));
      for (size_t b = a + 1; b < choice.groups.size(); ++b)
        for (const std::string& key : choice.groups[a])
          for (const std::string& other : choice.groups[b]) rules.add(not_both(key, other));
      // The required members of a group must be given together.
      std::vector<std::string> together;
      for (const std::string& key : choice.groups[a])
        for (const Outline& member : outline.members)
          if (member.key.name == key && member.key.required) together.push_back(key);
      for (size_t k = 0; k < together.size() && together.size() > 1; ++k)
        dependencies.add(together[k], strings(std::vector{together[(k + 1) % together.size()]}));
    }
    if (!choice.required) continue;
    Json any = Json::object();
    any.add("anyOf", std::move(one));
    rules.add(std::move(any));
  }
  add_models(outline, properties, rules);
  for (Json& rule : methods_of(outline, default_type).items) rules.add(std::move(rule));

  json.add("properties", std::move(properties));
  if (!needed.empty()) json.add("required", strings(needed));
  if (!dependencies.items.empty()) json.add("dependencies", std::move(dependencies));
  if (!rules.items.empty()) json.add("allOf", std::move(rules));
  if (outline.methods.empty()) json.add("additionalProperties", false);
  return json;
}

Json reference_to_shape() {
  Json json = Json::object();
  json.add("$ref", "#/definitions/shape");
  return json;
}

Json value_of(const ShapeParameter& p) {
  if (std::holds_alternative<bool>(p.default_value)) return typed("boolean");
  if (std::holds_alternative<int>(p.default_value)) return ranged("integer", p.range);
  Json number = ranged("number", p.range);
  return std::holds_alternative<Vec3d>(p.default_value) ? triple(std::move(number)) : number;
}

// An object with one key, the kind, whose value has the parameters of that kind.
Json shape_definition() {
  Json kinds = Json::object();
  for (size_t k = 0; k < shape_kinds().size(); ++k) {
    const ShapeKind& kind = shape_kinds()[k];
    Json properties = Json::object();
    std::vector<ShapeParameter> parameters = shape_parameters(k);
    for (const ShapeParameter& p : placement_parameters()) parameters.push_back(p);
    for (const ShapeParameter& p : parameters) {
      Json value = value_of(p);
      value.add("description", p.unit == "-" ? std::string(p.meaning) : joined({p.meaning, " [", p.unit, "]"}));
      properties.add(p.name, std::move(value));
    }
    Json body = typed("object");
    if (kind.most_parts > 0) {
      Json parts = typed("array");
      parts.add("items", reference_to_shape());
      parts.add("minItems", static_cast<int64_t>(kind.least_parts));
      if (kind.most_parts < 1000) parts.add("maxItems", static_cast<int64_t>(kind.most_parts));
      properties.add("parts", std::move(parts));
      body.add("required", strings(std::vector<std::string>{"parts"}));
    }
    body.add("description", kind.meaning);
    body.add("properties", std::move(properties));
    body.add("additionalProperties", false);
    kinds.add(kind.name, std::move(body));
  }
  Json shape = typed("object");
  shape.add("properties", std::move(kinds));
  shape.add("additionalProperties", false);
  shape.add("minProperties", 1);
  shape.add("maxProperties", 1);
  return shape;
}

Json value_of(const Outline& o) {
  switch (o.kind) {
    case Kind::number:
      return ranged("number", o.key.range);
    case Kind::number_or_auto:
      return any_of(ranged("number", o.key.range), enumeration({"auto"}));
    case Kind::whole:
      return ranged("integer", o.key.range);
    case Kind::toggle:
      return typed("boolean");
    case Kind::text: {
      Json json = typed("string");
      if (o.key.required) json.add("minLength", 1);
      return json;
    }
    case Kind::ignored:
      return typed("string");
    case Kind::choice:
      return enumeration(o.allowed);
    case Kind::vector:
    case Kind::cells: {
      const char* type = o.kind == Kind::vector ? "number" : "integer";
      Json three = triple(ranged(type, o.key.range));
      return o.key.uniform ? any_of(ranged(type, o.key.range), std::move(three)) : three;
    }
    case Kind::words: {
      Json json = typed("array");
      json.add("items", enumeration(o.allowed));
      json.add("uniqueItems", true);
      return json;
    }
    case Kind::numbers: {
      Json json = typed("array");
      json.add("items", ranged("number", o.key.range));
      return json;
    }
    case Kind::indices: {
      Json json = typed("array");
      json.add("items", ranged("integer", {0, 2147483647.0}));
      json.add("minItems", 1);
      return json;
    }
    case Kind::labels: {
      Json json = typed("object");
      json.add("additionalProperties", typed("string"));
      return json;
    }
    case Kind::region: {
      Json name = typed("string");
      name.add("minLength", 1);
      return any_of(ranged("integer", {-2147483648.0, 2147483647.0}), std::move(name));
    }
    case Kind::shape:
      return reference_to_shape();
    case Kind::object:
      return object_of(o);
    case Kind::list: {
      Json json = typed("array");
      json.add("items", object_of(o));
      return json;
    }
    case Kind::named: {
      Json json = typed("object"), names = Json::object();
      names.add("pattern", "^[^./\\\\:*?\"<>|]{1,80}$");
      json.add("propertyNames", std::move(names));
      json.add("additionalProperties", object_of(o));
      if (o.key.required) json.add("minProperties", 1);
      return json;
    }
    case Kind::word_or_object:
      return any_of(enumeration(o.allowed), object_of(o));
  }
  return Json::object();
}

Json schema_of(const Outline& o) {
  Json json = value_of(o);
  std::string description(o.key.meaning);
  if (!o.key.unit.empty() && o.key.unit != "-") description += joined({" [", o.key.unit, "]"});
  json.add("description", description);
  if (o.default_value.type != Json::Type::null) json.add("default", o.default_value);
  return json;
}

}  // namespace

std::string scene_schema() {
  const Json scene = object_of(scene_outline());
  Json schema = Json::object();
  schema.add("$schema", "http://json-schema.org/draft-07/schema#");
  schema.add("title", "Sinew scene");
  schema.add("description", "Lengths in metres, masses in kilograms, times in seconds, angles in degrees.");
  for (size_t k = 0; k < scene.items.size(); ++k) schema.add(scene.keys[k], scene.items[k]);
  Json definitions = Json::object();
  definitions.add("shape", shape_definition());
  schema.add("definitions", std::move(definitions));
  return write_json(schema);
}

}  // namespace sinew
