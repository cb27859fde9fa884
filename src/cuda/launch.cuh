// Launches of kernels on a card; for kernels/*.cu alone.
#pragma once

#include <cuda_runtime.h>

#include "cuda/device.h"

namespace sinew {

// The threads of a block. Kernels that need many registers may say less.
template <class Kernel>
constexpr int block_threads = [] {
  if constexpr (requires { Kernel::block_threads; }) return Kernel::block_threads;
  return 128;
}();

template <class Kernel>
__global__ void __launch_bounds__(block_threads<Kernel>) run_kernel(const __grid_constant__ Kernel kernel,
                                                                    const int64_t count) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) kernel(i);
}

template <class Kernel>
void launch_on_card(void* queue, int64_t count, const Kernel& kernel) {
  constexpr int threads = block_threads<Kernel>;
  const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
  run_kernel<Kernel><<<blocks, threads, 0, static_cast<cudaStream_t>(queue)>>>(kernel, count);
}

inline constexpr int phase_threads = 1024;
template <class Kernel>
__global__ void __launch_bounds__(phase_threads) run_kernel_phases(const __grid_constant__ Kernel kernel) {
  const int32_t phases = kernel.phases();
  for (int32_t p = 0; p < phases; ++p) {
    const int32_t count = kernel.count(p);
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < count; i += phase_threads) kernel(p, i);
    __syncthreads();
  }
}
template <class Kernel>
void launch_phases_on_card(void* queue, const Kernel& kernel) {
  run_kernel_phases<Kernel><<<1, phase_threads, 0, static_cast<cudaStream_t>(queue)>>>(kernel);
}

}  // namespace sinew

#define SINEW_LAUNCH(...) template void sinew::launch_on_card(void*, int64_t, const __VA_ARGS__&);
#define SINEW_LAUNCH_PHASES(...) template void sinew::launch_phases_on_card(void*, const __VA_ARGS__&);
