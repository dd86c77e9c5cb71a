# SPDX-License-Identifier: BSD-3-Clause
# Compares the ends of random concurrent flows with SimGrid's. Built where a C++ compiler and libsimgrid-dev
# are.
find_library(PGASIM_SIMGRID simgrid)
find_path(PGASIM_SIMGRID_INCLUDE simgrid/s4u.hpp)
include(CheckLanguage)
check_language(CXX)
if(TARGET m_fluid AND PGASIM_SIMGRID AND PGASIM_SIMGRID_INCLUDE AND CMAKE_CXX_COMPILER
   AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  enable_language(CXX)
  add_executable(oracle_fluid_flows ${CMAKE_SOURCE_DIR}/tests/oracle/fluid_flows.cpp)
  set_target_properties(oracle_fluid_flows PROPERTIES CXX_STANDARD 17 COMPILE_OPTIONS "-O1")
  target_include_directories(oracle_fluid_flows SYSTEM PRIVATE ${PGASIM_SIMGRID_INCLUDE})
  target_link_libraries(oracle_fluid_flows PRIVATE ${PGASIM_SIMGRID})
  add_executable(oracle_fluid_compare ${CMAKE_SOURCE_DIR}/tests/oracle/fluid_compare.c)
  target_link_libraries(oracle_fluid_compare PRIVATE m_fluid)
  add_test(NAME oracle.fluid.flows COMMAND oracle_fluid_compare $<TARGET_FILE:oracle_fluid_flows> 1 100)
endif()
