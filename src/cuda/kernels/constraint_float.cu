#include "cuda/kernels/constraint_instances.cuh"

SINEW_LAUNCH(sinew::SumChanges<float>)
SINEW_LAUNCH(sinew::PlaceAtTarget<float>)
template void sinew::constraint_launches<float>(const void**);
