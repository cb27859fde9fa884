# Which kernels of x86 are built, beside the portable ones: SINEW_KERNEL_LANES is a list of 8 (AVX2) and 16 (AVX-512).
set(SINEW_KERNEL_LANES "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
  set(SINEW_KERNEL_LANES 8 16)
endif()
if(SINEW_LANES STREQUAL host AND SINEW_KERNEL_LANES)
  include(CheckCXXSourceRuns)
  foreach(feature avx512f avx512vl avx512dq avx512bw avx2 fma)
    list(APPEND wide_16 "__builtin_cpu_supports(\"${feature}\")")
  endforeach()
  list(JOIN wide_16 " && " wide_16)
  check_cxx_source_runs("int main() { return ${wide_16} ? 0 : 1; }" SINEW_HOST_HAS_16_LANES)
  check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
                        SINEW_HOST_HAS_8_LANES)
  if(SINEW_HOST_HAS_16_LANES)
    set(SINEW_KERNEL_LANES 16)
  elseif(SINEW_HOST_HAS_8_LANES)
    set(SINEW_KERNEL_LANES 8)
  else()
    set(SINEW_KERNEL_LANES "")
  endif()
elseif(NOT SINEW_LANES STREQUAL all AND NOT SINEW_LANES STREQUAL host)
  message(FATAL_ERROR "SINEW_LANES is \"${SINEW_LANES}\": use all or host")
endif()

# Whether the processors that all kernels but those are for can contract a b + c: on x86 they cannot, unless the user's
# flags ask for more.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#if defined(__x86_64__) && !defined(__FMA__) || defined(__wasm__)\n#error\n#endif\nint main() {}"
                          SINEW_PORTABLE_KERNELS_CONTRACT)

# The scalar kernels are a reference. A page does without: they are a tenth of what it would download.
set(SINEW_SCALAR_KERNELS 1)
if(SINEW_WEB)
  set(SINEW_SCALAR_KERNELS "")
endif()

# Defines SINEW_KERNELS_1, _8 and _16 in the sources that choose among kernels (exec/kernel_choice.h), for those built.
function(sinew_kernel_choice)
  set(definitions "")
  foreach(lanes ${SINEW_SCALAR_KERNELS} ${SINEW_KERNEL_LANES})
    list(APPEND definitions SINEW_KERNELS_${lanes})
  endforeach()
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS ${definitions})
endfunction()
