#include "cuda/launch.cuh"
#include "cuda/vertex_sweep.h"

SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::NoMaterial, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::NoMaterial, true>)
