# A room is a folder under src/: one object library of all .cpp files in it and its subfolders.
# scripts/check-includes checks which rooms it may include.
function(sinew_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()  # headers only
  endif()
  add_library(sinew_${name} OBJECT ${sources})
  target_link_libraries(sinew_${name} PRIVATE sinew_flags ${ARGN})
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:sinew_${name}>)
endfunction()
