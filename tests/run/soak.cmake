# SPDX-License-Identifier: BSD-3-Clause
# bench/soak, small: memory that grows in steady state fails. The sanitizers keep freed memory on purpose.
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE)
  find_program(PGASIM_PYTHON python3 REQUIRED)
  foreach(way dlopen swap)
    add_test(NAME soak.${way}
             COMMAND ${PGASIM_PYTHON} ${CMAKE_SOURCE_DIR}/bench/soak ${CMAKE_BINARY_DIR} --operations 100000
             --growth 192
                     --privatize=${way})
    set_tests_properties(soak.${way} PROPERTIES TIMEOUT 120)
  endforeach()
  # 192 KiB in 90 000 operations: what leaks two bytes an operation is found, such as this.
  add_test(NAME soak.leak
           COMMAND ${PGASIM_PYTHON} ${CMAKE_SOURCE_DIR}/bench/soak ${CMAKE_BINARY_DIR} --operations 100000
           --growth 192
                   --leak)
  set_tests_properties(soak.leak PROPERTIES TIMEOUT 120 WILL_FAIL ON)
endif()
