# SPDX-License-Identifier: BSD-3-Clause
# Compares collectives with other MPI libraries: the choices of selectors with published tables; where the libraries
# are installed, simulated times with SMPI's, for a sample of the grid that coll_compare.py knows, and which algorithms
# Open MPI and MPICH choose.
find_program(PGASIM_OPENMPI_CC mpicc.openmpi)
find_program(PGASIM_OPENMPI_RUN mpirun.openmpi)
find_program(PGASIM_MPICH_CC mpicc.mpich)
find_program(PGASIM_MPICH_RUN mpirun.mpich)
set(oracle ${CMAKE_SOURCE_DIR}/tests/oracle)
if(PGASIM_SANITIZE OR CMAKE_CROSSCOMPILING)
  return()
endif()
if(TARGET pgasim_command)
  add_test(NAME oracle.selector_points
           COMMAND python3 ${oracle}/selector_points.py ${CMAKE_BINARY_DIR}/bin/pgasim)
endif()
if(TARGET pgasim_command AND PGASIM_SMPI)
  pgasim_smpi_program(coll_smpi coll coll_times.c coll_operations.c DEPENDS coll_operations.h OPTIONS -DUNDER_SMPI)
  add_test(NAME oracle.coll
           COMMAND python3 ${oracle}/coll_compare.py ${CMAKE_BINARY_DIR} --smpi ${coll_smpi})
  add_test(NAME oracle.coll_selectors
           COMMAND python3 ${oracle}/coll_compare.py ${CMAKE_BINARY_DIR} --smpi ${coll_smpi} --ranks 13 --selectors
                   default,ompi,mpich,mvapich2,impi)
  set_tests_properties(oracle.coll oracle.coll_selectors PROPERTIES TIMEOUT 200)
endif()
if(PGASIM_OPENMPI_CC AND PGASIM_OPENMPI_RUN AND PGASIM_MPICH_CC AND PGASIM_MPICH_RUN)
  add_test(NAME oracle.library_choices
           COMMAND python3 ${oracle}/library_choices.py --ranks 4 --operations bcast
                   --check ${oracle}/library_choices.txt)
  add_test(NAME oracle.tune_files COMMAND python3 ${oracle}/tune_files.py ${CMAKE_BINARY_DIR})
  set_tests_properties(oracle.library_choices oracle.tune_files PROPERTIES TIMEOUT 200)
endif()
