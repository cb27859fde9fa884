#include "cuda/launch.cuh"
#include "cuda/vertex_sweep.h"

SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::NoMaterial, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::NoMaterial, true>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::EveryFormula, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::EveryFormula, true>)
