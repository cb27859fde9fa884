// Putting the bodies of an object behind those of the objects before.
#pragma once

#include <string>

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// The part of an object whose bodies come behind all that is there.
ObjectPart new_part(const Draft& draft, const SceneObject& object);
// Errors: more vertices or tets than an int32 can number.
Status check_count(const Draft& draft, const SceneObject& object, const TetMesh& mesh, const std::string& path);
// Appends the bodies one behind the other. What is known of the first is repeated for all.
void append_copies(Draft& draft, const SceneObject& object, const TetMesh& mesh, ObjectPart& part);

}  // namespace sinew
