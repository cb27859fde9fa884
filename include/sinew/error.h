// Errors as values. The library never prints, exits or throws on bad input: it returns an Error.
#pragma once

#include <string>
#include <utility>

namespace sinew {

// What went wrong, where, and what to do about it.
//   where    file, key path or line, e.g. "scene.json: materials.rubber.poisson_ratio"
//   what     the fault with the offending value, e.g. "= 0.5 [-]: must be below 0.5"
//   remedy   what to change; may be empty
struct Error {
  std::string where;
  std::string what;
  std::string remedy;

  // One line for the user: "where: what; remedy", or "where = value: what; remedy" if `what` begins with the value.
  std::string message() const {
    const char* between = where.empty() ? "" : what.starts_with("= ") ? " " : ": ";
    std::string text = where + between + what;
    if (!remedy.empty()) text += "; " + remedy;
    return text;
  }
};

}  // namespace sinew
