#include "cuda/device_accelerator.h"
#include "cuda/launch.cuh"

#define SINEW_MIXES(Real)                                           \
  SINEW_LAUNCH(sinew::MixPositions<Real>)                            \
  SINEW_LAUNCH(sinew::MixMultipliers<Real>)                          \
  SINEW_LAUNCH(sinew::SumParts<sinew::SquareOfChange<Real>>)
SINEW_MIXES(float)
SINEW_MIXES(double)
SINEW_LAUNCH_PHASES(sinew::SumPairs)
