# SPDX-License-Identifier: BSD-3-Clause
# Traces in other tools' forms, read back by these tools.
if(TARGET pgasim_command)
  foreach(p heat isort mandel hostile filtered killed interrupted)
    add_test(NAME trace.formats.${p}
             COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/read_back.py ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}
             ${p})
    set_tests_properties(trace.formats.${p} PROPERTIES TIMEOUT 300
                         ENVIRONMENT
                         "CC=${CMAKE_C_COMPILER};ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0")
  endforeach()
endif()
