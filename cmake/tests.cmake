# SPDX-License-Identifier: BSD-3-Clause
# tests/<module>/test_*.c is one cmocka program per file, linked to that module and those below it.
foreach(m ${PGASIM_LAYERS})
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${m}/test_*.c)
  if(NOT TARGET m_${m})
    continue()
  endif()
  foreach(t ${tests})
    get_filename_component(n ${t} NAME_WE)
    string(REGEX REPLACE "^test_" "" n ${n})
    add_executable(test_${m}_${n} ${t})
    target_include_directories(test_${m}_${n} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
    target_link_libraries(test_${m}_${n} PRIVATE m_${m} ${PGASIM_CMOCKA} ${CMAKE_DL_LIBS})
    add_test(NAME unit.${m}.${n} COMMAND ${PGASIM_EMULATOR} $<TARGET_FILE:test_${m}_${n}>)
  endforeach()
endforeach()
if(EXISTS ${CMAKE_SOURCE_DIR}/tests/run/run.cmake)
  include(tests/run/run.cmake) # end-to-end tests: programs built with the wrappers, run under pgasim
endif()
