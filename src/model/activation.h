// How strongly the fibres of a muscle pull over time, from 0 to 1. A step takes the value at its end.
#pragma once

#include "model/time_curve.h"

namespace sinew {

using Activation = TimeCurve;

}  // namespace sinew
