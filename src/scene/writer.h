// Converts a Scene to a JSON document with every default written out.
#pragma once

#include "scene/json.h"
#include "sinew/scene.h"

namespace sinew {

Json json_from_scene(const Scene& scene);

}  // namespace sinew
