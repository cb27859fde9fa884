# A room is a folder under src/: one object library of all .cpp files in it and its subfolders.
# scripts/check-includes checks which rooms it may include.
function(sinew_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()  # headers only
  endif()
  add_library(sinew_${name} OBJECT ${sources})
  target_link_libraries(sinew_${name} PRIVATE sinew_flags ${ARGN})
  if(name IN_LIST SINEW_DESCRIBING_ROOMS)
    target_compile_options(sinew_${name} PRIVATE $<$<CONFIG:Release>:${SINEW_DESCRIBING_LEVEL}>)
    sinew_precompile(sinew_${name} describing)
  else()
    sinew_precompile(sinew_${name} computing)
  endif()
  sinew_unity(sinew_${name})
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:sinew_${name}>)
endfunction()

# These rooms describe and write, and delegate the work to others: fast compilation matters more than their speed.
set(SINEW_DESCRIBING_ROOMS base files scene compile record drive experiment dataset)
set(SINEW_DESCRIBING_LEVEL -O1)
if(SINEW_WEB)  # where what is downloaded matters too
  list(APPEND SINEW_DESCRIBING_ROOMS io engine)
  set(SINEW_DESCRIBING_LEVEL -Os)
endif()

# Precompiles the standard headers that most sources include, once for all targets of the same `flags`: a quarter of the
# time of a rebuild. Not where sources are joined anyway, nor under a compiler cache, which does more and cannot look
# into them. clang-tidy, which finds missing includes, reads sources without them (scripts/test).
function(sinew_precompile target flags)
  if(SINEW_UNITY OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  get_property(owner GLOBAL PROPERTY SINEW_PRECOMPILED_${flags})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    set_property(GLOBAL PROPERTY SINEW_PRECOMPILED_${flags} ${target})
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <cmath> <filesystem> <functional> <limits>
      <map> <memory> <optional> <span> <string> <string_view> <variant> <vector>)
  endif()
endfunction()

# With SINEW_UNITY the sources of a target are compiled several at once, so that the headers they share are read once.
# CMake leaves sources with flags of their own, such as kernels, by themselves.
function(sinew_unity target)
  if(SINEW_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 14)
  endif()
endfunction()
