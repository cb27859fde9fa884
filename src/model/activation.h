// The activation of a muscle over time, from 0 to 1. A step uses the value at its end.
#pragma once

#include "model/time_curve.h"

namespace sinew {

using Activation = TimeCurve;

}  // namespace sinew
