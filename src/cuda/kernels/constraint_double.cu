#include "cuda/kernels/constraint_instances.cuh"

SINEW_LAUNCH(sinew::SumChanges<double>)
SINEW_LAUNCH(sinew::ClearMultipliers<double>)
SINEW_LAUNCH(sinew::PlaceAtTarget<double>)
SINEW_LAUNCH(sinew::SweepTies<double>)
SINEW_LAUNCH(sinew::FollowTies<double>)
SINEW_LAUNCH(sinew::SettleGlides<double>)
template void sinew::constraint_launches<double>(const void**);
