# SPDX-License-Identifier: BSD-3-Clause
# libmpi_abi.so.1: the name by which libraries that were compiled against the MPI standard's ABI find an MPI
# (MPI-5.0 section 20.2). It has every function's name, for the linker, and is a filter of libpgasim.so, whose
# functions the dynamic linker takes instead.
set(names ${CMAKE_SOURCE_DIR}/src/mpi/pmpi.ld)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${names})
file(STRINGS ${names} lines REGEX "^PMPI_")
set(text "/* Generated from pmpi.ld. */\n")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^P(MPI_[A-Za-z0-9_]+).*" "\\1" name "${line}")
  string(APPEND text "void ${name}(void);\nvoid ${name}(void)\n{\n}\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/mpi_abi.c CONTENT "${text}" @ONLY)
add_library(mpi_abi SHARED ${CMAKE_BINARY_DIR}/mpi_abi.c)
target_compile_options(mpi_abi PRIVATE -fno-lto -fno-sanitize=all -fvisibility=default)
set_target_properties(mpi_abi PROPERTIES SOVERSION 1 LINKER_LANGUAGE C LINK_DEPENDS ${names}
                      BUILD_RPATH "$ORIGIN" BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN")
target_link_options(mpi_abi PRIVATE ${names} -Wl,--filter=libpgasim.so)
add_dependencies(product mpi_abi)
