// The faults of a scene: all of them, not only the first, each with the path of its key.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sinew/error.h"

namespace sinew {

class Faults {
 public:
  // Adds a line: the path, what follows it (" = 0.5 [-]: must be below 0.5", ": unknown key"), and optionally a remedy.
  void add(const std::string& path, const std::string& what, const std::string& remedy = "");
  // The paths that were set from outside the file, which errors point out.
  void set_overridden(std::vector<std::string> paths) { overridden_ = std::move(paths); }

  bool empty() const { return count_ == 0; }
  size_t count() const { return count_; }
  // Whether there is a fault of this key itself.
  bool names(const std::string& path) const { return paths_.contains(path); }
  // One fault in one line; several in a line each.
  Error error(const std::string& source) const;

 private:
  struct Fault {
    std::string line, remedy;
  };
  std::vector<Fault> faults_;    // the first twenty
  std::set<std::string> paths_;  // the paths of those
  size_t count_ = 0;
  std::vector<std::string> overridden_;
};

}  // namespace sinew
