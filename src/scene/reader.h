// Converts a JSON document to a Scene. Strict about keys, types and ranges; reports all faults at once.
#pragma once

#include "scene/faults.h"
#include "scene/json.h"
#include "sinew/scene.h"

namespace sinew {

// Reads what it can; if there are faults, the scene must not be used.
Scene scene_from_json(const Json& document, Faults& faults);

}  // namespace sinew
