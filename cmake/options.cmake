# The user's options, and the compiler flags of every room.

option(SINEW_CLI "Build the command line program `sinew`" ${PROJECT_IS_TOP_LEVEL})
option(SINEW_PYTHON "Build the Python module `sinew` (needs pybind11)" OFF)
option(SINEW_TESTS "Build the tests (needs GoogleTest)" OFF)
option(SINEW_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(SINEW_BENCH "Build the benchmarks (needs Google Benchmark)" OFF)
option(SINEW_CHOLMOD "Use CHOLMOD for sparse Cholesky where it is found (its supernodal module is GPL)" ON)
option(SINEW_RENDER "Build the path tracer behind `sinew render` (needs Embree 3)" ON)
option(SINEW_DATASETS "Build `sinew dataset` where HDF5 and Boost are found" ON)
option(SINEW_CUDA "Build for CUDA cards too, where nvcc is found" ON)
set(SINEW_LANES all CACHE STRING
  "Kernels for x86: all (for any processor), or host: the widest of this machine and the portable ones, built sooner")
set_property(CACHE SINEW_LANES PROPERTY STRINGS all host)
option(SINEW_UNITY "Compile several sources at once: a first build in half the time, but slower rebuilds" OFF)
option(SINEW_DETERMINISTIC "Contract no operations of the kernels either: the same bits for every lane width" OFF)
option(SINEW_CARDS_CONTRACT "Let kernels for cards contract in a deterministic build too, which need not be built anew then" OFF)
option(SINEW_WEB "Build the engine for browsers, with Emscripten: use the preset web" OFF)
option(SINEW_WEB_REFERENCE "Build what the tests of the engine for browsers compare with" OFF)
option(SINEW_SANITIZE "Instrument with the address and undefined-behaviour sanitizers" OFF)
option(SINEW_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT SINEW_WEB)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(sinew_flags INTERFACE)
target_compile_options(sinew_flags INTERFACE
  # Sources compiled together see one another's unnamed namespaces, and look like headers to the compiler.
  -Wall -Wextra -Wpedantic $<IF:$<BOOL:${SINEW_UNITY}>,$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>,-Wshadow>
  -Wconversion -Wno-sign-conversion
  -fno-math-errno -fno-trapping-math
  # Vector types are passed only between functions that are always inlined.
  -Wno-psabi
  # g++ 12 warns of overlaps in string concatenation, of members behind variants and of growing vectors, falsely (GCC bugs 105329, 105762).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict> $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-stringop-overflow>
  # g++ collects its garbage only above half a gigabyte: a tenth of the time of most sources.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>
  # A mask of one lane is a bool.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical -Wno-unknown-warning-option>
  # Pointers and sizes have 32 bits in a browser: what is in memory can be counted by them.
  $<$<BOOL:${SINEW_WEB}>:-Wno-shorten-64-to-32>
  $<$<BOOL:${SINEW_WERROR}>:-Werror>
  # a b + c is rounded twice; only the kernels may contract it (src/CMakeLists.txt).
  -ffp-contract=off
  $<$<BOOL:${SINEW_SANITIZE}>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer>)
target_link_options(sinew_flags INTERFACE
  $<$<BOOL:${SINEW_SANITIZE}>:-fsanitize=address,undefined>)
target_include_directories(sinew_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/generated)

# The commit this was built from, for run.json; unknown outside a repository.
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --short=12 HEAD
                OUTPUT_VARIABLE SINEW_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT SINEW_COMMIT)
  set(SINEW_COMMIT unknown)
endif()
# Run again after each commit.
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --path-format=absolute --git-path logs/HEAD
                OUTPUT_VARIABLE SINEW_COMMITS OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(EXISTS "${SINEW_COMMITS}")
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${SINEW_COMMITS}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/src/base/version.h.in ${PROJECT_BINARY_DIR}/generated/base/version.h)

# Materials and elements are lists: the includes follow from them.
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/material/materials.def ${PROJECT_SOURCE_DIR}/src/element/elements.def)
set(OUTPUT ${PROJECT_BINARY_DIR}/generated)
include(${CMAKE_CURRENT_LIST_DIR}/list_headers.cmake)
