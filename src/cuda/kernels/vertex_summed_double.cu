#include "cuda/launch.cuh"
#include "cuda/vertex_sweep.h"

#define SINEW_MOVE(Formulas, forces_only) \
  SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::Formulas, forces_only, sinew::DeviceSummedSweep<double>>)
SINEW_LAUNCH(sinew::SumTies<double>)
SINEW_LAUNCH(sinew::SumGrabs<double>)
SINEW_LAUNCH(sinew::SumContacts<double>)
SINEW_LAUNCH(sinew::NoteMoved<double>)
SINEW_MOVE(NoMaterial, false)
SINEW_MOVE(NoMaterial, true)
SINEW_MOVE(EveryFormula, false)
SINEW_MOVE(EveryFormula, true)
