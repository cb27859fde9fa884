# Emscripten's own toolchain file, wherever it is installed.
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE failed)
if(failed OR NOT root)
  message(FATAL_ERROR "em-config is not found: install Emscripten (scripts/web does), or activate its SDK")
endif()
# Debian's em++ finds its JavaScript modules there.
if(IS_DIRECTORY /usr/share/nodejs AND NOT DEFINED ENV{NODE_PATH})
  set(ENV{NODE_PATH} /usr/share/nodejs)
endif()
# Eigen and nlohmann's JSON are headers, and those of the system will do.
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
include(${root}/cmake/Modules/Platform/Emscripten.cmake)
