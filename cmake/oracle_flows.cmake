# SPDX-License-Identifier: BSD-3-Clause
# Plays random lists of activities on random platforms with SimGrid and with pgasim and compares every end,
# and every route of such platforms. Built where a C++ compiler, libsimgrid-dev and Python are.
# PGASIM_ORACLE_CASES: how many.
set(PGASIM_ORACLE_CASES 2400 CACHE STRING "Random cases that are compared with SimGrid")
find_library(PGASIM_SIMGRID simgrid)
find_path(PGASIM_SIMGRID_INCLUDE simgrid/s4u.hpp)
find_program(PGASIM_PYTHON python3)
include(CheckLanguage)
check_language(CXX)
if(TARGET pgasim_command AND PGASIM_SIMGRID AND PGASIM_SIMGRID_INCLUDE AND CMAKE_CXX_COMPILER AND PGASIM_PYTHON
   AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  enable_language(CXX)
  add_executable(oracle_flows ${CMAKE_SOURCE_DIR}/tests/oracle/flows_simgrid.cpp)
  set_target_properties(oracle_flows PROPERTIES CXX_STANDARD 17 COMPILE_OPTIONS "-O1")
  target_include_directories(oracle_flows SYSTEM PRIVATE ${PGASIM_SIMGRID_INCLUDE})
  target_link_libraries(oracle_flows PRIVATE ${PGASIM_SIMGRID})
  # In parts, so that CTest runs them side by side.
  set(parts 4)
  math(EXPR cases "(${PGASIM_ORACLE_CASES} + ${parts} - 1) / ${parts}")
  foreach(part RANGE 1 ${parts})
    math(EXPR first "1 + (${part} - 1) * ${cases}")
    add_test(NAME oracle.flows.${part}
             COMMAND ${PGASIM_PYTHON} ${CMAKE_SOURCE_DIR}/tests/oracle/flows_compare.py $<TARGET_FILE:oracle_flows>
                     $<TARGET_FILE:pgasim_command> --seed ${first} --cases ${cases} --keep ${CMAKE_BINARY_DIR}/oracle)
    set_tests_properties(oracle.flows.${part} PROPERTIES TIMEOUT 600)
  endforeach()
  add_test(NAME oracle.profiles
           COMMAND ${PGASIM_PYTHON} ${CMAKE_SOURCE_DIR}/tests/oracle/profiles_compare.py $<TARGET_FILE:oracle_flows>
                   $<TARGET_FILE:pgasim_command> --cases 300 --keep ${CMAKE_BINARY_DIR}/oracle/profiles)
  set_tests_properties(oracle.profiles PROPERTIES TIMEOUT 300)
  add_test(NAME oracle.disks
           COMMAND ${PGASIM_PYTHON} ${CMAKE_SOURCE_DIR}/tests/oracle/disks_compare.py $<TARGET_FILE:oracle_flows>
                   $<TARGET_FILE:pgasim_command> --cases 300)
  set_tests_properties(oracle.disks PROPERTIES TIMEOUT 300)
endif()
