// The muscle fibres of bodies.
#pragma once

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Its curve, or constant.
Activation activation_of(const SceneFibres& fibres);

// Adds the fibres of scene.objects[number_of_object], which must have some. To be called when all objects are placed in
// the world, because the ends of fibres are selected there.
Status add_fibres(Draft& draft, size_t number_of_object);

}  // namespace sinew
