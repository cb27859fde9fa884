// "path=value" from the command line, applied to the document before it is read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "scene/json.h"

namespace sinew {

// Returns the paths that were set. Members that do not exist are added: the reader then knows whether they may. An
// element of a list that the document leaves to its default is set in that default, and a value written short (one
// number for three, the name of an accelerator) is written out where a path leads into it. Errors: no '=', a path
// through something that has no members, an index out of range, one that undoes an earlier one, a new material that no
// object is made of.
Result<std::vector<std::string>> apply_overrides(Json& document, std::span<const std::string> overrides);

}  // namespace sinew
