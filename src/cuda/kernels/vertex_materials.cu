#include "cuda/launch.cuh"
#include "cuda/vertex_sweep.h"

#define SINEW_MATERIAL(Type, file)                                                \
  SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::OneMaterial<sinew::Type>, false>) \
  SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::OneMaterial<sinew::Type>, true>)
#include "material/materials.def"
#undef SINEW_MATERIAL
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::EveryFormula, false>)
SINEW_LAUNCH_TEAMS(sinew::MoveVertices<float, sinew::EveryFormula, true>)
