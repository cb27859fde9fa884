#include "cuda/device_sum.h"
#include "cuda/launch.cuh"
#include "cuda/objective_kernels.h"

SINEW_LAUNCH(sinew::WidenPositions<float>)
SINEW_LAUNCH(sinew::WidenPositions<double>)
SINEW_LAUNCH(sinew::ElementsOfBlock)
SINEW_LAUNCH(sinew::SumElements)
SINEW_LAUNCH(sinew::SumVertices)
SINEW_LAUNCH(sinew::SumParts<sinew::SquareOfExternal>)
SINEW_LAUNCH_PHASES(sinew::AddPairs<sinew::EvaluationSum>)
