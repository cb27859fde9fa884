# HDF5's serial C library: HDF5C_FOUND and the target HDF5C::HDF5C. (CMake's own module asks compiler wrappers, which a
# machine may lack, and may find the parallel library.)
find_path(HDF5C_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5C_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(HDF5C_INCLUDE_DIR HDF5C_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5C REQUIRED_VARS HDF5C_LIBRARY HDF5C_INCLUDE_DIR)

if(HDF5C_FOUND AND NOT TARGET HDF5C::HDF5C)
  add_library(HDF5C::HDF5C UNKNOWN IMPORTED)
  set_target_properties(HDF5C::HDF5C PROPERTIES
    IMPORTED_LOCATION ${HDF5C_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${HDF5C_INCLUDE_DIR})
endif()
