# SPDX-License-Identifier: BSD-3-Clause
# Plays random time-independent traces with pgasim and, where it is installed, with SMPI.
find_program(PGASIM_SMPIRUN smpirun)
if(TARGET pgasim_command AND PGASIM_SMPIRUN AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME oracle.replay
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/replay_compare.py ${CMAKE_BINARY_DIR}
                   --smpirun ${PGASIM_SMPIRUN})
  set_tests_properties(oracle.replay PROPERTIES TIMEOUT 200)
endif()
