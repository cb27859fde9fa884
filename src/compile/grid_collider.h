// Colliders of scenes with a grid.
#pragma once

#include "base/result.h"
#include "compile/draft.h"
#include "step/grid_colliders.h"

namespace sinew {

// Without its script. Warns of what is so thin that bodies may pass through it. Errors: those of collider_surface
// (compile/collider_mesh.h), a surface that is not closed.
Result<GridCollider> grid_collider(Draft& draft, const SceneCollider& collider);

}  // namespace sinew
