# A room is a folder under src/: one object library of all .cpp files in it and its subfolders.
# scripts/check-includes checks which rooms it may include.
function(sinew_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()  # headers only
  endif()
  add_library(sinew_${name} OBJECT ${sources})
  target_link_libraries(sinew_${name} PRIVATE sinew_flags ${ARGN})
  sinew_unity(sinew_${name})
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:sinew_${name}>)
endfunction()

# With SINEW_UNITY the sources of a target are compiled several at once, so that the headers they share are read once.
# CMake leaves sources with flags of their own, such as kernels, by themselves.
function(sinew_unity target)
  if(SINEW_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 14)
  endif()
endfunction()
