#include "cuda/launch.cuh"
#include "cuda/vertex_sweep.h"

SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::NoMaterial, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::NoMaterial, true>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::OneBlockOfLinks<4>, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::OneBlockOfLinks<4>, true>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::OneBlockOfLinks<8>, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::OneBlockOfLinks<8>, true>)
