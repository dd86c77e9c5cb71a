# SPDX-License-Identifier: BSD-3-Clause
# Plays random time-independent traces with pgasim and, where it is installed, with SMPI.
find_program(PGASIM_SMPIRUN smpirun)
if(TARGET pgasim_command AND PGASIM_SMPIRUN AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME oracle.replay
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/replay_compare.py ${CMAKE_BINARY_DIR}
                   --smpirun ${PGASIM_SMPIRUN})
  set_tests_properties(oracle.replay PROPERTIES TIMEOUT 200)
endif()

# Plays schedules in GOAL with pgasim and, where it is installed, with LogGOPSim.
find_program(PGASIM_LOGGOPSIM LogGOPSim)
find_program(PGASIM_TXT2BIN txt2bin)
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(loggopsim "")
  if(PGASIM_LOGGOPSIM AND PGASIM_TXT2BIN)
    set(loggopsim --loggopsim ${PGASIM_LOGGOPSIM} --txt2bin ${PGASIM_TXT2BIN})
  endif()
  add_test(NAME oracle.goal
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/goal_compare.py ${CMAKE_BINARY_DIR} ${loggopsim})
  set_tests_properties(oracle.goal PROPERTIES TIMEOUT 200 SKIP_RETURN_CODE 77)
endif()
