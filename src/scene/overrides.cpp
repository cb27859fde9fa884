#include "scene/overrides.h"

#include <algorithm>
#include <optional>

#include "base/format.h"
#include "base/nearest.h"
#include "io/scanner.h"
#include "scene/faults.h"
#include "scene/reader.h"
#include "scene/writer.h"

namespace sinew {

namespace {

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool is_index(const std::string& key) {
  int64_t index = 0;
  return to_whole(key, index) && index >= 0;
}

// The value at this path with every default written out; null if there is none.
std::optional<Json> resolved_at(const Json& document, const std::vector<std::string>& parts, size_t count) {
  Faults ignored;  // they are found again after all overrides
  const Json resolved = json_from_scene(scene_from_json(document, ignored));
  const Json* at = &resolved;
  for (size_t k = 0; k < count && at; ++k) {
    int64_t index = 0;
    if (at->is_object())
      at = at->find(parts[k]);
    else if (at->is_array() && to_whole(parts[k], index) && index >= 0 &&
             index < static_cast<int64_t>(at->items.size()))
      at = &at->items[static_cast<size_t>(index)];
    else
      at = nullptr;
  }
  return at ? std::optional<Json>(*at) : std::nullopt;
}

class Overrides {
 public:
  explicit Overrides(Json& document) : document_(document) {}

  Status apply(const std::string& text) {
    const std::string where = "--set " + text;
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{where, "must be path=value", "e.g. --set solver.iterations=40"};
    const std::string path = text.substr(0, equals), written = text.substr(equals + 1);
    for (const std::string& earlier : paths_)
      if (earlier.starts_with(path + "."))
        return Error{where, joined({"replaces all of ", path, ", also what --set ", earlier, " has set before"}),
                     "put it in front"};

    Result<Json*> at = find(path, where);
    if (!at) return at.error();
    Result<Json> value = parse_json(written, where);
    **at = value ? std::move(*value) : Json(written);
    paths_.push_back(path);
    return {};
  }

  // A material that was set key by key and that no object uses is probably a typing error.
  Status check_new_materials() const {
    for (const auto& [name, where] : new_materials_)
      if (!is_used(name)) {
        const std::string_view near = nearest_word(name, old_materials_);
        std::string remedy = did_you_mean(name, old_materials_);
        if (near.empty())
          remedy += "; to add a material let an object be made of it: --set objects.NAME.material=" + name;
        return Error{where, "there is no materials." + name, remedy};
      }
    return {};
  }

  std::vector<std::string> paths() && { return std::move(paths_); }

 private:
  // The place that a path leads to; missing members are created.
  Result<Json*> find(const std::string& path, const std::string& where) {
    const std::vector<std::string> parts = parts_of(path);
    if (std::find(parts.begin(), parts.end(), "") != parts.end())
      return Error{where, "the path has an empty part", "e.g. --set solver.iterations=40"};
    if (parts.size() > static_cast<size_t>(deepest_json)) return Error{where, "the path is too long", ""};

    Json* at = &document_;
    std::string parent = "the scene";
    for (size_t k = 0; k < parts.size(); ++k) {
      const std::string& key = parts[k];
      const bool is_last = k + 1 == parts.size();
      // A short value, such as one number for three or a name for an object with options, is written out first.
      if (!at->is_object() && !at->is_array()) {
        const std::optional<Json> whole = resolved_at(document_, parts, k);
        if (whole && (is_index(key) ? whole->is_array() : whole->is_object())) *at = *whole;
      }
      if (at->is_array()) {
        int64_t index = 0;
        if (!to_whole(key, index) || index < 0 || index >= static_cast<int64_t>(at->items.size()))
          return Error{where,
                       format("%s has %zu item%s", parent.c_str(), at->items.size(), at->items.size() == 1 ? "" : "s"),
                       at->items.empty()       ? "give the whole list: --set '" + parent + "=[...]'"
                       : at->items.size() == 1 ? std::string("use the number 0")
                                               : format("use a number from 0 to %zu", at->items.size() - 1)};
        at = &at->items[static_cast<size_t>(index)];
      } else if (at->is_object()) {
        Json* member = at->find(key);
        if (!member && !is_last && k == 1 && parent == "objects")
          return Error{where, "there is no objects." + key,
                       nearest_word(key, at->keys).empty() ? "to add an object give all of it: --set 'objects." + key +
                                                                 "={\"mesh\": ..., \"material\": ...}'"
                                                           : did_you_mean(key, at->keys)};
        if (!member && !is_last && k == 1 && parent == "materials") {
          if (new_materials_.empty()) old_materials_ = at->keys;
          new_materials_.emplace_back(key, where);
        }
        at = member ? member : &at->add(key, is_last ? Json() : missing(parts, k));
      } else {
        return Error{where, joined({parent, " is ", kind_of(*at), " and has no '", key, "'"}),
                     joined({"give all of it: --set '", parent, "={...}'"})};
      }
      parent = k == 0 ? key : joined({parent, ".", key});
    }
    return at;
  }

  // The value of parts[k] if the document does not have it: the default if it is a list, otherwise an empty object.
  Json missing(const std::vector<std::string>& parts, size_t k) const {
    if (is_index(parts[k + 1])) {
      if (std::optional<Json> whole = resolved_at(document_, parts, k + 1); whole && whole->is_array()) return *whole;
    }
    return Json::object();
  }

  bool is_used(const std::string& material) const {
    const Json* objects = document_.find("objects");
    if (!objects) return false;
    const auto names = [&](const Json* json) { return json && json->is_string() && json->text == material; };
    for (const Json& object : objects->items) {
      if (names(object.find("material"))) return true;
      if (const Json* regions = object.find("regions"))
        for (const Json& region : regions->items)
          if (names(&region)) return true;
    }
    return false;
  }

  Json& document_;
  std::vector<std::string> paths_;                                  // set so far
  std::vector<std::string> old_materials_;                          // in the file
  std::vector<std::pair<std::string, std::string>> new_materials_;  // name, and the first override of it
};

}  // namespace

Result<std::vector<std::string>> apply_overrides(Json& document, std::span<const std::string> overrides) {
  Overrides applied(document);
  for (const std::string& text : overrides)
    if (Status status = applied.apply(text); !status) return status.error();
  if (Status status = applied.check_new_materials(); !status) return status.error();
  return std::move(applied).paths();
}

}  // namespace sinew
