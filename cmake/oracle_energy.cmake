# SPDX-License-Identifier: BSD-3-Clause
# Compares the joules of random programs with those of SMPI's energy plug-ins, where smpicc and smpirun are.
if(TARGET pgasim_command AND PGASIM_SMPI)
  pgasim_smpi_program(energy_smpi energy energy_random.c)
  add_test(NAME oracle.energy
           COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/oracle/energy_compare.py ${CMAKE_BINARY_DIR} --smpi ${energy_smpi}
                   --cases 60 --seed 7)
  set_tests_properties(oracle.energy PROPERTIES TIMEOUT 300)
endif()
