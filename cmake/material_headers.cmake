# Writes the header that includes every material of src/material/materials.def. Included by the build, and run alone:
# cmake -DOUTPUT=FILE -P cmake/material_headers.cmake
set(def ${CMAKE_CURRENT_LIST_DIR}/../src/material/materials.def)
file(STRINGS ${def} lines REGEX "^SINEW_MATERIAL\\(")
set(text "// Generated from material/materials.def: the header of every material.\n#pragma once\n\n")
foreach(line ${lines})
  if(NOT line MATCHES "^SINEW_MATERIAL\\([A-Za-z0-9_]+, *([a-z0-9_]+)\\)$")
    message(FATAL_ERROR "materials.def: \"${line}\" is not SINEW_MATERIAL(Type, file)")
  endif()
  string(APPEND text "#include \"material/${CMAKE_MATCH_1}.h\"\n")
endforeach()
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
# Left alone where nothing changed, so that nothing is compiled again.
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
