# SPDX-License-Identifier: BSD-3-Clause
# What other build systems find pgasim by, in the layout of an installation. All of it is relocatable.
#   lib/cmake/pgasim/       find_package(pgasim)
#   lib/pkgconfig/          pgasim.pc
#   lib/pgasim/pkgconfig/   the names under which pkg-config knows other OpenSHMEMs, for `pgasim env`
#   lib/pgasim/shmem/       bin, include and lib as those of another OpenSHMEM: find_library(oshmem), ...
include(CMakePackageConfigHelpers)
set(lib ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
configure_file(${CMAKE_SOURCE_DIR}/cmake/pgasimConfig.cmake ${lib}/cmake/pgasim/pgasimConfig.cmake COPYONLY)
write_basic_package_version_file(${lib}/cmake/pgasim/pgasimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_SOURCE_DIR}/cmake/pgasim.pc.in ${lib}/pkgconfig/pgasim.pc @ONLY)
set(aliases oshmem oshmem-c oshmem-cxx openshmem osss-ucx sandia-openshmem sma cray-sma cray-openshmemx)
foreach(PGASIM_ALIAS ${aliases})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/alias.pc.in ${lib}/pgasim/pkgconfig/${PGASIM_ALIAS}.pc @ONLY)
endforeach()

set(PGASIM_OTHER_NAMES oshmem openshmem sma shmem)
file(MAKE_DIRECTORY ${lib}/pgasim/shmem/lib)
file(CREATE_LINK ../../../bin/wrappers ${lib}/pgasim/shmem/bin SYMBOLIC)
file(CREATE_LINK ../../../include ${lib}/pgasim/shmem/include SYMBOLIC)
foreach(name ${PGASIM_OTHER_NAMES})
  file(CREATE_LINK ../../../libpgasim.so ${lib}/pgasim/shmem/lib/lib${name}.so SYMBOLIC)
endforeach()
