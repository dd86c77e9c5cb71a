# SPDX-License-Identifier: BSD-3-Clause
# Jobs under a debugger. Skipped without gdb, and where nothing may be traced. A sanitizer's run time wants to
# be the first library and has its own thread of helpers: its builds are not debugged here.
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  foreach(t breakpoints ranks waits stops attach lldb)
    add_test(NAME debugger.${t} COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${t}.sh ${CMAKE_BINARY_DIR})
    set_tests_properties(debugger.${t} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
endif()
