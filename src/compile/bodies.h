// Objects of tets or of triangles in a plane.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Errors: those of load_object_mesh (compile/object_mesh.h), of materials, stiffness factors and skin.
Status add_body(Draft& draft, const SceneObject& object, const ProgressListener& progress);

}  // namespace sinew
