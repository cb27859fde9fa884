// Loads: constant forces go into the model, all others become scripts.
#pragma once

#include <string>

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Whether the load acts by volume or area at rest and is constant in time. Then it goes into the model's input; all
// other loads need the model's masses or slots.
bool is_constant_density(const SceneLoad& load);
// Adds such a load, before there is a model.
Status add_constant_density(Draft& draft, const SceneLoad& load, const std::string& path);
// Adds any other load, when there is a model.
Status add_load(Draft& draft, const SceneLoad& load, const std::string& path);

}  // namespace sinew
