# SPDX-License-Identifier: BSD-3-Clause
# The modules mpi and mpi_f08, built for the gfortran of this machine, in lib/pgasim/fortran/gfortran-VERSION. The
# sources lie there, too, so that make-modules.sh builds them for another compiler.
set(fortran ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/pgasim/fortran)
set(sources ${CMAKE_SOURCE_DIR}/src/mpi/fortran/modules)
file(MAKE_DIRECTORY ${fortran})
foreach(f mpi.f90 mpi_f08.f90 make-modules.sh)
  file(CREATE_LINK ${sources}/${f} ${fortran}/${f} SYMBOLIC)
endforeach()
find_program(PGASIM_FORTRAN gfortran)
if(PGASIM_FORTRAN)
  set(stamp ${CMAKE_BINARY_DIR}/fortran-modules)
  add_custom_command(OUTPUT ${stamp} DEPENDS ${sources}/mpi.f90 ${sources}/mpi_f08.f90 ${sources}/make-modules.sh
                     COMMAND ${sources}/make-modules.sh ${PGASIM_FORTRAN} ${fortran}
                     COMMAND ${CMAKE_COMMAND} -E touch ${stamp} COMMENT "Fortran modules" VERBATIM)
  add_custom_target(pgasim_fortran DEPENDS ${stamp})
  add_dependencies(product pgasim_fortran)
else()
  message(STATUS "no gfortran: lib/pgasim/fortran/make-modules.sh builds the modules mpi and mpi_f08 later")
endif()
install(FILES ${sources}/mpi.f90 ${sources}/mpi_f08.f90 DESTINATION lib/pgasim/fortran)
install(PROGRAMS ${sources}/make-modules.sh DESTINATION lib/pgasim/fortran)
install(DIRECTORY ${fortran}/ DESTINATION lib/pgasim/fortran FILES_MATCHING PATTERN "*.mod")
