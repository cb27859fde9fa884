#include "cuda/launch.cuh"
#include "cuda/vertex_sweep.h"

#define SINEW_MOVE(Formulas, forces_only) \
  SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::Formulas, forces_only, sinew::DeviceSummedSweep<float>>)
SINEW_LAUNCH(sinew::SumTies<float>)
SINEW_LAUNCH(sinew::SumGrabs<float>)
SINEW_LAUNCH(sinew::SumContacts<float>)
SINEW_LAUNCH(sinew::NoteMoved<float>)
SINEW_MOVE(NoMaterial, false)
SINEW_MOVE(NoMaterial, true)
SINEW_MOVE(EveryFormula, false)
SINEW_MOVE(EveryFormula, true)
