# `cmake --install`: the library, its headers, the program with scenes, experiments and schema, and what
# find_package(sinew) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

install(TARGETS sinew EXPORT sinew-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/sinew)

# A static library does not contain its dependencies: the package must find each again.
set(SINEW_FIND_DEPENDENCIES "")
get_target_property(libraries sinew LINK_LIBRARIES)
foreach(library ${libraries})
  if(library STREQUAL "Threads::Threads")
    set(find "find_dependency(Threads)")
  elseif(library STREQUAL "CHOLMOD::CHOLMOD")
    set(find "find_dependency(CHOLMOD)")
    install(FILES cmake/FindCHOLMOD.cmake DESTINATION ${package_dir})
  elseif(library STREQUAL "HDF5C::HDF5C")
    set(find "find_dependency(HDF5C)")
    install(FILES cmake/FindHDF5C.cmake DESTINATION ${package_dir})
  elseif(library MATCHES "^pugixml(::.*)?$")
    set(find "find_dependency(pugixml)")
  elseif(library STREQUAL "ZLIB::ZLIB")
    set(find "find_dependency(ZLIB)")
  elseif(library STREQUAL "embree")
    set(find "find_dependency(embree 3)")
  elseif(library STREQUAL "CUDA::cudart_static")
    set(find "find_dependency(CUDAToolkit)")
  elseif(TARGET ${library})
    message(FATAL_ERROR "sinew links ${library}, but cmake/install.cmake does not say how its users find it")
  else()
    continue()  # a plain library or linker flag, such as dl
  endif()
  string(APPEND SINEW_FIND_DEPENDENCIES "${find}\n")
endforeach()

install(EXPORT sinew-targets NAMESPACE sinew:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sinew-config.cmake.in ${PROJECT_BINARY_DIR}/sinew-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  DESTINATION ${package_dir})

# The program and its data: example scenes, the experiments of `sinew reproduce`, and the schema by which editors
# complete and check scene files.
if(TARGET sinew_cli)
  install(TARGETS sinew_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY scenes experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew
          FILES_MATCHING PATTERN "*.json" PATTERN "*.mesh")
  install(FILES ${PROJECT_BINARY_DIR}/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew)
endif()
