# SPDX-License-Identifier: BSD-3-Clause
# Programs that are built with sanitizers, or run under Valgrind. Skipped where these are missing. Left out where
# pgasim itself has a sanitizer, because a process has room for one run time.
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  foreach(t address leak undefined clang refused threads valgrind)
    add_test(NAME sanitize.${t} COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${t}.sh ${CMAKE_BINARY_DIR})
    set_tests_properties(sanitize.${t} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
endif()
