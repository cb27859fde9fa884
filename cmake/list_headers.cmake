# Writes the headers that include every material and every element of src/material/materials.def and
# src/element/elements.def. Included by the build, and run alone: cmake -DOUTPUT=FOLDER -P cmake/list_headers.cmake
function(write_list_header def header macros)
  file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src/${def} lines REGEX "^(${macros})\\(")
  get_filename_component(room ${def} DIRECTORY)
  set(text "// Generated from ${def}: every header that it names.\n#pragma once\n\n")
  foreach(line ${lines})
    if(NOT line MATCHES "^[A-Z_]+\\([A-Za-z0-9_]+, *([a-z0-9_]+)\\)$")
      message(FATAL_ERROR "${def}: \"${line}\" does not name a type and a file")
    endif()
    string(APPEND text "#include \"${room}/${CMAKE_MATCH_1}.h\"\n")
  endforeach()
  set(before "")
  if(EXISTS ${OUTPUT}/${header})
    file(READ ${OUTPUT}/${header} before)
  endif()
  # Left alone where nothing changed, so that nothing is compiled again.
  if(NOT text STREQUAL before)
    file(WRITE ${OUTPUT}/${header} "${text}")
  endif()
endfunction()

write_list_header(material/materials.def material/every_material.h SINEW_MATERIAL)
write_list_header(element/elements.def element/every_element.h "SINEW_ELEMENT|SINEW_TIE")
