# SPDX-License-Identifier: BSD-3-Clause
# Compares two-sided messages, and random MPI programs, with SMPI's, where smpicc and smpirun are; random datatypes,
# and random programs on files, with Open MPI's, where its wrappers are.
if(TARGET m_fabric AND PGASIM_SMPI)
  pgasim_smpi_program(messages_smpi messages messages_smpi.c)
  add_executable(oracle_messages_compare ${CMAKE_SOURCE_DIR}/tests/oracle/messages_compare.c)
  target_link_libraries(oracle_messages_compare PRIVATE m_fabric)
  add_test(NAME oracle.fabric.messages
           COMMAND oracle_messages_compare ${PGASIM_SMPIRUN} ${messages_smpi} 1 300)
  set_tests_properties(oracle.fabric.messages PROPERTIES TIMEOUT 120)
  if(TARGET pgasim_command)
    pgasim_smpi_program(mpi_smpi mpi mpi_random.c)
    add_test(NAME oracle.mpi
             COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/mpi_compare.py ${CMAKE_BINARY_DIR} --smpi ${mpi_smpi}
                     --programs 60 --seed 7)
    set_tests_properties(oracle.mpi PROPERTIES TIMEOUT 200)
  endif()
endif()
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(oracle ${CMAKE_SOURCE_DIR}/tests/oracle)
  find_program(PGASIM_OPENMPI_CC mpicc.openmpi)
  find_program(PGASIM_OPENMPI_RUN mpirun.openmpi)
  if(PGASIM_OPENMPI_CC AND PGASIM_OPENMPI_RUN)
    add_test(NAME oracle.mpi_types
             COMMAND python3 ${oracle}/types_compare.py ${CMAKE_BINARY_DIR} --types 2000 --seed 7)
    set_tests_properties(oracle.mpi_types PROPERTIES TIMEOUT 120)
  endif()
  add_test(NAME oracle.mpi_files COMMAND python3 ${oracle}/files_compare.py ${CMAKE_BINARY_DIR} --programs 30)
  add_test(NAME oracle.mpi_files_sanitized
           COMMAND python3 ${oracle}/files_compare.py ${CMAKE_BINARY_DIR} --programs 10 --sanitize)
  set_tests_properties(oracle.mpi_files oracle.mpi_files_sanitized PROPERTIES TIMEOUT 200 SKIP_RETURN_CODE 77)
endif()
