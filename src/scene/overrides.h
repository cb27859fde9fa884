// "path=value" from the command line, applied to the document before it is read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "scene/json.h"

namespace sinew {

// Returns the paths that were set. Errors: no '=', a path through something that has no members, an index out of range.
// Members that do not exist are added: the reader then knows whether they may.
Result<std::vector<std::string>> apply_overrides(Json& document, std::span<const std::string> overrides);

}  // namespace sinew
