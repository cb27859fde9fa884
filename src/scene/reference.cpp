// scene_reference(): the page of every key, in Markdown.
#include <algorithm>
#include <iterator>
#include <map>

#include "base/nearest.h"
#include "meshing/shape.h"
#include "scene/outline.h"
#include "sinew/scene_file.h"

namespace sinew {

namespace {

using Kind = Outline::Kind;

constexpr std::string_view kOpening = R"(# Scene reference

A scene is a JSON file; `//` and `/* */` comments are welcome. Lengths are in metres, masses in kilograms, times in
seconds, angles in degrees. Relative paths are against the folder of the scene.

```json
// A beam bends under its weight.
{
  "sinew": 1,
  "materials": { "rubber": { "youngs_modulus": 1e5, "poisson_ratio": 0.45, "density": 1000 } },
  "objects": { "beam": { "mesh": { "beam": { "length": 0.4 } }, "material": "rubber" } },
  "pins": [{ "object": "beam", "select": { "box": { "min": [0, 0, 0], "max": [0, 0.1, 0.1] } } }]
}
```

Keys are strict: an unknown key, a key given twice, a wrong type or a value out of range is an error that names the
path of the key, the value, what is allowed and the nearest valid word. `sinew check scene.json` reads a scene and
reports all its faults; `--set path=value` replaces or adds a value on the command line, e.g.
`--set solver.iterations=40 --set pins.0.release=1 --set "gravity=[0, 0, -9.81]"`.

`sinew check --schema` prints the JSON Schema of this page. An editor that knows JSON Schema completes and checks
scenes that open with `"$schema": "path/to/scene.schema.json"`.

This page is generated from the tables that the program reads scenes with: `sinew check --reference`. **Bold** keys are
required.
)";

std::string type_text(const Outline& o) {
  switch (o.kind) {
    case Kind::number:
      return "number";
    case Kind::number_or_auto:
      return "number, `auto`";
    case Kind::whole:
      return "whole number";
    case Kind::toggle:
      return "true, false";
    case Kind::text:
    case Kind::ignored:
      return "text";
    case Kind::choice: {
      std::string text;
      for (const std::string_view word : o.allowed) text += joined({text.empty() ? "`" : ", `", word, "`"});
      return text;
    }
    case Kind::vector:
      return o.key.uniform ? "[x, y, z] or number" : "[x, y, z]";
    case Kind::cells:
      return "[x, y, z] or number";
    case Kind::words: {
      std::string text = "list of";
      for (const std::string_view word : o.allowed) text += joined({" `", word, "`"});
      return text;
    }
    case Kind::numbers:
    case Kind::indices:
      return "list of numbers";
    case Kind::labels:
      return "{region: material}";
    case Kind::region:
      return "label or name";
    case Kind::shape:
      return "shape";
    case Kind::object:
      return "object";
    case Kind::list:
      return "list of objects";
    case Kind::named:
      return "{name: object}";
    case Kind::word_or_object: {
      std::string text;
      for (const std::string_view word : o.allowed) text += joined({"`", word, "`, "});
      return text + "object";
    }
  }
  return "";
}

std::string range_text(const Range& r) {
  std::string text;
  if (r.low == r.high) return number_text(r.low);
  if (r.low != -no_limit) text = joined({r.low_open ? "> " : ">= ", number_text(r.low)});
  if (r.high != no_limit) text += joined({text.empty() ? "" : ", ", r.high_open ? "< " : "<= ", number_text(r.high)});
  return text;
}

// A bar would end the cell.
std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string row(const Outline& o) {
  std::string name = joined({"`", o.key.name, "`"});
  if (o.key.required && !o.in_group) name = joined({"**", name, "**"});
  if (!o.key.alias.empty()) name += joined({" or `", o.key.alias, "`"});
  const bool has_default = o.default_value.type != Json::Type::null;
  return joined({"| ", name, " | ", type_text(o), " | ", o.key.unit == "-" ? "" : o.key.unit, " | ",
                 range_text(o.key.range), " | ", has_default ? joined({"`", brief_json(o.default_value), "`"}) : "",
                 " | ", in_cell(o.key.meaning), " |\n"});
}

std::string table(const std::vector<Outline>& members) {
  std::string text = "| key | value | unit | allowed | default | meaning |\n|---|---|---|---|---|---|\n";
  for (const Outline& member : members) text += row(member);
  return text;
}

std::string choice_text(const Outline::Choice& choice) {
  std::string text = choice.required ? "One of these is given: " : "At most one of these is given: ";
  for (size_t k = 0; k < choice.groups.size(); ++k) {
    if (k > 0) text += k + 1 < choice.groups.size() ? ", " : " or ";
    // The table shows the alternative spellings.
    for (size_t n = 0; n < choice.groups[k].size(); ++n)
      if (choice.groups[k][n].size() > 2 || choice.groups[k][n] == "mu")
        text += joined({text.ends_with('`') ? " and `" : "`", choice.groups[k][n], "`"});
  }
  return text + ".\n";
}

class Page {
 public:
  std::string write(const Outline& scene) {
    text_ = kOpening;
    section("The scene", "", scene);
    shapes();
    return text_;
  }

 private:
  void section(const std::string& title, const std::string& path, const Outline& o) {
    std::string body;
    for (const Outline::Choice& choice : o.choices) body += choice_text(choice) + "\n";
    body += table(o.members);
    body += methods_text(o);
    body += models_text(o);

    text_ += joined({"\n## ", title, "\n\n"});
    // The same keys under another path, like the selections of pins and loads.
    const auto [at, is_new] = seen_.try_emplace(body, title);
    if (!is_new) {
      text_ += joined({"As ", at->second, ".\n"});
      return;
    }
    text_ += body;
    for (const Outline& member : o.members) {
      if (member.members.empty()) continue;
      std::string below = joined({path, path.empty() ? "" : ".", member.key.name});
      if (member.kind == Kind::list) below += "[]";
      if (member.kind == Kind::named) below += ".NAME";
      section(joined({"`", below, "`"}), below, member);
    }
  }

  void shapes() {
    text_ +=
        "\n## Shapes\n\n"
        "A shape is an object with one key, its kind, and below that its parameters:\n\n"
        "```json\n"
        "{ \"difference\": { \"parts\": [ { \"ball\": { \"radius\": 0.5 } }, { \"capsule\": { \"radius\": 0.1 } } ], "
        "\"blend\": 0.02 } }\n"
        "```\n\n"
        "What has an axis has it along y and its centre at the origin, unless it says otherwise. Every shape may be "
        "placed:\n\n";
    text_ += table_of(placement_parameters());
    for (size_t k = 0; k < shape_kinds().size(); ++k) {
      const ShapeKind& kind = shape_kinds()[k];
      text_ += joined({"\n**`", kind.name, "`**: ", kind.meaning, ".\n"});
      if (kind.most_parts > 0)
        text_ += joined({"`parts`: ", kind.most_parts == 1 ? "a list of one shape" : "a list of shapes", ".\n"});
      if (const std::vector<ShapeParameter> parameters = shape_parameters(k); !parameters.empty())
        text_ += "\n" + table_of(parameters);
    }
  }

  static std::string table_of(const std::vector<ShapeParameter>& parameters) {
    std::vector<Outline> members;
    for (const ShapeParameter& p : parameters) {
      Outline o;
      o.key = {.name = p.name, .meaning = p.meaning, .unit = p.unit, .range = p.range};
      if (const bool* b = std::get_if<bool>(&p.default_value)) {
        o.kind = Kind::toggle;
        o.default_value = Json(*b);
      } else if (const int* n = std::get_if<int>(&p.default_value)) {
        o.kind = Kind::whole;
        o.default_value = Json(*n);
      } else if (const Vec3d* v = std::get_if<Vec3d>(&p.default_value)) {
        o.kind = Kind::vector;
        o.default_value = Json::array();
        for (const double c : {v->x, v->y, v->z}) o.default_value.add(c);
      } else {
        o.kind = Kind::number;
        o.default_value = Json(*std::get_if<double>(&p.default_value));
      }
      members.push_back(std::move(o));
    }
    return table(members);
  }

  // The options that every method has, then the others of each.
  static std::string methods_text(const Outline& o) {
    const auto is_common = [&](const Outline& option) {
      return std::all_of(o.methods.begin(), o.methods.end(), [&](const Outline::Method& m) {
        return std::any_of(m.options.begin(), m.options.end(),
                           [&](const Outline& other) { return row(other) == row(option); });
      });
    };
    std::string text;
    std::vector<Outline> common;
    if (o.methods.size() > 1)
      std::copy_if(o.methods[0].options.begin(), o.methods[0].options.end(), std::back_inserter(common), is_common);
    if (!common.empty()) text += "\nEvery type has these:\n\n" + table(common);
    for (const Outline::Method& method : o.methods) {
      text += joined({"\n**`\"type\": \"", method.name, "\"`**: ", method.summary,
                      method.accelerates ? "." : ". It takes no accelerator."});
      for (const RefusedWord& r : method.refused)
        text += joined({" Not with `\"", r.option, "\": \"", r.word, "\"` of ", r.accelerator, "."});
      text += "\n";
      std::vector<Outline> own;
      for (const Outline& option : method.options)
        if (common.empty() || !is_common(option)) own.push_back(option);
      if (!own.empty()) text += "\n" + table(own);
    }
    return text;
  }

  // Each model, and the parameters of those that have the same.
  static std::string models_text(const Outline& o) {
    if (o.models.empty()) return "";
    std::string text = "\n| model | |\n|---|---|\n";
    for (const Outline::Model& m : o.models) text += joined({"| `", m.name, "` | ", m.summary, " |\n"});
    std::vector<std::pair<std::string, std::string>> parts;  // parameters, and whose they are
    for (const Outline::Model& m : o.models) {
      std::string forms;
      for (const std::vector<Outline>& form : m.forms) forms += (forms.empty() ? "" : "\nor by\n\n") + table(form);
      const auto at = std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.first == forms; });
      const std::string name = joined({"`", m.name, "`"});
      if (at == parts.end())
        parts.emplace_back(forms, name);
      else
        at->second += ", " + name;
    }
    for (const auto& [forms, names] : parts) text += joined({"\n**", names, "** by\n\n", forms});
    return text;
  }

  std::string text_;
  std::map<std::string, std::string> seen_;  // body -> title of the section that contains it
};

}  // namespace

std::string scene_reference() {
  return Page().write(scene_outline());
}

}  // namespace sinew
