// SINEW_INLINE: inlined without exception. The kernels are compiled once per instruction set, and a shared
// out-of-line copy of a small function could be the one built for a CPU that is not there.
#pragma once

#if defined(__CUDACC__)
#define SINEW_INLINE __host__ __device__ __forceinline__
#else
#define SINEW_INLINE inline __attribute__((always_inline))
#endif

// The same of a lambda, behind its parameters.
#if defined(__CUDACC__)
#define SINEW_INLINE_LAMBDA
#else
#define SINEW_INLINE_LAMBDA __attribute__((always_inline))
#endif

// SINEW_OUT_OF_LINE: never inlined; for what is seldom called inside a hot loop. Only for templates on a lane type,
// whose copies differ by name, and with lanes passed by reference: their registers depend on the instruction set.
#if defined(__CUDACC__)
#define SINEW_OUT_OF_LINE __host__ __device__ __noinline__
#else
#define SINEW_OUT_OF_LINE __attribute__((noinline))
#endif
