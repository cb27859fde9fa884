// Shapes in scenes, as JSON:
//   { "difference": { "parts": [ { "ball": { "radius": 0.5 } }, { "box": { "translate": [0, 0.5, 0] } } ] } }
#pragma once

#include <string>

#include "meshing/shape.h"
#include "scene/faults.h"
#include "scene/json.h"
#include "sinew/mesher.h"

namespace sinew {

// Adds faults to `faults`, under the path of the shape.
SceneShape shape_from_json(const Json& json, const std::string& path, Faults& faults);
Json json_from_shape(const SceneShape& shape);
// Adds the faults other than wrong types: unknown words, ranges, too many parts, radii that do not fit each other.
void check_shape(const SceneShape& shape, const std::string& path, Faults& faults);
// The shape must have no faults.
Shape shape_of(const SceneShape& shape);

}  // namespace sinew
