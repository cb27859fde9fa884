#include "cuda/device_step.h"
#include "cuda/launch.cuh"

#define SINEW_STEP(Real)                  \
  SINEW_LAUNCH(sinew::LoadIterate<Real>)  \
  SINEW_LAUNCH(sinew::LoadTarget<Real>)   \
  SINEW_LAUNCH(sinew::LoadPrevious<Real>) \
  SINEW_LAUNCH(sinew::WidenIterate<Real>)
SINEW_STEP(float)
SINEW_STEP(double)
