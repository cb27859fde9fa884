// Forces beside gravity: those that the model has from the start, and scripts for the others.
#pragma once

#include <string>

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Does the load act by volume or area at rest, constant in time? Then it goes into the model's input; all other loads
// need the model's masses or slots.
bool is_constant_density(const SceneLoad& load);
// Of such a load, before there is a model.
Status add_constant_density(Draft& draft, const SceneLoad& load, const std::string& path);
// Of the others, when there is a model.
Status add_load(Draft& draft, const SceneLoad& load, const std::string& path);

}  // namespace sinew
