# SPDX-License-Identifier: BSD-3-Clause
# Unit tests of the S-DSM's files that work without MPI: unit.sdsm.NAME.
if(TARGET sat_alone)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.c)
  foreach(t ${tests})
    get_filename_component(n ${t} NAME_WE)
    string(REGEX REPLACE "^test_" "" n ${n})
    add_executable(test_sdsm_${n} ${t})
    target_include_directories(test_sdsm_${n} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_link_libraries(test_sdsm_${n} PRIVATE sat_alone ${PGASIM_CMOCKA})
    add_test(NAME unit.sdsm.${n} COMMAND ${PGASIM_EMULATOR} $<TARGET_FILE:test_sdsm_${n}>)
  endforeach()
endif()
