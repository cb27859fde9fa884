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

// Whether the card can start a kernel while the one before it ends (compute capability 9).
bool overlaps_launches();

// Lets the next kernel start, whose threads wait here for the end of what came before.
__device__ inline void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

template <class... Parameters, class... Arguments>
void launch(void* queue, int64_t blocks, int threads, void (*kernel)(Parameters...), const Arguments&... arguments) {
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = static_cast<cudaStream_t>(queue);
  config.attrs = &overlap;
  config.numAttrs = overlaps_launches() ? 1 : 0;
  cudaLaunchKernelEx(&config, kernel, arguments...);  // its fault is asked for later (Device::status)
}

template <class Kernel>
__global__ void __launch_bounds__(block_threads<Kernel>)
    run_kernel(const __grid_constant__ Kernel kernel, const int64_t count) {
  wait_for_kernel_before();
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) kernel(i);
}

template <class Kernel>
void launch_on_card(void* queue, int64_t count, const Kernel& kernel) {
  constexpr int threads = block_threads<Kernel>;
  launch(queue, (count + threads - 1) / threads, threads, run_kernel<Kernel>, kernel, count);
}

// x of the thread whose number differs in the bits of `apart`.
template <class T>
__device__ T of_partner(const T& x, int apart) {
  static_assert(sizeof(T) % sizeof(unsigned) == 0);
  constexpr int count = sizeof(T) / sizeof(unsigned);
  unsigned words[count];
  memcpy(words, &x, sizeof x);
#pragma unroll
  for (int k = 0; k < count; ++k) words[k] = __shfl_xor_sync(~0u, words[k], apart);
  T there;
  memcpy(&there, words, sizeof there);
  return there;
}

template <class Kernel>
__global__ void __launch_bounds__(block_threads<Kernel>)
    run_kernel_teams(const __grid_constant__ Kernel kernel, const int64_t count, const int team_bits) {
  const int64_t thread = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t i = thread >> team_bits;
  const int team = 1 << team_bits;
  const int j = static_cast<int>(thread) & (team - 1);
  const int64_t safe = i < count ? i : count - 1;
  const auto ahead = kernel.ahead(safe, j);
  wait_for_kernel_before();
  const auto found = kernel.find(safe);
  typename Kernel::Part sum = kernel.part(safe, j, ahead, found);
  for (int apart = 1; apart < team; apart *= 2) sum += of_partner(sum, apart);
  if (i < count && j == 0) kernel.finish(i, found, sum);
}

template <class Kernel>
void launch_teams_on_card(void* queue, int64_t count, int team_bits, const Kernel& kernel) {
  constexpr int threads = block_threads<Kernel>;
  launch(queue, ((count << team_bits) + threads - 1) / threads, threads, run_kernel_teams<Kernel>, kernel, count,
         team_bits);
}

inline constexpr int most_phase_threads = 1024;
template <class Kernel>
inline constexpr int phase_threads = [] {
  if constexpr (requires { Kernel::threads; }) {
    return Kernel::threads;
  } else {
    return most_phase_threads;
  }
}();
template <class Kernel>
__device__ void run_team_phase(const Kernel& kernel, int32_t p, int32_t count, int team_bits) {
  const int32_t own = static_cast<int32_t>(threadIdx.x) >> team_bits, teams = phase_threads<Kernel> >> team_bits;
  const int team = 1 << team_bits, j = static_cast<int>(threadIdx.x) & (team - 1);
  for (int32_t first = 0; first < count; first += teams) {  // all threads of a warp take part in its sums
    const int32_t i = first + own;
    typename Kernel::Part sum{};
    if (i < count) sum = kernel.part(p, i, j);
    for (int apart = 1; apart < team; apart *= 2) sum += of_partner(sum, apart);
    if (i < count && j == 0) kernel.finish(p, i, sum);
  }
}
template <class Kernel>
__device__ void run_phases_of(const Kernel& kernel) {
  const int32_t phases = kernel.phases();
  for (int32_t p = 0; p < phases; ++p) {
    const int32_t count = kernel.count(p);
    int team_bits = -1;
    if constexpr (requires { typename Kernel::Part; }) {
      team_bits = kernel.team_bits(p);
      if (team_bits >= 0) run_team_phase(kernel, p, count, team_bits);
    }
    if (team_bits < 0)
      for (int32_t i = static_cast<int32_t>(threadIdx.x); i < count; i += phase_threads<Kernel>) kernel(p, i);
    __syncthreads();
  }
}
template <class Kernel>
__global__ void __launch_bounds__(phase_threads<Kernel>, 1) run_kernel_phases(const __grid_constant__ Kernel kernel) {
  if constexpr (requires { typename Kernel::Tables; }) {
    using Tables = typename Kernel::Tables;
    __shared__ alignas(alignof(Tables)) char memory[sizeof(Tables)];
    Tables& tables = *reinterpret_cast<Tables*>(memory);
    kernel.fill(tables, static_cast<int32_t>(threadIdx.x), phase_threads<Kernel>);
    wait_for_kernel_before();
    __syncthreads();
    run_phases_of(kernel.with(tables));
  } else {
    wait_for_kernel_before();
    run_phases_of(kernel);
  }
}
template <class Kernel>
void launch_phases_on_card(void* queue, const Kernel& kernel) {
  launch(queue, 1, phase_threads<Kernel>, run_kernel_phases<Kernel>, kernel);
}

}  // namespace sinew

#define SINEW_LAUNCH(...) template void sinew::launch_on_card(void*, int64_t, const __VA_ARGS__&);
#define SINEW_LAUNCH_TEAMS(...) template void sinew::launch_teams_on_card(void*, int64_t, int, const __VA_ARGS__&);
#define SINEW_LAUNCH_PHASES(...) template void sinew::launch_phases_on_card(void*, const __VA_ARGS__&);
