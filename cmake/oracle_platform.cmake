# SPDX-License-Identifier: BSD-3-Clause
# Compares routes with SimGrid's own, on tests/platform/data/*.xml and on random platforms. Built where a C++
# compiler and libsimgrid-dev are.
find_library(PGASIM_SIMGRID simgrid)
find_path(PGASIM_SIMGRID_INCLUDE simgrid/s4u.hpp)
include(CheckLanguage)
check_language(CXX)
if(TARGET m_fabric AND PGASIM_SIMGRID AND PGASIM_SIMGRID_INCLUDE AND CMAKE_CXX_COMPILER
   AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  enable_language(CXX)
  add_executable(oracle_platform_routes ${CMAKE_SOURCE_DIR}/tests/oracle/platform_routes.cpp)
  set_target_properties(oracle_platform_routes PROPERTIES CXX_STANDARD 17 COMPILE_OPTIONS "-O1")
  target_include_directories(oracle_platform_routes SYSTEM PRIVATE ${PGASIM_SIMGRID_INCLUDE})
  target_link_libraries(oracle_platform_routes PRIVATE ${PGASIM_SIMGRID})
  add_executable(oracle_platform_compare ${CMAKE_SOURCE_DIR}/tests/oracle/platform_compare.c)
  target_include_directories(oracle_platform_compare PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(oracle_platform_compare PRIVATE m_fabric)
  file(GLOB platform_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/platform/data/*.xml)
  add_test(NAME oracle.platform.routes
           COMMAND oracle_platform_compare $<TARGET_FILE:oracle_platform_routes> 1 20 ${platform_files})
  if(TARGET pgasim_command)
    add_test(NAME oracle.platform.generate
             COMMAND bash ${CMAKE_SOURCE_DIR}/tests/oracle/generate.sh $<TARGET_FILE:pgasim_command>
                     $<TARGET_FILE:oracle_platform_compare> $<TARGET_FILE:oracle_platform_routes>)
  endif()
  find_program(PGASIM_PYTHON python3)
  if(PGASIM_PYTHON AND TARGET pgasim_command)
    set(compare ${PGASIM_PYTHON} ${CMAKE_SOURCE_DIR}/tests/oracle/routes_compare.py
        $<TARGET_FILE:oracle_platform_routes> $<TARGET_FILE:oracle_platform_compare> $<TARGET_FILE:pgasim_command>)
    add_test(NAME oracle.platform.zones COMMAND ${compare} --seed 1 --cases 200 --keep ${CMAKE_BINARY_DIR}/oracle)
    # With PGASIM_SIMGRID_PLATFORMS, a folder such as examples/platforms of SimGrid's sources, its files, too.
    if(PGASIM_SIMGRID_PLATFORMS)
      add_test(NAME oracle.platform.files COMMAND ${compare} --folder ${PGASIM_SIMGRID_PLATFORMS})
    endif()
  endif()
endif()
