#include "cuda/device_sum.h"
#include "cuda/launch.cuh"
#include "cuda/state_kernels.h"

#define SINEW_STATE(Real)                  \
  SINEW_LAUNCH(sinew::PoseVertices<Real>)  \
  SINEW_LAUNCH(sinew::JudgeVertices<Real>) \
  SINEW_LAUNCH(sinew::FinishVertices<Real>)
SINEW_STATE(float)
SINEW_STATE(double)
SINEW_LAUNCH(sinew::FollowScripts)
SINEW_LAUNCH(sinew::LeaveScripts)
SINEW_LAUNCH(sinew::SetScripted)
SINEW_LAUNCH(sinew::AccelerateScripted)
SINEW_LAUNCH_PHASES(sinew::AddPairs<sinew::StepEnd>)
