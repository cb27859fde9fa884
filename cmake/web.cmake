# The flags of all of the engine for browsers, and the libraries that it is given.
option(SINEW_WEB_THREADS "Let the engine for browsers have threads, which need a page in isolation (COOP and COEP)" OFF)

if(NOT EMSCRIPTEN)
  message(FATAL_ERROR "SINEW_WEB needs Emscripten: cmake --preset web")
endif()
# What every browser with SIMD has. Named one by one, since newer compilers use more by default than older linkers read.
set(web_flags -mcpu=mvp -mmutable-globals -msign-ext -mbulk-memory -mnontrapping-fptoint -msimd128 -fwasm-exceptions)
if(SINEW_WEB_THREADS)
  list(APPEND web_flags -pthread)
endif()
add_compile_options(${web_flags})
add_link_options(${web_flags})

# The folder of nlohmann's JSON alone: /usr/include has the headers of another C library.
find_path(NLOHMANN_JSON nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
if(NOT NLOHMANN_JSON)
  message(FATAL_ERROR "nlohmann/json.hpp is not found: install nlohmann-json3-dev, or set NLOHMANN_JSON to its folder")
endif()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
file(CREATE_LINK ${NLOHMANN_JSON}/nlohmann ${PROJECT_BINARY_DIR}/generated/nlohmann SYMBOLIC)
