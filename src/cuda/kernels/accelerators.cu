#include "cuda/device_accelerator.h"
#include "cuda/launch.cuh"

#define SINEW_ACCELERATE(Real)                                 \
  SINEW_LAUNCH(sinew::MixPositions<Real>)                      \
  SINEW_LAUNCH(sinew::MixMultipliers<Real>)                    \
  SINEW_LAUNCH(sinew::SumParts<sinew::SquareOfChange<Real>>)   \
  SINEW_LAUNCH(sinew::SumParts<sinew::ColumnProduct<Real>>)    \
  SINEW_LAUNCH(sinew::SubtractColumns<Real>)                   \
  SINEW_LAUNCH(sinew::MultiplyColumn<Real>)                    \
  SINEW_LAUNCH(sinew::TurnColumns<Real>)                       \
  SINEW_LAUNCH(sinew::SubtractColumn<Real>)                    \
  SINEW_LAUNCH(sinew::PackPositions<Real>)                     \
  SINEW_LAUNCH(sinew::UnpackPositions<Real>)                   \
  SINEW_LAUNCH(sinew::ScaleNumbers<Real>)
SINEW_ACCELERATE(float)
SINEW_ACCELERATE(double)
SINEW_LAUNCH_PHASES(sinew::AddPairs<double>)
