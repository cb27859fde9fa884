#include "scene/overrides.h"

#include "base/format.h"
#include "base/nearest.h"
#include "io/scanner.h"

namespace sinew {

namespace {

Status apply(Json& document, const std::string& text) {
  const std::string where = "--set " + text;
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error{where, "must be path=value", "e.g. --set solver.iterations=40"};
  const std::string path = text.substr(0, equals), written = text.substr(equals + 1);

  Json* at = &document;
  size_t begin = 0;
  int depth = 0;
  while (begin <= path.size()) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    const std::string parent = begin == 0 ? "the scene" : path.substr(0, begin - 1);
    if (key.empty()) return Error{where, "the path has an empty part", "e.g. --set solver.iterations=40"};
    if (++depth > deepest_json) return Error{where, "the path is too long", ""};
    if (at->is_array()) {
      int64_t index = 0;
      const bool is_index = to_whole(key, index) && index >= 0 && index < static_cast<int64_t>(at->items.size());
      if (!is_index)
        return Error{where, format("%s has %zu items", parent.c_str(), at->items.size()),
                     at->items.empty() ? "" : format("use a number from 0 to %zu", at->items.size() - 1)};
      at = &at->items[static_cast<size_t>(index)];
    } else if (at->is_object()) {
      Json* member = at->find(key);
      // A new name here would be a material or an object of its own, and seldom what is meant.
      if (!member && end < path.size() && (parent == "materials" || parent == "objects"))
        return Error{where, joined({"there is no ", parent, ".", key}), did_you_mean(key, at->keys)};
      at = member ? member : &at->add(key, end < path.size() ? Json::object() : Json());
    } else {
      return Error{where, joined({parent, " is ", kind_of(*at), " and has no '", key, "'"}), ""};
    }
    begin = end + 1;
  }

  Result<Json> value = parse_json(written, where);
  *at = value ? std::move(*value) : Json(written);
  return {};
}

}  // namespace

Result<std::vector<std::string>> apply_overrides(Json& document, std::span<const std::string> overrides) {
  std::vector<std::string> paths;
  for (const std::string& text : overrides) {
    if (Status status = apply(document, text); !status) return status.error();
    paths.push_back(text.substr(0, text.find('=')));
  }
  return paths;
}

}  // namespace sinew
