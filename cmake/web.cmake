# The flags of all of the engine for browsers, and the libraries that it is given.
if(NOT EMSCRIPTEN)
  message(FATAL_ERROR "SINEW_WEB needs Emscripten: cmake --preset web")
endif()
# What every browser with SIMD has. Named one by one, since newer compilers use more by default than older linkers read.
set(web_flags -mcpu=mvp -mmutable-globals -msign-ext -mbulk-memory -mnontrapping-fptoint -msimd128 -fwasm-exceptions)
# Compiled once: a module is given threads, or not, when it is linked. Every browser with SIMD has atomic instructions, and
# memory that no other thread sees bears them. Nothing may be thread_local: a module without threads would not set it up.
add_compile_options(${web_flags} -pthread)
add_link_options(${web_flags})

# The folder of nlohmann's JSON alone: /usr/include has the headers of another C library.
find_path(NLOHMANN_JSON nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
if(NOT NLOHMANN_JSON)
  message(FATAL_ERROR "nlohmann/json.hpp is not found: install nlohmann-json3-dev, or set NLOHMANN_JSON to its folder")
endif()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
file(CREATE_LINK ${NLOHMANN_JSON}/nlohmann ${PROJECT_BINARY_DIR}/generated/nlohmann SYMBOLIC)
