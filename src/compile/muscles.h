// Muscle fibres of the bodies that have any.
#pragma once

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Its curve, or constant.
Activation activation_of(const SceneFibres& fibres);

// Of scene.objects[number_of_object], which has fibres. Called when all objects are in the world, since the ends of
// fibres are selected there.
Status add_fibres(Draft& draft, size_t number_of_object);

}  // namespace sinew
