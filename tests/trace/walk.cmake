# SPDX-License-Identifier: BSD-3-Clause
# Programs with a trace in the compact form: the walk back from the end has no gap, and the trace changes
# nothing.
if(TARGET pgasim_command)
  add_executable(trace_walk ${CMAKE_CURRENT_LIST_DIR}/walk.c)
  target_link_libraries(trace_walk PRIVATE m_trace)
  foreach(part 1 2 3)
    add_test(NAME trace.walk.${part}
             COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/walk.py ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}
             ${part}/3)
  endforeach()
  add_test(NAME trace.files COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/files.py ${CMAKE_BINARY_DIR}
           ${CMAKE_SOURCE_DIR})
  add_test(NAME trace.disks COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/disks.py ${CMAKE_BINARY_DIR}
           ${CMAKE_SOURCE_DIR})
  add_test(NAME trace.cards COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/cards.py ${CMAKE_BINARY_DIR}
           ${CMAKE_SOURCE_DIR})
  add_test(NAME trace.versions
           COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/versions.py ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
  if(NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME trace.races
             COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/races.py ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
    add_test(NAME trace.kept
             COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/kept.py ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
    set_tests_properties(trace.races trace.kept PROPERTIES TIMEOUT 300 ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
  endif()
  set_tests_properties(trace.walk.1 trace.walk.2 trace.walk.3 trace.files trace.disks trace.cards trace.versions PROPERTIES
                       TIMEOUT 300 ENVIRONMENT
                       "CC=${CMAKE_C_COMPILER};ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0")
endif()
