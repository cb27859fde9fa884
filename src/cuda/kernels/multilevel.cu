#include "cuda/lattice_matrix_kernels.h"
#include "cuda/lattice_member_kernels.h"
#include "cuda/lattice_operations.h"
#include "cuda/launch.cuh"
#include "cuda/mixing_kernels.h"

#define SINEW_MULTILEVEL(Real)                              \
  SINEW_LAUNCH(sinew::SumParts<sinew::SquareOfVector<Real>>) \
  SINEW_LAUNCH(sinew::RestrictLanes<Real>)                   \
  SINEW_LAUNCH(sinew::ProlongMembers<Real>)                  \
  SINEW_LAUNCH(sinew::KeepGlides<Real>)                      \
  SINEW_LAUNCH(sinew::FreeGlides<Real>)                      \
  SINEW_LAUNCH(sinew::DeformLanes<Real>)                     \
  SINEW_LAUNCH(sinew::KeepMembers<Real>)                     \
  SINEW_LAUNCH(sinew::ChangeLanes<Real>)                     \
  SINEW_LAUNCH(sinew::MixMembers<Real>)
SINEW_MULTILEVEL(float)
SINEW_MULTILEVEL(double)
SINEW_LAUNCH(sinew::RestrictCells)
SINEW_LAUNCH(sinew::FrameCells)
SINEW_LAUNCH(sinew::MatrixPairs)
SINEW_LAUNCH(sinew::JoinChildren)
SINEW_LAUNCH(sinew::FillBlocks)
SINEW_LAUNCH_PHASES(sinew::InvertParts)
SINEW_LAUNCH_PHASES(sinew::ChooseMix)
SINEW_LAUNCH_PHASES(sinew::LatticeOperations)
SINEW_LAUNCH(sinew::OneLatticeOperation)
SINEW_LAUNCH_TEAMS(sinew::OneLatticeSum)
