# SPDX-License-Identifier: BSD-3-Clause
# What other build systems find pgasim by, in the layout of an installation. All of it is relocatable.
#   lib/cmake/pgasim/       find_package(pgasim)
#   lib/pkgconfig/          pgasim.pc
#   lib/pgasim/pkgconfig/   the names under which pkg-config knows other OpenSHMEMs and MPIs, for `pgasim env`
#   lib/pgasim/shmem/       bin, include and lib as those of another OpenSHMEM: find_library(oshmem), ...
#   lib/pgasim/mpi/         the same as those of another MPI
include(CMakePackageConfigHelpers)
set(lib ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
configure_file(${CMAKE_SOURCE_DIR}/cmake/pgasimConfig.cmake ${lib}/cmake/pgasim/pgasimConfig.cmake COPYONLY)
write_basic_package_version_file(${lib}/cmake/pgasim/pgasimConfigVersion.cmake COMPATIBILITY SameMajorVersion)
configure_file(${CMAKE_SOURCE_DIR}/cmake/pgasim.pc.in ${lib}/pkgconfig/pgasim.pc @ONLY)
set(aliases_OpenSHMEM oshmem oshmem-c oshmem-cxx openshmem osss-ucx sandia-openshmem sma cray-sma cray-openshmemx)
set(aliases_MPI mpi mpi-c mpi-cxx mpi-fort ompi ompi-c ompi-cxx ompi-fort ompi-f77 ompi-f90 mpich mpich-c)
set(version_OpenSHMEM 1.6)
set(version_MPI 5.0)
foreach(PGASIM_API OpenSHMEM MPI)
  set(PGASIM_API_VERSION ${version_${PGASIM_API}})
  foreach(PGASIM_ALIAS ${aliases_${PGASIM_API}})
    configure_file(${CMAKE_SOURCE_DIR}/cmake/alias.pc.in ${lib}/pgasim/pkgconfig/${PGASIM_ALIAS}.pc @ONLY)
  endforeach()
endforeach()

set(PGASIM_OTHER_NAMES_shmem oshmem openshmem sma shmem)
set(PGASIM_OTHER_NAMES_mpi mpi mpich mpi_abi mpi_cxx mpicxx mpichcxx mpifort mpi_mpifh mpi_usempif08
    mpi_usempi_ignore_tkr mpichf90)
foreach(other shmem mpi)
  file(MAKE_DIRECTORY ${lib}/pgasim/${other}/lib)
  file(CREATE_LINK ../../../bin/wrappers ${lib}/pgasim/${other}/bin SYMBOLIC)
  file(CREATE_LINK ../../../include ${lib}/pgasim/${other}/include SYMBOLIC)
  foreach(name ${PGASIM_OTHER_NAMES_${other}})
    file(CREATE_LINK ../../../libpgasim.so ${lib}/pgasim/${other}/lib/lib${name}.so SYMBOLIC)
  endforeach()
endforeach()
