#include "cuda/kernels/constraint_instances.cuh"

SINEW_LAUNCH(sinew::SumChanges<float>)
SINEW_LAUNCH(sinew::ClearMultipliers<float>)
SINEW_LAUNCH(sinew::PlaceAtTarget<float>)
SINEW_LAUNCH(sinew::SweepTies<float>)
SINEW_LAUNCH(sinew::FollowTies<float>)
SINEW_LAUNCH(sinew::SettleGlides<float>)
template void sinew::constraint_launches<float>(const void**);
