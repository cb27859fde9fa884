// SINEW_INLINE: inlined without exception. The kernels are compiled once per instruction set, and a shared
// out-of-line copy of a small function could be the one built for a CPU that is not there.
#pragma once

#if defined(__CUDACC__)
#define SINEW_INLINE __host__ __device__ __forceinline__
#else
#define SINEW_INLINE inline __attribute__((always_inline))
#endif
