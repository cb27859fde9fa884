// Appends the bodies of an object to those of the previous objects.
#pragma once

#include <string>

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// A part for an object whose bodies will follow everything that exists.
ObjectPart new_part(const Draft& draft, const SceneObject& object);
// Errors: more vertices or tets than an int32 can number.
Status check_count(const Draft& draft, const SceneObject& object, const TetMesh& mesh, const std::string& path);
// Appends the bodies one after the other. Properties of the first are repeated for all.
void append_copies(Draft& draft, const SceneObject& object, const TetMesh& mesh, ObjectPart& part);

}  // namespace sinew
