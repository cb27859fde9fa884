// The base of visitors of describe.h that walk through a Scene in memory: the path, and one of several alternatives.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene/describe.h"

namespace sinew {

// Derived classes handle the single values and use path_of(key).
class Walker {
 public:
  template <class Body>
  void alternatives(Groups, size_t& current, bool, Body body) {
    body(current);
  }
  void ignored(const Key&) {}

 protected:
  std::string path_of(const Key& key) const { return path_ + std::string(key.name); }

  template <class Body>
  void under(const std::string& name, Body body) {
    const size_t length = path_.size();
    path_ += name + ".";
    body();
    path_.resize(length);
  }

  std::string path_;  // with a trailing dot
};

}  // namespace sinew
