// From a JSON document to a Scene: strict about keys, types and ranges, and telling all faults at once.
#pragma once

#include "scene/faults.h"
#include "scene/json.h"
#include "sinew/scene.h"

namespace sinew {

// Reads what it can; where there are faults the scene is not to be used.
Scene scene_from_json(const Json& document, Faults& faults);

}  // namespace sinew
