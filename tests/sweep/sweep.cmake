# SPDX-License-Identifier: BSD-3-Clause
# The page of a study in a browser, with the packages of the report's test (tests/report/report.cmake).
if(TARGET m_sweep AND PGASIM_REPORT AND PGASIM_NODE AND NOT CMAKE_CROSSCOMPILING)
  set(into ${CMAKE_BINARY_DIR}/report-test)
  add_executable(sweep_sample_page ${CMAKE_SOURCE_DIR}/tests/sweep/sample_page.c)
  target_include_directories(sweep_sample_page PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(sweep_sample_page PRIVATE m_sweep ${CMAKE_DL_LIBS})
  file(GLOB parts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/sweep/*.mjs)
  add_custom_command(
    OUTPUT ${into}/study.made
    DEPENDS ${into}/node_modules/.fetched ${parts}
    COMMAND ${CMAKE_COMMAND} -E copy ${parts} ${into}
    COMMAND ${CMAKE_COMMAND} -E touch ${into}/study.made
    VERBATIM)
  add_custom_target(sweep_page_test ALL DEPENDS ${into}/study.made)
  if(TARGET report_test) # one of them fetches the packages
    add_dependencies(sweep_page_test report_test)
  endif()
  foreach(part all speed)
    add_test(NAME sweep.page_${part} COMMAND bash ${CMAKE_SOURCE_DIR}/tests/sweep/page.sh ${CMAKE_BINARY_DIR} ${PGASIM_NODE}
                                             $<TARGET_FILE:sweep_sample_page> ${part})
    set_tests_properties(sweep.page_${part} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
  set_tests_properties(sweep.page_speed PROPERTIES RUN_SERIAL TRUE) # others would take the time that it measures
endif()
