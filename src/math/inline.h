// SINEW_INLINE: always inlined. Kernels are compiled once per instruction set, and a shared out-of-line copy of a small
// function could be one with instructions that this CPU lacks.
#pragma once

#if defined(__CUDACC__)
#define SINEW_INLINE __host__ __device__ __forceinline__
#else
#define SINEW_INLINE inline __attribute__((always_inline))
#endif

// The same for a lambda, after its parameters.
#if defined(__CUDACC__)
#define SINEW_INLINE_LAMBDA
#else
#define SINEW_INLINE_LAMBDA __attribute__((always_inline))
#endif

// SINEW_OUT_OF_LINE: never inlined; for rare calls in hot loops. Only for templates on a lane type, whose copies differ
// by name, and with lanes passed by reference: their registers depend on the instruction set.
#if defined(__CUDACC__)
#define SINEW_OUT_OF_LINE __host__ __device__ __noinline__
#else
#define SINEW_OUT_OF_LINE __attribute__((noinline))
#endif

// SINEW_HOST_DEVICE: of functions that are not inlined, and that GPU kernels call too.
#if defined(__CUDACC__)
#define SINEW_HOST_DEVICE __host__ __device__
#else
#define SINEW_HOST_DEVICE
#endif
