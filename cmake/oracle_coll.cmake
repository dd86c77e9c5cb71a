# SPDX-License-Identifier: BSD-3-Clause
# Compares collectives with other MPI libraries: which algorithms Open MPI and MPICH choose, where they are installed.
find_program(PGASIM_OPENMPI_CC mpicc.openmpi)
find_program(PGASIM_OPENMPI_RUN mpirun.openmpi)
find_program(PGASIM_MPICH_CC mpicc.mpich)
find_program(PGASIM_MPICH_RUN mpirun.mpich)
if(PGASIM_OPENMPI_CC AND PGASIM_OPENMPI_RUN AND PGASIM_MPICH_CC AND PGASIM_MPICH_RUN AND NOT PGASIM_SANITIZE
   AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME oracle.library_choices
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/library_choices.py --ranks 4 --operations bcast
                   --check ${CMAKE_SOURCE_DIR}/tests/oracle/library_choices.txt)
  set_tests_properties(oracle.library_choices PROPERTIES TIMEOUT 120)
endif()
