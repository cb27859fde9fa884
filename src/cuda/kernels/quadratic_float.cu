#include "cuda/launch.cuh"
#include "cuda/quadratic_sweep.h"

#define SINEW_MOVE(Formulas) \
  SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::Formulas, false, sinew::DeviceQuadraticSweep<float>>)
SINEW_LAUNCH(sinew::UpdatePressures<float>)
SINEW_LAUNCH(sinew::UpdateLinearPressures<float>)
SINEW_MOVE(NoMaterial)
SINEW_MOVE(EveryFormula)
