# SPDX-License-Identifier: BSD-3-Clause
# Plays random time-independent traces with pgasim and, where it is installed, with SMPI.
if(TARGET pgasim_command AND PGASIM_SMPI)
  add_test(NAME oracle.replay
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/replay_compare.py ${CMAKE_BINARY_DIR}
                   --smpirun ${PGASIM_SMPIRUN})
  set_tests_properties(oracle.replay PROPERTIES TIMEOUT 200)
  add_test(NAME oracle.convert
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/convert_compare.py ${CMAKE_BINARY_DIR}
                   --smpirun ${PGASIM_SMPIRUN})
  set_tests_properties(oracle.convert PROPERTIES TIMEOUT 200)
endif()

# Plays several traces at once with both.
if(TARGET oracle_flows AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  add_executable(oracle_jobs ${CMAKE_SOURCE_DIR}/tests/oracle/jobs_smpi.cpp)
  set_target_properties(oracle_jobs PROPERTIES CXX_STANDARD 17 COMPILE_OPTIONS "-O1")
  target_include_directories(oracle_jobs SYSTEM PRIVATE ${PGASIM_SIMGRID_INCLUDE})
  target_link_libraries(oracle_jobs PRIVATE ${PGASIM_SIMGRID})
  add_test(NAME oracle.jobs
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/jobs_compare.py ${CMAKE_BINARY_DIR}
                   $<TARGET_FILE:oracle_jobs>)
  set_tests_properties(oracle.jobs PROPERTIES TIMEOUT 200)
endif()

# Plays schedules in GOAL with pgasim and, where it is installed, with LogGOPSim.
find_program(PGASIM_LOGGOPSIM LogGOPSim)
find_program(PGASIM_TXT2BIN txt2bin)
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(loggopsim "")
  if(PGASIM_LOGGOPSIM AND PGASIM_TXT2BIN)
    add_library(oracle_clock SHARED ${CMAKE_SOURCE_DIR}/tests/oracle/clock.c)
    set(loggopsim --loggopsim ${PGASIM_LOGGOPSIM} --txt2bin ${PGASIM_TXT2BIN} --clock $<TARGET_FILE:oracle_clock>)
  endif()
  add_test(NAME oracle.goal
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/goal_compare.py ${CMAKE_BINARY_DIR} ${loggopsim})
  set_tests_properties(oracle.goal PROPERTIES TIMEOUT 200 SKIP_RETURN_CODE 77)
endif()

# Records a program with the MPIs that are installed.
find_program(PGASIM_OPENMPI_CC mpicc.openmpi)
find_program(PGASIM_OPENMPI_RUN mpirun.openmpi)
find_program(PGASIM_MPICH_CC mpicc.mpich)
find_program(PGASIM_MPICH_RUN mpirun.mpich)
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(mpis "")
  foreach(mpi OPENMPI MPICH)
    if(PGASIM_${mpi}_CC AND PGASIM_${mpi}_RUN)
      list(APPEND mpis --mpi ${PGASIM_${mpi}_CC} ${PGASIM_${mpi}_RUN})
    endif()
  endforeach()
  foreach(what record record_files)
    add_test(NAME oracle.${what} COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/${what}.py ${CMAKE_BINARY_DIR} ${mpis})
    set_tests_properties(oracle.${what} PROPERTIES TIMEOUT 400 SKIP_RETURN_CODE 77)
  endforeach()
endif()

# The same with the OpenSHMEM that is installed.
find_program(PGASIM_OSHCC oshcc)
find_program(PGASIM_OSHRUN oshrun)
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(shmems "")
  if(PGASIM_OSHCC AND PGASIM_OSHRUN)
    set(shmems --shmem ${PGASIM_OSHCC} ${PGASIM_OSHRUN})
  endif()
  add_test(NAME oracle.record_shmem
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/record_shmem.py ${CMAKE_BINARY_DIR} ${shmems})
  set_tests_properties(oracle.record_shmem PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
