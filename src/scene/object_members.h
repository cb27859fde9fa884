// Reads the members of JSON objects that are no scenes (experiments, plans of data sets), as strictly as scenes are
// read.
#pragma once

#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/nearest.h"
#include "scene/faults.h"
#include "scene/json.h"

namespace sinew {

// The members of one object; members that were not requested are faults in the end.
class ObjectMembers {
 public:
  ObjectMembers(const Json& json, const std::string& path, Faults& faults) : json_(json), path_(path), faults_(faults) {
    if (!json.is_object()) faults_.add(path_, " is " + std::string(kind_of(json)) + ", not an object");
  }
  ~ObjectMembers() {
    for (const std::string& key : json_.keys) {
      const std::vector<std::string_view> names(asked_.begin(), asked_.end());
      if (!asked_.contains(key)) faults_.add(path_of(key), ": unknown key", did_you_mean(key, names));
    }
  }
  ObjectMembers(const ObjectMembers&) = delete;
  ObjectMembers& operator=(const ObjectMembers&) = delete;

  std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  const Json* find(std::string_view key, bool required = false) {
    asked_.insert(std::string(key));
    const Json* found = json_.is_object() ? json_.find(key) : nullptr;
    if (!found && required) faults_.add(path_of(key), ": missing");
    return found;
  }
  void text(std::string_view key, std::string& value, bool required = false) {
    const Json* found = find(key, required);
    if (!found) return;
    if (!found->is_string()) return wrong(key, *found, "text");
    value = found->text;
  }
  void texts(std::string_view key, std::vector<std::string>& value) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_array()) return wrong(key, *found, "a list of texts");
    for (const Json& item : found->items) {
      if (!item.is_string()) return wrong(key, item, "text");
      value.push_back(item.text);
    }
  }
  void number(std::string_view key, double& value, double least) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_number()) return wrong(key, *found, "a number");
    if (!(found->number >= least)) faults_.add(path_of(key), format(": must be at least %g", least));
    value = found->number;
  }
  template <class Whole>
  void whole(std::string_view key, Whole& value, int least, int most = 1'000'000'000) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_number() || found->number != std::floor(found->number)) return wrong(key, *found, "a whole number");
    if (!(found->number >= least && found->number <= most)) {
      faults_.add(path_of(key), format(" = %.0f: must be %d to %d", found->number, least, most));
      return;  // a number that may not fit
    }
    value = static_cast<Whole>(found->number);
  }
  void toggle(std::string_view key, bool& value) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_boolean()) return wrong(key, *found, "true or false");
    value = found->boolean;
  }
  // Only one of two alternative keys may be given.
  void exclude(std::string_view key, std::string_view other) {
    if (json_.is_object() && json_.find(key) && json_.find(other))
      faults_.add(path_of(key), joined({": ", path_of(other), " is there too"}), "give only one of them");
  }
  void wrong(std::string_view key, const Json& found, const char* wanted) {
    faults_.add(path_of(key), " is " + std::string(kind_of(found)) + ", not " + wanted);
  }

 private:
  const Json& json_;
  std::string path_;
  Faults& faults_;
  std::set<std::string> asked_;
};

}  // namespace sinew
