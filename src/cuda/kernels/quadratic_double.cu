#include "cuda/launch.cuh"
#include "cuda/quadratic_sweep.h"

#define SINEW_MOVE(Formulas) \
  SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::Formulas, false, sinew::DeviceQuadraticSweep<double>>)
SINEW_LAUNCH(sinew::UpdatePressures<double>)
SINEW_LAUNCH(sinew::UpdateLinearPressures<double>)
SINEW_MOVE(NoMaterial)
SINEW_MOVE(EveryFormula)
