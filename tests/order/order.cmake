# SPDX-License-Identifier: BSD-3-Clause
# What orders threads, seen by the simplest checker, which is a part of a libpgasim of its own.
if(TARGET pgasim_command AND NOT PGASIM_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  add_library(pgasim_naive SHARED ${pgasim_objects} ${CMAKE_CURRENT_LIST_DIR}/naive.c)
  get_target_property(options pgasim LINK_OPTIONS)
  target_link_options(pgasim_naive PRIVATE ${options})
  target_include_directories(pgasim_naive PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(pgasim_naive PRIVATE ${PGASIM_LIBRARIES} m ${CMAKE_DL_LIBS})
  set_target_properties(pgasim_naive PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME pgasim
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/order)
  add_test(NAME order COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/order.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(order PROPERTIES TIMEOUT 300)
endif()
