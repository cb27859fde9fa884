#include "cuda/kernels/constraint_instances.cuh"

SINEW_LAUNCH(sinew::SumChanges<double>)
SINEW_LAUNCH(sinew::PlaceAtTarget<double>)
template void sinew::constraint_launches<double>(const void**);
