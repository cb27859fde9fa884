#include "cuda/launch.cuh"
#include "cuda/vertex_sweep.h"

SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::NoMaterial, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::NoMaterial, true>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::EveryFormula, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::EveryFormula, true>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::OneBlockOfLinks<4>, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::OneBlockOfLinks<4>, true>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::OneBlockOfLinks<8>, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<double, sinew::OneBlockOfLinks<8>, true>)
