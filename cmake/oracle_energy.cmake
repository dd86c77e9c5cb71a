# SPDX-License-Identifier: BSD-3-Clause
# Compares the joules of random programs with those of SMPI's energy plug-ins, where smpicc and smpirun are.
find_program(PGASIM_SMPICC smpicc)
find_program(PGASIM_SMPIRUN smpirun)
if(TARGET pgasim_command AND PGASIM_SMPICC AND PGASIM_SMPIRUN AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(energy_smpi ${CMAKE_BINARY_DIR}/bin/oracle_energy_smpi)
  add_custom_command(OUTPUT ${energy_smpi} DEPENDS ${CMAKE_SOURCE_DIR}/tests/oracle/energy_random.c
                     COMMAND ${PGASIM_SMPICC} -O1 -o ${energy_smpi} ${CMAKE_SOURCE_DIR}/tests/oracle/energy_random.c
                     VERBATIM)
  add_custom_target(oracle_energy_smpi ALL DEPENDS ${energy_smpi})
  add_test(NAME oracle.energy
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/energy_compare.py ${CMAKE_BINARY_DIR} --smpi ${energy_smpi}
                   --cases 60 --seed 7)
  set_tests_properties(oracle.energy PROPERTIES TIMEOUT 300)
endif()
