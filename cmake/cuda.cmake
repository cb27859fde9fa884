# The kernels of the room cuda for cards, where there is nvcc; without it the room has the emulated device alone.
if(SINEW_CUDA AND NOT SINEW_WEB)
  if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)  # seldom on the PATH
  endif()
  include(CheckLanguage)
  check_language(CUDA)
endif()
if(NOT CMAKE_CUDA_COMPILER)
  if(SINEW_CUDA AND NOT SINEW_WEB)
    message(STATUS "No nvcc: built without CUDA")
  endif()
  return()
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  # Code for Hopper, and what drivers translate for every other card since Turing.
  set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-real)
endif()
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()

# Adds the kernels to the library; for src/CMakeLists.txt.
function(sinew_cuda_kernels)
  file(GLOB cuda_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/*.cu ${CMAKE_CURRENT_SOURCE_DIR}/cuda/kernels/*.cu)
  add_library(sinew_cuda_kernels OBJECT ${cuda_sources})
  set_target_properties(sinew_cuda_kernels PROPERTIES POSITION_INDEPENDENT_CODE ON CUDA_RUNTIME_LIBRARY Static)
  target_include_directories(sinew_cuda_kernels PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/generated)
  # A function of the CPU alone would be left out of a kernel with a mere warning.
  target_compile_options(sinew_cuda_kernels PRIVATE --expt-relaxed-constexpr -Werror=cross-execution-space-call
    -diag-suppress=445,1675 $<$<AND:$<BOOL:${SINEW_DETERMINISTIC}>,$<NOT:$<BOOL:${SINEW_CARDS_CONTRACT}>>>:-fmad=false>)
  target_compile_definitions(sinew_cuda_kernels PRIVATE SINEW_HAS_CUDA)
  target_compile_definitions(sinew_cuda PRIVATE SINEW_HAS_CUDA)
  target_compile_definitions(sinew INTERFACE $<BUILD_INTERFACE:SINEW_HAS_CUDA>)  # tests run kernels too
  set_source_files_properties(cuda/no_card.cpp PROPERTIES HEADER_FILE_ONLY ON)
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:sinew_cuda_kernels>)
  find_package(CUDAToolkit REQUIRED)
  target_link_libraries(sinew PRIVATE CUDA::cudart_static)
endfunction()
