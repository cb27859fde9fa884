// Applies "path=value" from the command line to the document before it is read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "scene/json.h"

namespace sinew {

// Returns the paths that were set. Missing members are added; the reader then checks whether they are allowed. An item
// of a list that has its default is changed in a copy of that default, and a short value (one number for three, the
// name of an accelerator) is written out if a path leads into it. Errors: no '=', a path through a value without
// members, an index out of range, an override that undoes an earlier one, a new material that no object uses.
Result<std::vector<std::string>> apply_overrides(Json& document, std::span<const std::string> overrides);

}  // namespace sinew
